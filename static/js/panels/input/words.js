// What the input says of its tokens, masks, models and examples.

import { gettext } from "../../language/gettext.js";
import { fixed } from "../../language/language.js";
import { isolated } from "../../words/format.js";
import { bold, parts } from "../../words/parts.js";

/** @import { Entry, TokenAxis } from "../../types.d.ts" */
/** @import { How } from "../../state/examples.js" */

/**
 * The visible name of a row of tokens; "" if there is no other row.
 * @param {{axis: TokenAxis, n: number, of: number, targets: boolean}} row `n`: from 1; `targets`: whether each text has a target
 */
export function rowTag({ axis, n, of, targets }) {
  if (!targets) return of > 1 ? gettext("Sentence {n}", { n }) : "";
  if (of === 1) return axis === "tokens" ? gettext("source") : gettext("target");
  return axis === "tokens" ? gettext("source {n}", { n }) : gettext("target {n}", { n });
}

/** @param {{axis: TokenAxis, n: number}} row `n`: from 1 */
export const rowLabel = ({ axis, n }) =>
  axis === "tokens"
    ? gettext("Tokens of sentence {n}", { n })
    : gettext("Tokens of target {n}", { n });

export const SEGMENTS = [
  { letter: "A", title: gettext("first segment") },
  { letter: "B", title: gettext("second segment") },
];

/** @param {{token: string}} chip */
export const blockedAsKey = ({ token }) =>
  gettext("{token}, blocked as a key", { token: isolated(token) });
/** The option that keeps the model's own mask. @param {boolean | null} on null: not known yet */
export function ownMask(on) {
  if (on === null) return gettext("model’s own");
  return on ? gettext("model’s own (on)") : gettext("model’s own (off)");
}

/** @param {string[]} masks */
export const masksOn = (masks) => masks.join(" · ") || gettext("none");
/** @param {number} n */
export const paintedCells = (n) => gettext("{n} painted", { n });

/**
 * @param {string} reason a sentence without its full stop
 * @param {boolean} recorded whether the model cannot be run at all
 */
export const noMasks = (reason, recorded) =>
  recorded
    ? gettext("Text, masks and mutes cannot be changed: {reason}.", { reason })
    : gettext(
        "This model only shows its patterns. It supports neither masks nor mutes: {reason}.",
        { reason },
      );
export const CROSS_MASKS = gettext(
  "Cross-attention has no causal mask and no window. They apply to the other sites.",
);
export const SHOWN_NOW = gettext("shown now");
export const NOTHING_TO_PAD = gettext("Nothing to pad: add a second, shorter sentence.");
/** A switch that changes nothing now. @param {string} mask */
export const idle = (mask) => gettext("{mask} (nothing to pad)", { mask });
export const NO_PADDING = gettext("To see padding, add a second sentence of a different length.");
export const RIGHT_PADDING = gettext(
  "Padding on the right comes after every real token. While the causal mask is on, masking it changes nothing for them.",
);

/** @param {string} name */
export const failed = (name) => gettext("{name} (failed)", { name });
/** What the list says of models that this server does not have. */
export const COULD_HAVE = gettext("Not here. In a terminal: headlight get NAME");
/** @param {{name: string, title: string, fetch_mb: number, hub?: string}} model of the hub, whose size nobody has measured */
export const couldHave = ({ name, title, fetch_mb, hub }) =>
  hub
    ? gettext("{name}: {title}, about {fetch_mb} MB", { name, title, fetch_mb })
    : gettext("{name}: {title}, {fetch_mb} MB", { name, title, fetch_mb });
export const QUEUED = gettext("queued: another model is loading first …");
/** @param {number} percent */
export const loading = (percent) => gettext("loading {percent} % …", { percent });
export const REQUESTING = gettext("requesting it …");
export const NOT_LOADED = gettext("not loaded");

/** The size of what the grid shows. @param {{n_layers: number, n_heads: number}} size */
export const gridSize = ({ n_layers, n_heads }) => `${n_layers} × ${n_heads}`;

/**
 * The size of a trained model.
 * @param {{n_layers: number, n_heads: number, parameters: number, context: number | null}} size `context`: trained tokens; null if
 *   unlimited
 */
export function modelSize({ n_layers, n_heads, parameters: n, context }) {
  const parameters = n < 1e5 ? n.toLocaleString("en") : `${fixed(n / 1e6, 1)} M`;
  const heads = gettext("{n_layers} layers × {n_heads} heads", { n_layers, n_heads });
  if (n === 0) return heads; // nobody knows
  return context === null
    ? gettext("{heads}, {parameters} parameters", { heads, parameters })
    : gettext("{heads}, {parameters} parameters, context {context}", {
        heads,
        parameters,
        context,
      });
}

/**
 * The line above the head: what to look at in an example.
 * @param {Pick<Entry, "title" | "layer" | "head" | "look">} entry
 * @param {How} how the page shows it
 */
export function exampleLine({ title, layer, head, look }, how) {
  const name = bold(title);
  if (how === "text")
    return parts("{name} shows in layer {layer} · head {head}.", { name, layer, head });
  return how === "edited"
    ? parts("{name}: as you changed it.", { name })
    : parts("{name}: {look}", { name, look });
}

/**
 * What to do next, after that line, and what happens then; "" if there is nothing.
 * @param {Pick<Entry, "next">} entry
 * @param {How} how
 * @param {boolean} isDone whether the reader has done it: only what happens is left to say
 */
export function exampleNext({ next = "" }, how, isDone) {
  if (how === "text") return "";
  return isDone ? next.replace(/^[^:]*: /u, "") : next;
}
/** After that, where there are keys. @param {string} key */
export const shortcut = (key) => gettext(" Shortcut: {key}.", { key });
/** @param {{n: number, of: number}} example */
export const exampleCount = ({ n, of }) => gettext("{n} of {of}", { n, of });

/** The tooltip of a token of a conversation. @param {{token: string, role: "system" | "user" | "assistant" | "tool"}} one */
export const ofRole = ({ token, role }) =>
  gettext("{token}, message of the {role}", { token, role });

/** Whether special tokens are added, of a model with and without a decoder, and of a recorded run. */
/** @param {string} reason a sentence */
export const notRendered = (reason) => gettext("The sentence stays as it is. {reason}", { reason });
export const HIDE = gettext(
  "Leave special tokens, such as [BOS] or [SEP], out of the picture. The sentence below says how much of a row they get.",
);
export const WORDS = gettext(
  "Rows and columns of patterns are words: the weights of a word's pieces are added up as keys, and averaged as queries.",
);
export const SPECIAL = {
  added: gettext(
    "Whether the model's own special tokens, such as [CLS] or [BOS], are added to the sentence. It was trained with them.",
  ),
  decodes: gettext(
    "Whether the model's own special tokens, such as </s>, are added to the sentence. It was trained with them. The decoder's start token always stays.",
  ),
  recorded: gettext("This is one recorded run, whose tokens cannot change."),
};
