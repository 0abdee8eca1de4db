// What programs of lessons say, as whole sentences with named places.

import { gettext } from "../../language/gettext.js";
import { bold, parts } from "../../words/parts.js";

export const RUN = gettext("Run");
export const CHECK = gettext("Run and check");
export const AGAIN = gettext("Start over");
export const BRING_BACK = gettext("Bring mine back");
export const SOLVED_BEFORE = gettext("Solved before.");
export const RUNNING = gettext("Running…");
export const MADE = gettext("What each line made");
export const CHANGED = gettext("Changed since it ran: run it again.");
export const NOT_RUN = gettext(
  "This server runs no programs, so this one can only be read. (Its setting is HEADLIGHT_PROGRAMS.)",
);
export const RECORDED = gettext(
  "These pages carry what this program made. With Headlight itself you can change it and run it again.",
);
export const SOLVED = gettext("All checks agree.");
export const NOTHING_PRINTED = gettext("It ran to its end and printed nothing.");
export const AFTER_TRIES = gettext("Three tries are over: a solution can be unfolded below.");
export const KEYS = gettext(
  "Ctrl+Enter runs the program. Tab indents; press Escape first to leave the field with Tab.",
);

/** @param {string} caption */
export const editorName = (caption) => gettext("Program: {caption}", { caption });

/** @param {{n: number, all: number}} which */
export const hintButton = ({ n, all }) =>
  all > 1 ? gettext("Hint {n} of {all}", { n, all }) : gettext("Hint");

/** @param {number} line */
export const onLine = (line) => gettext("Line {line}:", { line });

/** A value beside its line. @param {{name: string, what: string, times: number}} value */
export const made = ({ name, what, times }) =>
  `${name ? `${name} ` : ""}${what}${times > 1 ? ` ×${times}` : ""}`;

/** A check that agrees. @param {string} about */
export const agrees = (about) => parts("{about}: as expected.", { about: bold(about) });

/** @param {{about: string, wrong: string}} check */
export const differs = ({ about, wrong }) => [bold(about), `: ${wrong}`];

/** @param {{n: number, mean: string, std: string}} drawn */
export const histogramWords = ({ n, mean, std }) =>
  gettext("{n} values: mean {mean} ± {std}", { n, mean, std });
