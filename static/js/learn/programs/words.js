// What programs of lessons say, as whole sentences with named places.

import { bold } from "../../words/parts.js";

export const RUN = "Run";
export const CHECK = "Run and check";
export const AGAIN = "Start over";
export const BRING_BACK = "Bring mine back";
export const SOLVED_BEFORE = "Solved before.";
export const RUNNING = "Running…";
export const MADE = "What each line made";
export const CHANGED = "Changed since it ran: run it again.";
export const NOT_RUN =
  "This server runs no programs, so this one can only be read. (Its setting is HEADLIGHT_PROGRAMS.)";
export const RECORDED =
  "These pages carry what this program made. With Headlight itself you can change it and run it again.";
export const SOLVED = "All checks agree.";
export const NOTHING_PRINTED = "It ran to its end and printed nothing.";
export const AFTER_TRIES = "Three tries are over: a solution can be unfolded below.";
export const KEYS =
  "Ctrl+Enter runs the program. Tab indents; press Escape first to leave the field with Tab.";

/** @param {string} caption */
export const editorName = (caption) => `Program: ${caption}`;

/** @param {{n: number, all: number}} which */
export const hintButton = ({ n, all }) => (all > 1 ? `Hint ${n} of ${all}` : "Hint");

/** @param {number} line */
export const onLine = (line) => `Line ${line}: `;

/** A value beside its line. @param {{name: string, what: string, times: number}} value */
export const made = ({ name, what, times }) =>
  `${name ? `${name} ` : ""}${what}${times > 1 ? ` ×${times}` : ""}`;

/** A check that agrees. @param {string} about */
export const agrees = (about) => [bold(about), ": as expected."];

/** @param {{about: string, wrong: string}} check */
export const differs = ({ about, wrong }) => [bold(about), `: ${wrong}`];

/** @param {{n: number, mean: string, std: string}} drawn */
export const histogramWords = ({ n, mean, std }) => `${n} values: mean ${mean} ± ${std}`;
