// What the teacher's desk says.

import { gettext, ngettext } from "../../language/gettext.js";

/** @import { Mode } from "../types.d.ts" */

/** @type {Record<Mode, string>} */
export const MODES = {
  follow: gettext("Everyone sees what your projector shows."),
  explore: gettext("Everyone works on their own, from what they see now."),
  pause: gettext("All screens are dim. They come back when you choose another mode."),
};
export const FROZEN = gettext("Frozen: no answers arrive, and the class keeps what it sees.");
export const NO_SCREEN = gettext(
  "The projector shows nothing yet: open it to switch its present mode.",
);
export const NOT_YOURS = gettext(
  "This is the desk of a teacher. Open it with the link that `headlight class` printed, or that the page showed when you started the class.",
);
export const NO_PLAN = gettext("No plan: you decide as you go.");
export const NONE = gettext("none");
export const OWN_PLAN = gettext("from a file …");
export const NOT_A_PLAN = gettext(
  "This file is not a plan: it is not valid JSON. docs/class.md shows one.",
);
export const NOTHING_ASKED = gettext("Nothing is asked.");
export const SECOND_ROUND = gettext("second round");
export const CLOSE = gettext("Close answers");
export const REOPEN = gettext("Open again");
export const TALK = gettext("Let them talk");
export const AGAIN = gettext("Let them answer again");
export const REVEAL = gettext("Reveal to all");
export const HIDE_RESULTS = gettext("Hide the results again");
export const PUT_AWAY = gettext("Put away");
export const EARLIER = gettext("Asked before");
/** @param {string} title */
export const showAgain = (title) => gettext("Show again: {title}", { title });
export const ONLY_YOU = gettext("Only you see this until you reveal it.");
export const PHASES = {
  open: gettext("open"),
  talk: gettext("they talk"),
  closed: gettext("closed"),
  revealed: gettext("revealed"),
};
export const SHOW_NAMES = gettext("Show names");
export const HIDE_NAMES = gettext("Hide names");
export const NO_NAME = gettext("no name");
export const AWAY = gettext("away");
export const HIDE = gettext("Hide the name");
export const SHOW = gettext("Show the name");
export const REMOVE = gettext("Remove");
export const REMOVED = gettext("removed");
export const LET_IN = gettext("Let back in");
/** @param {string} name */
export const letIn = (name) => gettext("Let back in: {name}", { name });
/** @param {string} name */
export const hideName = (name) => gettext("Hide the name {name}", { name });
/** @param {string} name */
export const showName = (name) => gettext("Show the name {name}", { name });
/** @param {string} name */
export const removePerson = (name) => gettext("Remove {name}", { name });
/** @param {number} n */
export const sentAway = (n) =>
  n === 0
    ? gettext("Nobody is away.")
    : ngettext("{n} seat is free again.", "{n} seats are free again.", n);
export const NO_WORK = gettext(
  "Nobody shows their work. People switch it on themselves, in the bar above their page.",
);
export const OPEN_FOR_ALL = gettext("Open for all");
/** @param {string} name */
export const openWorkOf = (name) => gettext("Open for all: the work of {name}", { name });
export const LOOPBACK = gettext(
  "On every other device this address means that device itself, so nobody can join with it. In a container the server cannot find out the address of this computer: type it below, such as 192.168.1.20:8000. Your system’s network settings show it.",
);
export const CLOSED_SERVER = gettext(
  "Only this computer can reach this server. Start it for the room: headlight class, or HEADLIGHT_HOST=0.0.0.0.",
);
export const REACHED = gettext("A device has opened this address: it works.");
export const NOT_REACHED = gettext(
  "No device has opened this address yet. Scan the code with your phone: this line says when it has arrived.",
);
export const NO_ADDRESS = gettext("This is no address. Type one such as 192.168.1.20:8000.");
export const WHY = gettext("Why, in a sentence: shown with the answer (if you like)");
export const TIME_IT = gettext("Start its timer");
export const STARTED = gettext("The question is on all screens.");
/** @param {number} n */
export const minutes = (n) => ngettext("{n} minute", "{n} minutes", n);
/** @param {string} part @param {number | undefined} length in minutes */
export const partOf = (part, length) => (length ? `${part} · ${minutes(length)}` : part);
/** @param {number} n */
export const personWord = (n) => ngettext("person", "people", n);
