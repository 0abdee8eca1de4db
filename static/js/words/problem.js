// What went wrong, and what the page offers then.

import { gettext, ngettext } from "../language/gettext.js";

export const TRY_AGAIN = gettext("Try again");
export const MEANING = gettext("What this means");
export const ENTER_PASSWORD = gettext("Enter the password");

export const UNREACHABLE = gettext(
  "The server cannot be reached. Check that it is running, then try again.",
);
/** @param {string} reason */
export const ENGINE_FAILED = (reason) =>
  gettext(
    "This page cannot compute by itself. The browser says: {reason} Try again, or let the server compute.",
    { reason },
  );
export const NOT_LOADED = gettext(
  "This part of the page could not be loaded. Check the connection, then load the page again: it keeps your choices.",
);
export const RELOAD = gettext("Load again");
export const PASSWORD = gettext("This server asks for its password again. What you typed is kept.");
export const CANCELLED = gettext("Cancelled. Nothing has changed.");

/** @param {number} status */
export const unexplained = (status) =>
  gettext(
    "The server answered {status} without an explanation. Try again; if that does not help, look at the server’s log.",
    { status: String(status) },
  );

/** @param {unknown} error */
export const unreadable = (error) =>
  gettext("The answer could not be read: {error}", { error: String(error) });

export const NOT_KEPT = gettext(
  "The model was loaded but not kept: the server has no room for it. Try again.",
);

/** @param {string} model @param {string | null | undefined} reason a sentence @param {string | null} pictured the other model that the page still shows */
export function notLoaded(model, reason, pictured) {
  const message = reason
    ? gettext(
        "{model} could not be loaded: {reason} Choose another model, or fix this one and try again.",
        { model, reason },
      )
    : gettext(
        "{model} could not be loaded: the server does not say why. Choose another model, or fix this one and try again.",
        { model },
      );
  return pictured
    ? gettext("{message} The picture below still shows {pictured}.", { message, pictured })
    : message;
}

/** Painted cells that were removed. @param {number} n @param {boolean} edited whether their texts were edited */
export function lostPaint(n, edited) {
  if (edited)
    return ngettext(
      "{n} painted cell was on tokens that have changed, and was removed. Undo brings it back.",
      "{n} painted cells were on tokens that have changed, and were removed. Undo brings them back.",
      n,
    );
  return ngettext(
    "{n} painted cell was on tokens that this text does not have, and was left out.",
    "{n} painted cells were on tokens that this text does not have, and were left out.",
    n,
  );
}
