// What the Save menu, the copy dialog and the saved pictures of lists say.

/** @import { Kind } from "../../types.d.ts" */

export const TITLES = {
  head: "Save this head",
  grid: "Save all heads",
  right: "Save this list",
};
/** Parts of file names. */
export const FILES = { heads: "heads" };

/** @param {string} name */
export const saved = (name) => `Saved ${name}.`;
/** @param {string} saved a sentence */
export const withPixels = (saved) =>
  `${saved} Its cells are a pixel image: as shapes they would take more than 1 MB.`;
/** @param {string} reason a sentence */
export const notSaved = (reason) => `Nothing was saved. ${reason}`;
export const ONE_MOMENT = "One moment …";
export const EMPTY_FIELDS = "In CSV, the field of a blocked cell is empty.";
/** @param {string} name of the file */
export const opened = (name) => `The page now shows ${name}.`;
/** @param {string} reason a sentence */
export const notComputed = (reason) => `The current view could not be computed: ${reason}`;
export const NOT_A_VIEW =
  "This file is not a saved view. Choose one that was saved with “View: as a file”.";
export const NOTHING = "There are no numbers here yet, or this model has none.";
export const NO_SCORES = "The heads have no scores yet.";

export const LINK = { copied: "The link is copied.", manual: "Copy the link from here" };
export const PROGRAM = { copied: "The program is copied.", manual: "Copy the program from here" };
export const COPY_FROM_HERE = "Copy it from here";
export const LINK_COPIED = "Link copied";
export const CANNOT_COPY = "The browser does not allow this page to copy.";
export const COPY_BY_HAND =
  "The browser does not allow this page to copy: it has no permission, or the connection is not https. The text below is selected: copy it from there.";
export const FILE_HERE = "This page is a file";
export const FILE_LINK =
  "A link to it works on this computer alone. To show others this view, save it as a page (“All controls”, “Save”, “as a page”) and send them that file, or put it on a web space.";
export const COURSE_LINK =
  "A link to it works on this computer alone. To show others this view, put the whole folder of the course on a web space: links to its pages work for everyone there.";
export const OWN_FILE = "This model is a file of yours";
export const OWN_LINK =
  "No link can carry it: it is only in this browser. Save it as a page and send that, or send the file itself: whoever drops it on this page sees the same. This link works for you until you close the page.";
/** @param {string} model */
export const ownBeside = (model) =>
  `A page with a file of yours cannot hold the model ${model}, too, with which you compare it. End the comparison first.`;
/** For the reader of a page that carries a file. @param {{model: string, description: string, rounded: boolean}} file */
export const ownAbout = ({ model, description, rounded }) =>
  rounded
    ? `${model}: the data of whoever saved this page. ${description} They are kept in float16, so they agree with the file to about three decimal digits.`
    : `${model}: the data of whoever saved this page. ${description} They are kept in float32.`;
export const OWN_PROGRAM =
  "This model is a file of yours, which no server has, so no program can ask for it.";
export const EMBED = "Put this view into another page";
export const LINK_TOO_LONG = "The link is too long";
/** @param {string} n characters */
export const linkTooLong = (n) => `The link is too long: ${n} characters.`;
/** @param {{n: string, max: string}} characters */
export const longLinkAdvice = ({ n, max }) =>
  `This link has ${n} characters. Proxies and chat programs cut or refuse links of more than ${max}, so it may not arrive. Shorten the text or clear painted cells; or save the view as a file and send that. Whoever drops the file on this page sees the same view.`;

/** In a quiz. @param {string} model */
export const ofModel = (model) => `Model ${model}`;
/** @param {string} model */
export const unedited = (model) => `Model ${model} · its own masks, no head muted`;
/** @param {{model: string, edits: string}} edited */
export const edited = ({ model, edits }) => `Model ${model} · ${edits}`;

/** The title of a picture of all heads. @type {Record<Kind, string>} */
export const GRID_TITLES = {
  self: "All heads · pattern",
  encoder: "Encoder · all heads · pattern",
  decoder: "Decoder · all heads · pattern",
  cross: "Cross · all heads · pattern",
};
/** What the labels of the heads are measured on. */
export const GRID_NOTES = {
  probe: "Queries down, keys along the top. Labels: what a head does on random tokens.",
  sentence: "Queries down, keys along the top. Labels: what a head does in this text.",
};
/** A thumbnail's label. @param {{name: string, value: string}} label */
export const gridLabel = ({ name, value }) => `${name} ${value}`.trim();

/** The title of a picture of predictions. @param {{fills: boolean, token: string}} position */
export const predictionTitle = ({ fills, token }) =>
  fills ? `Prediction at ${token}` : `Prediction after ${token}`;
/** @param {number} value */
export const temperature = (value) => `temperature ${value}`;
/** @param {number} value */
export const topP = (value) => `top-p ${value}`;
/** @param {{probability: string, unedited: string}} token */
export const compared = ({ probability, unedited }) => `${probability} (unedited ${unedited})`;
export const PREDICTION_COLUMNS = {
  name: "token",
  value: "probability",
  scale: ["0", "50%", "100%"],
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
