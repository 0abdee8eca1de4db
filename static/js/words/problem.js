// What the page offers when something went wrong.

export const TRY_AGAIN = "Try again";
export const ENTER_PASSWORD = "Enter the password";
