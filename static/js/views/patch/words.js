// What the patch bench says, in words.

import { capitalised, minus, quote } from "../../words/format.js";
import { layerInText } from "../../words/heads.js";
import { groupAt } from "./reading.js";

/** @import { Bench, Side } from "./reading.js" */
/** @import { Intervention, Kind, PatchedCell } from "../../types.d.ts" */

export const FORM = {
  label: "Clean sentence",
  go: "Compare",
  swap: "Swap the sentences",
  swapTitle: "Make this the text above, and the text above the clean sentence",
  about:
    "The text above is the corrupted sentence. Each patch gives one part of the model the value that it has in the clean sentence, and leaves everything else alone: the more of the clean answer comes back, the more this part carries. The answer is read where the list of predictions is; ◎ there chooses it, and the tab Attribution another one to compare it with.",
  target: "Both sentences are read with the same target.",
  pair: "Both sentences are read with the same second segment.",
};

/** What to begin with, where no sentence is compared. */
export const PAIRS_ABOUT = "Or begin with a pair in which one word decides the answer:";

/** @param {{text: string, clean: string}} pair */
export const pair = ({ text, clean }) => `${quote(text)}, against ${quote(clean)}`;

/** Why there is nothing to see. */
export const MISSING = {
  clean:
    "Type a clean sentence: this text with a word or two changed, so that the model answers differently.",
  same: "Both sentences are the same. Change a word or two, so that the model answers differently.",
  prediction: "This model predicts nothing, so there is no answer to bring back.",
  edits: "This model takes no edits, so nothing can be patched.",
  places: "No part of this model can be patched.",
};

export const COMPUTING = "Patching each part in turn …";
export const NO_ANSWER = "There are no numbers for these sentences.";

export const SETTINGS = {
  at: "Patch",
  /** @type {Record<Intervention["at"], string>} */
  places: {
    resid_pre: "the stream before each layer",
    resid_mid: "the stream after attention",
    resid_post: "the stream after each layer",
    mlp: "feed-forward networks",
    head: "attention heads",
  },
  by: "A cell for each",
  position: "layer and token",
  positionTitle: "At each token, all heads of the layer together",
  head: "head",
  headTitle: "Each head alone, at all tokens together",
};

export const STUDY = "Ask the same of many sentences";
export const STUDY_TITLE = "The page Study, with this pair to begin with";

export const TOKENS = {
  label: "Both sentences",
  caption: "The sentences, token by token",
  clean: "Clean",
  corrupted: "Corrupted",
  /** @param {{clean: string, name: string}} pair */
  differs: ({ clean, name }) =>
    `differs: ${quote(clean)} in the clean sentence, ${quote(name)} in this one`,
};

/** @type {Record<Side, {title: string, about: string}>} */
export const MAPS = {
  restored: { title: "Measured", about: "each cell is a run" },
  estimate: { title: "Estimated", about: "all cells from one gradient" },
};

export const LEGEND = {
  scale: "0% changes nothing, 100% brings the whole clean answer back; orange is away from it",
  disagrees: "measurement and estimate disagree",
  read: "the answer is read here",
};

export const HINT = "Point at a cell to read it in words. Arrow keys move between the cells.";
export const ADD = "Keep this patch in the run";
export const ADD_TITLE =
  "Adds it to the interventions of the run, so that every view shows the model with it";

export const ABOUT =
  "A share is (patched − corrupted) / (clean − corrupted), in logits (activation patching: Meng et al. 2022). The estimate is the change of the part times the gradient of the answer in the corrupted run (attribution patching: Nanda 2023): exact only where the model is linear. They disagree where the estimate is off by more than a quarter of the largest effect, or has the other sign.";

/** What both sentences answer. @param {Bench} bench */
export function answers({ found, token, against, read, fills }) {
  const [clean, corrupted] = [logits(found.clean), logits(found.corrupted)];
  const where = fills ? `At ${quote(read)}` : `After ${quote(read)}`;
  return against === null
    ? `${where}, ${quote(token)} has a logit of ${clean} in the clean sentence, and of ${corrupted} in the corrupted one.`
    : `${where}, ${quote(token)} leads ${quote(against)} by ${clean} logits in the clean sentence, and by ${corrupted} in the corrupted one.`;
}

/** Which patch does most, and how often the estimate is off. @param {{place: string, share: number} | null} best @param {number} disputed */
export function outcome(best, disputed) {
  const first = best
    ? `One patch brings back most, ${share(best.share)}: ${best.place}.`
    : "No single patch brings any of it back.";
  if (disputed === 0) return first;
  return disputed === 1
    ? `${first} At 1 place the estimate disagrees.`
    : `${first} At ${disputed} places the estimate disagrees.`;
}

/**
 * How many patches were run so far, and how well the estimates rank them.
 * @param {number | null} ran null: all
 * @param {number | null} tau Kendall's τ
 * @param {{message: string} | null} [problem] why the others were not
 */
export function measured(ran, tau, problem) {
  const agree =
    tau === null ? "" : `The estimates rank what was run with τ = ${minus(tau.toFixed(2))}.`;
  if (ran === null) return agree;
  const most = `The ${ran} patches with the largest estimates were run`;
  return problem ? `${most}. ${agree} ${problem.message}` : `${most}; the others follow. ${agree}`;
}

/** A cell whose patch was not run. */
export const UNRUN = "not run yet";

/** A logit. @param {number} value */
const logits = (value) => minus(value.toFixed(2));

/** @param {number} value */
export const share = (value) => `${minus(String(Math.round(100 * value) || 0))}%`;

/** A share in a cell. @param {number | null} value */
export const inCell = (value) => (value === null ? "" : share(value));

/** The name of a column of heads. @param {string} head */
export const headLabel = (head) => `Head ${head}`;

/** @type {Record<Intervention["at"], (layer: string) => string>} */
const PARTS = {
  resid_pre: (layer) => `the stream before ${layer}`,
  resid_mid: (layer) => `the stream after attention in ${layer}`,
  resid_post: (layer) => `the stream after ${layer}`,
  mlp: (layer) => `the feed-forward network of ${layer}`,
  head: (layer) => `all heads of ${layer}`,
};

/** Where a patch is made. @param {Pick<Bench, "found" | "groups">} bench @param {import("../../dom/grid.js").At} at */
export function placeInWords({ found, groups }, [row, column]) {
  const layer = layerInText(found.layers[row]);
  const { columns } = groupAt({ groups }, row);
  const { name, position } = columns[column];
  if (position === null) return `head ${name} of ${layer}, at all tokens`;
  const part = PARTS[found.at](layer);
  return columns.filter((one) => one.name === name).length > 1
    ? `${part} at ${quote(name)} (token ${position})`
    : `${part} at ${quote(name)}`;
}

/** One cell. @param {string} place @param {PatchedCell} cell */
export function cellSentence(place, { restored, estimate, disagrees }) {
  const start = capitalised(place);
  if (estimate === null) return `${start}.`;
  if (restored === null) return `${start}: ${UNRUN}. The gradient says ${share(estimate)}.`;
  const percent = Math.round(100 * restored);
  const first =
    percent < 0
      ? `${start}: the patch moves the answer away from the clean one, ${share(restored)}.`
      : percent > 0
        ? `${start}: the patch brings back ${share(restored)}.`
        : `${start}: the patch brings nothing back.`;
  return disagrees
    ? `${first} The gradient says ${share(estimate)}: here the two disagree.`
    : `${first} The gradient says ${share(estimate)}.`;
}

/** @type {Record<Exclude<Kind, "cross">, Record<Side, string>>} */
const LABELS = {
  self: {
    restored: "How much of the clean answer each patch brings back: layers down",
    estimate: "The same as estimated from a gradient: layers down",
  },
  encoder: {
    restored: "How much of the clean answer each patch in the encoder brings back: layers down",
    estimate: "The same as estimated from a gradient, in the encoder: layers down",
  },
  decoder: {
    restored: "How much of the clean answer each patch in the decoder brings back: layers down",
    estimate: "The same as estimated from a gradient, in the decoder: layers down",
  },
};

/** @param {Side} side @param {Kind} kind of the first row */
export const mapLabel = (side, kind) => LABELS[kind === "cross" ? "decoder" : kind][side];

/** @param {Pick<Bench, "token" | "against">} bench */
export const pictureTitle = ({ token, against }) =>
  against === null
    ? `What brings ${quote(token)} back`
    : `What brings ${quote(token)} rather than ${quote(against)} back`;

export const COLUMNS = [
  "at",
  "kind",
  "layer",
  "head",
  "position",
  "clean id",
  "clean token",
  "id",
  "token",
  "metric",
  "restored",
  "estimate",
  "disagrees",
];

/** Below a picture for a file. */
export const pictureLegend =
  "Share of the clean answer that each patch brings back. Framed: measurement and estimate disagree.";
