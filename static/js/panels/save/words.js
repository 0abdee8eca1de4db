// What the Save menu, the copy dialog and the saved pictures of lists say.

import { gettext } from "../../language/gettext.js";
import { percentage } from "../../language/language.js";

/** @import { Kind } from "../../types.d.ts" */

export const TITLES = {
  head: gettext("Save this head"),
  grid: gettext("Save all heads"),
  right: gettext("Save this list"),
};
/** Parts of file names. */
export const FILES = { heads: "heads" };

/** @param {string} name */
export const saved = (name) => gettext("Saved {name}.", { name });
/** @param {string} saved a sentence */
export const withPixels = (saved) =>
  gettext("{saved} Its cells are a pixel image: as shapes they would take more than 1 MB.", {
    saved,
  });
/** @param {string} reason a sentence */
export const notSaved = (reason) => gettext("Nothing was saved. {reason}", { reason });
export const ONE_MOMENT = gettext("One moment …");
export const EMPTY_FIELDS = gettext("In CSV, the field of a blocked cell is empty.");
/** @param {string} name of the file */
export const opened = (name) => gettext("The page now shows {name}.", { name });
/** @param {string} reason a sentence */
export const notComputed = (reason) =>
  gettext("The current view could not be computed: {reason}", { reason });
export const NOT_A_VIEW = gettext(
  "This file is not a saved view. Choose one that was saved with “View: as a file”.",
);
export const NOTHING = gettext("There are no numbers here yet, or this model has none.");
export const NO_SCORES = gettext("The heads have no scores yet.");

export const LINK = {
  copied: gettext("The link is copied."),
  manual: gettext("Copy the link from here"),
};
export const PROGRAM = {
  copied: gettext("The program is copied."),
  manual: gettext("Copy the program from here"),
};
export const COPY_FROM_HERE = gettext("Copy it from here");
export const LINK_COPIED = gettext("Link copied");
export const CANNOT_COPY = gettext("The browser does not allow this page to copy.");
export const COPY_BY_HAND = gettext(
  "The browser does not allow this page to copy: it has no permission, or the connection is not https. The text below is selected: copy it from there.",
);
export const FILE_HERE = gettext("This page is a file");
export const FILE_LINK = gettext(
  "A link to it works on this computer alone. To show others this view, save it as a page (“All controls”, “Save”, “as a page”) and send them that file, or put it on a web space.",
);
export const COURSE_LINK = gettext(
  "A link to it works on this computer alone. To show others this view, put the whole folder of the course on a web space: links to its pages work for everyone there.",
);
export const OWN_FILE = gettext("This model is a file of yours");
export const OWN_LINK = gettext(
  "No link can carry it: it is only in this browser. Save it as a page and send that, or send the file itself: whoever drops it on this page sees the same. This link works for you until you close the page.",
);
/** @param {string} model */
export const ownBeside = (model) =>
  gettext(
    "A page with a file of yours cannot hold the model {model}, too, with which you compare it. End the comparison first.",
    { model },
  );
/** For the reader of a page that carries a file. @param {{model: string, description: string, rounded: boolean}} file */
export const ownAbout = ({ model, description, rounded }) =>
  rounded
    ? gettext(
        "{model}: the data of whoever saved this page. {description} They are kept in float16, so they agree with the file to about three decimal digits.",
        { model, description },
      )
    : gettext(
        "{model}: the data of whoever saved this page. {description} They are kept in float32.",
        { model, description },
      );
export const OWN_PROGRAM = gettext(
  "This model is a file of yours, which no server has, so no program can ask for it.",
);
export const EMBED = gettext("Put this view into another page");
export const LINK_TOO_LONG = gettext("The link is too long");
/** @param {string} n characters */
export const linkTooLong = (n) => gettext("The link is too long: {n} characters.", { n });
/** @param {{n: string, max: string}} characters */
export const longLinkAdvice = ({ n, max }) =>
  gettext(
    "This link has {n} characters. Proxies and chat programs cut or refuse links of more than {max}, so it may not arrive. Shorten the text or clear painted cells; or save the view as a file and send that. Whoever drops the file on this page sees the same view.",
    { n, max },
  );

/** In a quiz. @param {string} model */
export const ofModel = (model) => gettext("Model {model}", { model });
/** @param {string} model */
export const unedited = (model) =>
  gettext("Model {model} · its own masks, no head muted", { model });
/** @param {{model: string, edits: string}} edited */
export const edited = ({ model, edits }) => gettext("Model {model} · {edits}", { model, edits });

/** The title of a picture of all heads. @type {Record<Kind, string>} */
export const GRID_TITLES = {
  self: gettext("All heads · pattern"),
  encoder: gettext("Encoder · all heads · pattern"),
  decoder: gettext("Decoder · all heads · pattern"),
  cross: gettext("Cross · all heads · pattern"),
};
/** What the labels of the heads are measured on. */
export const GRID_NOTES = {
  probe: gettext("Queries down, keys along the top. Labels: what a head does on random tokens."),
  sentence: gettext("Queries down, keys along the top. Labels: what a head does in this text."),
};
/** A thumbnail's label. @param {{name: string, value: string}} label */
export const gridLabel = ({ name, value }) => `${name} ${value}`.trim();

/** The title of a picture of predictions. @param {{fills: boolean, token: string}} position */
export const predictionTitle = ({ fills, token }) =>
  fills
    ? gettext("Prediction at {token}", { token })
    : gettext("Prediction after {token}", { token });
/** @param {number} value */
export const temperature = (value) => gettext("temperature {value}", { value });
/** @param {number} value */
export const topP = (value) => gettext("top-p {value}", { value });
/** @param {{probability: string, unedited: string}} token */
export const compared = ({ probability, unedited }) =>
  gettext("{probability} (unedited {unedited})", { probability, unedited });
export const PREDICTION_COLUMNS = {
  name: gettext("token"),
  value: gettext("probability"),
  scale: ["0", percentage("50"), percentage("100")],
};

export const CSV_COLUMNS = {
  heads: ["layer", "head", "label"],
  predictions: ["id", "token", "probability", "probability unedited"],
  lens: ["stage", "rank", "id", "token", "probability", "probability of the final prediction"],
  effects: [
    "kind",
    "layer",
    "head",
    "change of the log-probability in nats",
    "probability",
    "probability without the head",
    "token id",
    "token",
    "reason",
  ],
};
