// What the pages of a class say.

/** @import { Connection, Mode } from "./types.d.ts" */

export const NO_ANSWER = "The server does not answer. Check your connection, then try again.";

/** A code as it is read aloud. @param {string} code */
export const spaced = (code) => `${code.slice(0, 3)} ${code.slice(3)}`;

/** @type {Record<Connection, string>} */
export const CONNECTIONS = {
  connecting: "connecting …",
  live: "live",
  polling: "connected by polling",
  broken: "connecting again …",
  ended: "ended",
  out: "not in the class",
};

/** What a participant reads of the mode. @type {Record<Mode, string>} */
export const MODES = {
  follow: "You see what your teacher shows.",
  explore: "Explore on your own.",
  pause: "Eyes up.",
};
/** The same on a lesson's page. @type {Record<Mode, string>} */
export const IN_LESSON = {
  follow: "Your teacher is showing something.",
  explore: "Read on your own.",
  pause: "Eyes up.",
};
export const SLIDE = "Your teacher is showing a slide.";
export const HIDE_SLIDE = "Hide the slide";
export const SHOW_SLIDE = "Show the slide";
export const LOOKING = "You are looking around.";
export const BACK_TO_TEACHER = "Back to your teacher";
export const BACK_TO_OWN = "Back to what I had";
export const AWAY = "Your teacher has left for a moment. The class goes on.";
export const NAMED = "Your teacher’s report says who answered what.";
export const SHOW_WORK = "Show my work";
export const SHOWS_WORK = "Your work is shown";
export const PAUSED = "Eyes up";
export const PAUSED_MORE = "Your teacher has paused the screens. Yours comes back by itself.";
export const ENDED = "This class has ended. You can go on exploring on your own.";
export const LEAVE = "Go on without the class";
export const JOIN_AGAIN = "Join again";
export const OPEN_LESSON = "Open the lesson";
export const BACK_TO_CLASS = "Back to the class";
export const CLASS = "Class";
/** @param {string} address */
export const showing = (address) => `Join at ${address}`;
export const FROZEN = "Frozen: the class keeps what it sees.";
export const OPEN_DESK = "Your desk";
export const JOINING = "Joining …";
export const NOT_STARTED = "The class could not be started. Try again.";
/** @param {number} n how many were typed */
export const noCode = (n) =>
  n === 0
    ? "Type the code that your teacher shows: seven letters and digits."
    : `A code has seven letters and digits. This has ${n}.`;
/** @param {string} code */
export const backTo = (code) => `Back to the class ${spaced(code)}`;
export const JOIN_BY = "Join at";
export const CODE_IS = "Code";

/** @param {number} n */
export const people = (n) => (n === 1 ? "1 person" : `${n} people`);

/** Minutes and seconds that are left. @param {number} ms */
export function left(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
export const TIME_UP = "Time is up";
/** @param {string} time */
export const timeLeft = (time) => `${time} left`;
