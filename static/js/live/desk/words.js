// What the teacher's desk says.

/** @import { Mode } from "../types.d.ts" */

/** @type {Record<Mode, string>} */
export const MODES = {
  follow: "Everyone sees what your projector shows.",
  explore: "Everyone works on their own, from what they see now.",
  pause: "All screens are dim. They come back when you choose another mode.",
};
export const FROZEN = "Frozen: no answers arrive, and the class keeps what it sees.";
export const NO_SCREEN = "The projector shows nothing yet: open it to switch its present mode.";
export const NOT_YOURS =
  "This is the desk of a teacher. Open it with the link that `headlight class` printed, or that the page showed when you started the class.";
export const NO_PLAN = "No plan: you decide as you go.";
export const NONE = "none";
export const OWN_PLAN = "from a file …";
export const NOT_A_PLAN = "This file is not a plan: it is not valid JSON. docs/class.md shows one.";
export const NOTHING_ASKED = "Nothing is asked.";
export const SECOND_ROUND = "second round";
export const CLOSE = "Close answers";
export const REOPEN = "Open again";
export const TALK = "Let them talk";
export const AGAIN = "Let them answer again";
export const REVEAL = "Reveal to all";
export const HIDE_RESULTS = "Hide the results again";
export const PUT_AWAY = "Put away";
export const EARLIER = "Asked before";
/** @param {string} title */
export const showAgain = (title) => `Show again: ${title}`;
export const ONLY_YOU = "Only you see this until you reveal it.";
export const PHASES = { open: "open", talk: "they talk", closed: "closed", revealed: "revealed" };
export const SHOW_NAMES = "Show names";
export const HIDE_NAMES = "Hide names";
export const NO_NAME = "no name";
export const AWAY = "away";
export const HIDE = "Hide the name";
export const SHOW = "Show the name";
export const REMOVE = "Remove";
export const REMOVED = "removed";
export const LET_IN = "Let back in";
/** @param {string} name */
export const letIn = (name) => `Let back in: ${name}`;
/** @param {string} name */
export const hideName = (name) => `Hide the name ${name}`;
/** @param {string} name */
export const showName = (name) => `Show the name ${name}`;
/** @param {string} name */
export const removePerson = (name) => `Remove ${name}`;
/** @param {number} n */
export const sentAway = (n) =>
  n === 0 ? "Nobody is away." : n === 1 ? "1 seat is free again." : `${n} seats are free again.`;
export const NO_WORK =
  "Nobody shows their work. People switch it on themselves, in the bar above their page.";
export const OPEN_FOR_ALL = "Open for all";
/** @param {string} name */
export const openWorkOf = (name) => `Open for all: the work of ${name}`;
export const LOOPBACK =
  "On every other device this address means that device itself, so nobody can join with it. In a container the server cannot find out the address of this computer: type it below, such as 192.168.1.20:8000. Your system’s network settings show it.";
export const CLOSED_SERVER =
  "Only this computer can reach this server. Start it for the room: headlight class, or HEADLIGHT_HOST=0.0.0.0.";
export const REACHED = "A device has opened this address: it works.";
export const NOT_REACHED =
  "No device has opened this address yet. Scan the code with your phone: this line says when it has arrived.";
export const NO_ADDRESS = "This is no address. Type one such as 192.168.1.20:8000.";
export const WHY = "Why, in a sentence: shown with the answer (if you like)";
export const TIME_IT = "Start its timer";
export const STARTED = "The question is on all screens.";
/** @param {number} n */
export const minutes = (n) => (n === 1 ? "1 minute" : `${n} minutes`);
/** @param {string} part @param {number | undefined} length in minutes */
export const partOf = (part, length) => (length ? `${part} · ${minutes(length)}` : part);
/** @param {number} n */
export const personWord = (n) => (n === 1 ? "person" : "people");
