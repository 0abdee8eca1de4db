// What the frame of the page says: notices, tabs, the colour scheme, and the line about what the page waits for.

import { commas, gettext, ngettext } from "../language/gettext.js";
import { quote } from "../words/format.js";
import { modelInText } from "../words/heads.js";

/** The button of the colour scheme. */
export const SCHEMES = {
  auto: gettext("Theme: auto"),
  light: gettext("Theme: light"),
  dark: gettext("Theme: dark"),
};
export const SCHEME_TITLE = gettext(
  "Light or dark: as the system says (auto), or always one of them",
);

/** The button that changes the depth, by the depth that the page has. */
export const DEPTH_SWITCH = { start: gettext("All controls"), full: gettext("Fewer controls") };

/** The button that shows a panel in the place of the picture. */
export const LARGE = {
  enter: {
    text: "⤢",
    label: gettext("Enlarge"),
    title: gettext("Show this panel in the place of the picture"),
  },
  leave: {
    text: gettext("back to the picture"),
    label: gettext("Back to the picture"),
    title: gettext("Esc does it, too"),
  },
};

export const PRESENT = { leave: gettext("Leave the presentation") };
export const SLIDES = {
  /** @param {number} n */
  kept: (n) => ngettext("The presentation has {n} slide.", "The presentation has {n} slides.", n),
  /** @param {number} n */
  clear: (n) => ngettext("remove {n} slide", "remove {n} slides", n),
  cleared: gettext("The presentation shows the examples again."),
  notKept: gettext("This browser does not let the page store slides."),
};

/** @param {{matrix: string, reason: string}} lack `reason`: a sentence */
export const cannotShow = ({ matrix, reason }) =>
  gettext("{matrix} cannot be shown: {reason}", { matrix, reason });
/** In the place of a picture. @param {{matrix: string, limit: number | undefined, n: number}} text `n`: its tokens */
export const tooLong = ({ matrix, limit, n }) =>
  gettext("{matrix} takes texts of at most {limit} tokens; this one has {n}.", {
    matrix,
    limit: limit ?? 0,
    n,
  });
export const NO_TEXT = gettext(
  "There is no text yet, only the tokens that the model adds to every text. Type a sentence.",
);
/** @param {string} model */
export const isLoading = (model) =>
  gettext("The picture comes once {model} is loaded.", { model: modelInText(model) });
/** @param {{n: number, model: string, trained: number}} text `trained`: the tokens that the model was trained on */
export const untrainedLength = ({ n, model, trained }) =>
  gettext(
    "This text has {n} tokens, but {model} was trained on at most {trained}. Beyond that, do not rely on its heads.",
    { n, model: modelInText(model), trained },
  );
export const BLOCKED_ROWS = gettext(
  "In some rows, every key is blocked. These rows have no distribution: all their weights are 0.",
);

export const WAITING = {
  label: gettext("What the page is waiting for"),
  progress: gettext("Computing"),
  cancel: gettext("Cancel"),
  hurry: gettext("Try now"),
};
/** Why there is no answer yet; while the page retries, and while it pauses before the next try. */
export const REASONS = {
  pause: {
    busy: gettext("Busy."),
    loading: gettext("The model is being loaded."),
    fitting: gettext("The tuned lens of this model is being fitted, once for all texts."),
    unreachable: gettext("The server cannot be reached."),
  },
  again: {
    busy: gettext("Busy. Trying again …"),
    loading: gettext("The model is being loaded. Trying again …"),
    fitting: gettext("The tuned lens of this model is being fitted, once for all texts."),
    unreachable: gettext("The server cannot be reached. Trying again …"),
  },
};

/** Going on without a server that does not answer. */
export const ALONE = {
  label: gettext("What computes"),
  offer: gettext("The server does not answer."),
  go: gettext("Go on without it"),
  is: gettext("This page computes by itself."),
  why: gettext("The server did not answer."),
  back: gettext("Use the server"),
};

/** In a quiz without the button “Reveal”. */
export const CLOSED = gettext(
  "Labels and settings are hidden, so that you can find out by yourself.",
);

/** After a quiz: what was done to the model. @param {string[]} changes */
export const revealed = (changes) =>
  changes.length > 0
    ? gettext("Revealed: {changes}.", { changes: commas(changes) })
    : gettext("Revealed: nothing was changed. The masks and the softmax are as they should be.");

// the link to the course, or to the lesson from which the reader came
export const LEARN = gettext("Learn");
/** @param {{number: number | null}} lesson null: a teacher's own */
export const backToLesson = ({ number }) =>
  number === null ? gettext("Back to the lesson") : gettext("Back to lesson {number}", { number });

/** The title of the page, by which a browser lists what it showed. @param {{text: string, head: string}} shown */
export const title = ({ text, head }) =>
  text
    ? gettext("{text} · {head} · Headlight", { text: quote(text), head })
    : gettext("{head} · Headlight", { head });
