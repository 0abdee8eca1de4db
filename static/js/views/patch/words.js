// What the patch bench says, in words.

import { gettext, ngettext } from "../../language/gettext.js";
import { fixed, percentage } from "../../language/language.js";
import { capitalised, minus, quote } from "../../words/format.js";
import { layerInText } from "../../words/heads.js";
import { LACKS } from "../../words/lacks.js";
import { groupAt } from "./reading.js";

/** @import { Bench, Side } from "./reading.js" */
/** @import { Intervention, Kind, PatchedCell } from "../../types.d.ts" */

export const FORM = {
  label: gettext("Clean sentence"),
  go: gettext("Compare"),
  swap: gettext("Swap the sentences"),
  swapTitle: gettext("Make this the text above, and the text above the clean sentence"),
  about: gettext(
    "The text above is the corrupted sentence. Each patch gives one part of the model the value that it has in the clean sentence, and leaves everything else alone: the more of the clean answer comes back, the more this part carries. The answer is read where the list of predictions is; ◎ there chooses it, and the tab Attribution another one to compare it with.",
  ),
  target: gettext("Both sentences are read with the same target."),
  pair: gettext("Both sentences are read with the same second segment."),
};

/** What to begin with, where no sentence is compared. */
export const PAIRS_ABOUT = gettext("Or begin with a pair in which one word decides the answer:");

/** @param {{text: string, clean: string}} pair */
export const pair = ({ text, clean }) =>
  gettext("{text}, against {clean}", { text: quote(text), clean: quote(clean) });

/** Why there is nothing to see. */
export const MISSING = {
  clean: gettext(
    "Type a clean sentence: this text with a word or two changed, so that the model answers differently.",
  ),
  same: gettext(
    "Both sentences are the same. Change a word or two, so that the model answers differently.",
  ),
  ...LACKS.patch,
};

export const COMPUTING = gettext("Patching each part in turn …");
export const NO_ANSWER = gettext("There are no numbers for these sentences.");

export const SETTINGS = {
  at: gettext("Patch"),
  /** @type {Record<Intervention["at"], string>} */
  places: {
    resid_pre: gettext("the stream before each layer"),
    resid_mid: gettext("the stream after attention"),
    resid_post: gettext("the stream after each layer"),
    mlp: gettext("feed-forward networks"),
    head: gettext("attention heads"),
  },
  by: gettext("A cell for each"),
  position: gettext("layer and token"),
  positionTitle: gettext("At each token, all heads of the layer together"),
  head: gettext("head"),
  headTitle: gettext("Each head alone, at all tokens together"),
};

export const STUDY = gettext("Ask the same of many sentences");
export const STUDY_TITLE = gettext("The page Study, with this pair to begin with");

export const TOKENS = {
  label: gettext("Both sentences"),
  caption: gettext("The sentences, token by token"),
  clean: gettext("Clean"),
  corrupted: gettext("Corrupted"),
  /** @param {{clean: string, name: string}} pair */
  differs: ({ clean, name }) =>
    gettext("differs: {clean} in the clean sentence, {name} in this one", {
      clean: quote(clean),
      name: quote(name),
    }),
};

/** @type {Record<Side, {title: string, about: string}>} */
export const MAPS = {
  restored: { title: gettext("Measured"), about: gettext("each cell is a run") },
  estimate: { title: gettext("Estimated"), about: gettext("all cells from one gradient") },
};

export const LEGEND = {
  scale: gettext(
    "0% changes nothing, 100% brings the whole clean answer back; orange is away from it",
  ),
  disagrees: gettext("measurement and estimate disagree"),
  read: gettext("the answer is read here"),
};

export const HINT = gettext(
  "Point at a cell to read it in words. Arrow keys move between the cells.",
);
export const ADD = gettext("Keep this patch in the run");
export const ADD_TITLE = gettext(
  "Adds it to the interventions of the run, so that every view shows the model with it",
);

export const ABOUT = gettext(
  "A share is (patched − corrupted) / (clean − corrupted), in logits (activation patching: Meng et al. 2022). The estimate is the change of the part times the gradient of the answer in the corrupted run (attribution patching: Nanda 2023): exact only where the model is linear. They disagree where the estimate is off by more than a quarter of the largest effect, or has the other sign.",
);

/** What both sentences answer. @param {Bench} bench */
export function answers({ found, token, against, read, fills }) {
  const [clean, corrupted] = [logits(found.clean), logits(found.corrupted)];
  const where = fills
    ? gettext("At {read}", { read: quote(read) })
    : gettext("After {read}", { read: quote(read) });
  return against === null
    ? gettext(
        "{where}, {token} has a logit of {clean} in the clean sentence, and of {corrupted} in the corrupted one.",
        { where, token: quote(token), clean, corrupted },
      )
    : gettext(
        "{where}, {token} leads {against} by {clean} logits in the clean sentence, and by {corrupted} in the corrupted one.",
        { where, token: quote(token), against: quote(against), clean, corrupted },
      );
}

/** Which patch does most, and how often the estimate is off. @param {{place: string, share: number} | null} best @param {number} disputed */
export function outcome(best, disputed) {
  const first = best
    ? gettext("One patch brings back most, {share}: {place}.", {
        share: share(best.share),
        place: best.place,
      })
    : gettext("No single patch brings any of it back.");
  if (disputed === 0) return first;
  return ngettext(
    "{first} At {n} place the estimate disagrees.",
    "{first} At {n} places the estimate disagrees.",
    disputed,
    { first },
  );
}

/**
 * How many patches were run so far, and how well the estimates rank them.
 * @param {number | null} ran null: all
 * @param {number | null} tau Kendall's τ
 * @param {{message: string} | null} [problem] why the others were not
 */
export function measured(ran, tau, problem) {
  const agree =
    tau === null
      ? ""
      : gettext("The estimates rank what was run with τ = {tau}.", { tau: minus(fixed(tau, 2)) });
  if (ran === null) return agree;
  const most = gettext("The {ran} patches with the largest estimates were run", { ran });
  return problem
    ? `${most}. ${agree} ${problem.message}`
    : gettext("{most}; the others follow. {agree}", { most, agree });
}

/** A cell whose patch was not run. */
export const UNRUN = gettext("not run yet");

/** A logit. @param {number} value */
const logits = (value) => minus(fixed(value, 2));

/** @param {number} value */
export const share = (value) => percentage(minus(String(Math.round(100 * value) || 0)));

/** A share in a cell. @param {number | null} value */
export const inCell = (value) => (value === null ? "" : share(value));

/** The name of a column of heads. @param {string} head */
export const headLabel = (head) => gettext("Head {head}", { head });

/** @type {Record<Intervention["at"], (layer: string) => string>} */
const PARTS = {
  resid_pre: (layer) => gettext("the stream before {layer}", { layer }),
  resid_mid: (layer) => gettext("the stream after attention in {layer}", { layer }),
  resid_post: (layer) => gettext("the stream after {layer}", { layer }),
  mlp: (layer) => gettext("the feed-forward network of {layer}", { layer }),
  head: (layer) => gettext("all heads of {layer}", { layer }),
};

/** Where a patch is made. @param {Pick<Bench, "found" | "groups">} bench @param {import("../../dom/grid.js").At} at */
export function placeInWords({ found, groups }, [row, column]) {
  const layer = layerInText(found.layers[row]);
  const { columns } = groupAt({ groups }, row);
  const { name, position } = columns[column];
  if (position === null) return gettext("head {name} of {layer}, at all tokens", { name, layer });
  const part = PARTS[found.at](layer);
  return columns.filter((one) => one.name === name).length > 1
    ? gettext("{part} at {name} (token {position})", { part, name: quote(name), position })
    : gettext("{part} at {name}", { part, name: quote(name) });
}

/** One cell. @param {string} place @param {PatchedCell} cell */
export function cellSentence(place, { restored, estimate, disagrees }) {
  const start = capitalised(place);
  if (estimate === null) return `${start}.`;
  if (restored === null)
    return gettext("{start}: {unrun}. The gradient says {share}.", {
      start,
      unrun: UNRUN,
      share: share(estimate),
    });
  const percent = Math.round(100 * restored);
  const first =
    percent < 0
      ? gettext("{start}: the patch moves the answer away from the clean one, {share}.", {
          start,
          share: share(restored),
        })
      : percent > 0
        ? gettext("{start}: the patch brings back {share}.", { start, share: share(restored) })
        : gettext("{start}: the patch brings nothing back.", { start });
  return disagrees
    ? gettext("{first} The gradient says {share}: here the two disagree.", {
        first,
        share: share(estimate),
      })
    : gettext("{first} The gradient says {share}.", { first, share: share(estimate) });
}

/** @type {Record<Exclude<Kind, "cross">, Record<Side, string>>} */
const LABELS = {
  self: {
    restored: gettext("How much of the clean answer each patch brings back: layers down"),
    estimate: gettext("The same as estimated from a gradient: layers down"),
  },
  encoder: {
    restored: gettext(
      "How much of the clean answer each patch in the encoder brings back: layers down",
    ),
    estimate: gettext("The same as estimated from a gradient, in the encoder: layers down"),
  },
  decoder: {
    restored: gettext(
      "How much of the clean answer each patch in the decoder brings back: layers down",
    ),
    estimate: gettext("The same as estimated from a gradient, in the decoder: layers down"),
  },
};

/** @param {Side} side @param {Kind} kind of the first row */
export const mapLabel = (side, kind) => LABELS[kind === "cross" ? "decoder" : kind][side];

/** @param {Pick<Bench, "token" | "against">} bench */
export const pictureTitle = ({ token, against }) =>
  against === null
    ? gettext("What brings {token} back", { token: quote(token) })
    : gettext("What brings {token} rather than {against} back", {
        token: quote(token),
        against: quote(against),
      });

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
export const pictureLegend = gettext(
  "Share of the clean answer that each patch brings back. Framed: measurement and estimate disagree.",
);
