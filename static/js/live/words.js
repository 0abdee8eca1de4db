// What the pages of a class say.

import { gettext, ngettext } from "../language/gettext.js";

/** @import { Connection, Mode } from "./types.d.ts" */

export const NO_ANSWER = gettext(
  "The server does not answer. Check your connection, then try again.",
);

/** A code as it is read aloud. @param {string} code */
export const spaced = (code) => `${code.slice(0, 3)} ${code.slice(3)}`;

/** @type {Record<Connection, string>} */
export const CONNECTIONS = {
  connecting: gettext("connecting …"),
  live: gettext("live"),
  polling: gettext("connected by polling"),
  broken: gettext("connecting again …"),
  ended: gettext("ended"),
  out: gettext("not in the class"),
};

/** What a participant reads of the mode. @type {Record<Mode, string>} */
export const MODES = {
  follow: gettext("You see what your teacher shows."),
  explore: gettext("Explore on your own."),
  pause: gettext("Eyes up."),
};
/** The same on a lesson's page. @type {Record<Mode, string>} */
export const IN_LESSON = {
  follow: gettext("Your teacher is showing something."),
  explore: gettext("Read on your own."),
  pause: gettext("Eyes up."),
};
export const SLIDE = gettext("Your teacher is showing a slide.");
export const HIDE_SLIDE = gettext("Hide the slide");
export const SHOW_SLIDE = gettext("Show the slide");
export const LOOKING = gettext("You are looking around.");
export const BACK_TO_TEACHER = gettext("Back to your teacher");
export const BACK_TO_OWN = gettext("Back to what I had");
export const AWAY = gettext("Your teacher has left for a moment. The class goes on.");
export const NAMED = gettext("Your teacher’s report says who answered what.");
export const SHOW_WORK = gettext("Show my work");
export const SHOWS_WORK = gettext("Your work is shown");
export const PAUSED = gettext("Eyes up");
export const PAUSED_MORE = gettext(
  "Your teacher has paused the screens. Yours comes back by itself.",
);
export const ENDED = gettext("This class has ended. You can go on exploring on your own.");
export const LEAVE = gettext("Go on without the class");
export const JOIN_AGAIN = gettext("Join again");
export const OPEN_LESSON = gettext("Open the lesson");
export const BACK_TO_CLASS = gettext("Back to the class");
export const CLASS = gettext("Class");
/** @param {string} address */
export const showing = (address) => gettext("Join at {address}", { address });
export const FROZEN = gettext("Frozen: the class keeps what it sees.");
export const OPEN_DESK = gettext("Your desk");
export const JOINING = gettext("Joining …");
export const NOT_STARTED = gettext("The class could not be started. Try again.");
/** @param {number} n how many were typed */
export const noCode = (n) =>
  n === 0
    ? gettext("Type the code that your teacher shows: seven letters and digits.")
    : ngettext(
        "A code has seven letters and digits. This has {n} character.",
        "A code has seven letters and digits. This has {n} characters.",
        n,
      );
/** @param {string} code */
export const backTo = (code) => gettext("Back to the class {code}", { code: spaced(code) });
export const JOIN_BY = gettext("Join at");
export const CODE_IS = gettext("Code");

/** @param {number} n */
export const people = (n) => ngettext("{n} person", "{n} people", n);

/** Minutes and seconds that are left. @param {number} ms */
export function left(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
export const TIME_UP = gettext("Time is up");
/** @param {string} time */
export const timeLeft = (time) => gettext("{time} left", { time });
