// The reader's language, which the server has chosen: that of the page. Where there is no page, English.

const root = globalThis.document?.documentElement;

/** As BCP 47 has it. English numbers and lists are written as in Britain. */
export const LANGUAGE = root?.lang && root.lang !== "en" ? root.lang : "en-GB";

export const IS_RIGHT_TO_LEFT = root?.dir === "rtl";
