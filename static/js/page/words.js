// What the frame of the page says: notices, tabs, the colour scheme, and the line about what the page waits for.

import { quote } from "../words/format.js";
import { modelInText } from "../words/heads.js";

/** The button of the colour scheme. */
export const SCHEMES = { auto: "Theme: auto", light: "Theme: light", dark: "Theme: dark" };
export const SCHEME_TITLE = "Light or dark: as the system says (auto), or always one of them";

/** The button that changes the depth, by the depth that the page has. */
export const DEPTH_SWITCH = { start: "All controls", full: "Fewer controls" };

/** The button that shows a panel in the place of the picture. */
export const LARGE = {
  enter: { text: "⤢", label: "Enlarge", title: "Show this panel in the place of the picture" },
  leave: { text: "back to the picture", label: "Back to the picture", title: "Esc does it, too" },
};

export const PRESENT = { leave: "Leave the presentation" };
export const SLIDES = {
  /** @param {number} n */
  kept: (n) => (n === 1 ? "The presentation has 1 slide." : `The presentation has ${n} slides.`),
  /** @param {number} n */
  clear: (n) => (n === 1 ? "remove 1 slide" : `remove ${n} slides`),
  cleared: "The presentation shows the examples again.",
  notKept: "This browser does not let the page store slides.",
};

/** @param {{matrix: string, reason: string}} lack `reason`: a sentence */
export const cannotShow = ({ matrix, reason }) => `${matrix} cannot be shown: ${reason}`;
/** In the place of a picture. @param {{matrix: string, limit: number | undefined, n: number}} text `n`: its tokens */
export const tooLong = ({ matrix, limit, n }) =>
  `${matrix} takes texts of at most ${limit} tokens; this one has ${n}.`;
export const NO_TEXT =
  "There is no text yet, only the tokens that the model adds to every text. Type a sentence.";
/** @param {string} model */
export const isLoading = (model) => `The picture comes once ${modelInText(model)} is loaded.`;
/** @param {{n: number, model: string, trained: number}} text `trained`: the tokens that the model was trained on */
export const untrainedLength = ({ n, model, trained }) =>
  `This text has ${n} tokens, but ${modelInText(model)} was trained on at most ${trained}. Beyond that, do not rely on its heads.`;
export const BLOCKED_ROWS =
  "In some rows, every key is blocked. These rows have no distribution: all their weights are 0.";

export const WAITING = {
  label: "What the page is waiting for",
  progress: "Computing",
  cancel: "Cancel",
  hurry: "Try now",
};
/** Why there is no answer yet; while the page retries, and while it pauses before the next try. */
export const REASONS = {
  pause: {
    busy: "Busy.",
    loading: "The model is being loaded.",
    fitting: "The tuned lens of this model is being fitted, once for all texts.",
    unreachable: "The server cannot be reached.",
  },
  again: {
    busy: "Busy. Trying again …",
    loading: "The model is being loaded. Trying again …",
    fitting: "The tuned lens of this model is being fitted, once for all texts.",
    unreachable: "The server cannot be reached. Trying again …",
  },
};

/** Going on without a server that does not answer. */
export const ALONE = {
  label: "What computes",
  offer: "The server does not answer.",
  go: "Go on without it",
  is: "This page computes by itself.",
  why: "The server did not answer.",
  back: "Use the server",
};

/** In a quiz without the button “Reveal”. */
export const CLOSED = "Labels and settings are hidden, so that you can find out by yourself.";

/** After a quiz: what was done to the model. @param {string[]} changes */
export const revealed = (changes) =>
  changes.length > 0
    ? `Revealed: ${changes.join(", ")}.`
    : "Revealed: nothing was changed. The masks and the softmax are as they should be.";

// the link to the course, or to the lesson from which the reader came
export const LEARN = "Learn";
/** @param {{number: number | null}} lesson null: a teacher's own */
export const backToLesson = ({ number }) =>
  number === null ? "Back to the lesson" : `Back to lesson ${number}`;

/** The title of the page, by which a browser lists what it showed. @param {{text: string, head: string}} shown */
export const title = ({ text, head }) =>
  text ? `${quote(text)} · ${head} · Headlight` : `${head} · Headlight`;
