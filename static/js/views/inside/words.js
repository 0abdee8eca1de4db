// Inside: everything that people read in this view. Pure.

import { commas, gettext, ngettext } from "../../language/gettext.js";
import { fixed } from "../../language/language.js";
import { norm } from "../../numbers/matrix.js";
import {
  decimal,
  exactly,
  minus,
  percent,
  plainly,
  quote,
  shorten,
  weight,
} from "../../words/format.js";
import { explain } from "../../words/hatch.js";
import { headName } from "../../words/heads.js";
import { bold, listed, parts } from "../../words/parts.js";

/** @import { Line, Parts } from "./row.js" */
/** @import { Name } from "./steps.js" */
/** @import { Part } from "../../words/parts.js" */
/** @typedef {"k" | "product" | "moved"} KeyVector */
/** @typedef {"dot" | "scaled" | "capped" | "score" | "share" | "weight"} NumberName */

/** The names of the steps; "kept" is the last one where masks come after the softmax. */
export const STEP_LABELS = {
  q: "q",
  k: "k",
  product: "q∘k",
  dot: "q·k",
  scaled: gettext("× scale"),
  log: "ln",
  capped: gettext("soft cap"),
  score: gettext("+ bias"),
  fade: gettext("× e^bias"),
  mask: gettext("mask"),
  share: gettext("softmax"),
  weight: gettext("softmax"),
  kept: gettext("weight"),
  moved: "× v",
  gate: gettext("× gate"),
  z: "z",
  result: "z · W_O",
};

export const PANEL = {
  heatmap: gettext("Look at its heatmap"),
  map: gettext("Where does z · W_O go? See the map"),
  /** @template T @param {T} menu @returns {(string | T)[]} */
  query: (menu) => [gettext("Query "), menu],
  keys: gettext("Keys"),
  orders: /** @type {const} */ ({
    place: gettext("as in the text"),
    weight: gettext("strongest first"),
  }),
  /** @param {number} n */
  before: (n) => gettext("The previous {n} keys", { n }),
  /** @param {number} n */
  next: (n) => gettext("The next {n} keys", { n }),
};

/** Which keys the table shows. @param {number} first from 1 @param {number} last @param {number} n of all keys */
export const shownInWords = (first, last, n) =>
  last - first + 1 === n
    ? gettext("all {n} keys", { n })
    : gettext("showing {shown} of {n} keys: {first} to {last}", {
        shown: last - first + 1,
        n,
        first,
        last: last,
      });

export const STEPPER = {
  label: gettext("Steps of the computation"),
  first: gettext("To the first step"),
  back: gettext("One step back"),
  play: { text: gettext("Play"), name: gettext("Play the steps") },
  pause: { text: gettext("Pause"), name: gettext("Pause") },
  on: gettext("One step on"),
  last: gettext("To the last step"),
  still: gettext("Motion is reduced: go step by step."),
};

/** How far the computation is shown. @param {number} shown @param {{label: string}[]} steps */
export const progressInWords = (shown, steps) =>
  shown < steps.length
    ? gettext("{shown} of {steps}: {label}", {
        shown,
        steps: steps.length,
        label: steps[shown - 1].label,
      })
    : gettext("all {steps} steps", { steps: steps.length });

/** Why there is nothing to see. */
/** @param {import("../../types.d.ts").Site} site @param {number} head @param {number} row @param {string} query */
export const titleOf = (site, head, row, query) =>
  gettext("{site} · query {row} {query}", {
    site: headName(site, head),
    row,
    query: quote(shorten(query, 24)),
  });

export const VECTORS = {
  /** @param {string} query */
  q: (query) => gettext("q of {query}", { query: quote(shorten(query, 16)) }),
  /** @param {Pick<Parts, "muted" | "gate">} parts */
  z: ({ muted, gate }) =>
    muted ? gettext("z, muted") : gate === null ? gettext("z = Σ weight · v") : gettext("z, gated"),
  result: "z · W_O",
};

/** The ends of a scale. @param {number} reach */
export const reachInWords = (reach) => `± ${fixed(reach, 2)}`;

/** @param {ArrayLike<number>} vector */
export const lengthInWords = (vector) => gettext("length {norm}", { norm: decimal(norm(vector)) });

/** A vector for screen readers. @param {string} name @param {ArrayLike<number>} vector */
export function vectorInWords(name, vector) {
  const numbers = Array.from(vector);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)].map((n) => minus(fixed(n, 2)));
  return gettext("{name}: {numbers} channels from {low} to {high}", {
    name,
    numbers: numbers.length,
    low,
    high,
  });
}

/** The numbers of a key, in tooltips. @type {Record<NumberName, string>} */
const NUMBERS = {
  dot: "q·k",
  scaled: gettext("scaled"),
  capped: gettext("capped"),
  score: gettext("score"),
  share: gettext("share"),
  weight: gettext("weight"),
};

export const TABLE = {
  key: gettext("key"),
  /** @param {number} key */
  read: (key) => gettext("Read the arithmetic of key {key}", { key }),
  sink: gettext("sink"),
  aboutSink: gettext("a learned logit that attends to nothing"),
  /** @type {Record<KeyVector, (key: string) => string>} */
  vectors: {
    k: (key) => gettext("k of {key}", { key }),
    product: (key) => gettext("q∘k of {key}", { key }),
    moved: (key) => gettext("weight · v of {key}", { key }),
  },
  /** @param {NumberName} name @param {number} value */
  number: (name, value) => `${NUMBERS[name]}: ${exactly(value)}`,
  /** @param {number} bias @param {number} score */
  biased: (bias, score) =>
    gettext("bias: {bias}, score: {score}", { bias: exactly(bias), score: exactly(score) }),
};

/** What a column of the table is. @param {Name} name @param {Parts["site"]} site @param {Record<KeyVector, number>} reaches */
export function columnInWords(name, site, reaches) {
  if (name === "scaled" && site.kernel === "linear") return gettext("of q·k");
  if (name === "scaled") return `× ${plainly(Number(site.scale.toPrecision(4)))}`;
  if (name === "capped") return `± ${plainly(site.soft_cap ?? 0)}`;
  if (name === "score") return site.has_bias ? gettext("= score") : gettext("no bias: score");
  if (name === "weight" && site.kernel === "product") return gettext("no softmax");
  if (name === "weight" && site.mask_applied === "after") return gettext("0 where blocked");
  if (name === "weight" || name === "share")
    return site.softmax_over === "query" ? gettext("over queries") : gettext("over keys");
  if (name === "k" || name === "product" || name === "moved") return reachInWords(reaches[name]);
  return "";
}

/** The bias before the score that it makes. @param {Parts["site"]} site @param {number} bias */
export function biasInWords({ kernel }, bias) {
  const size = weight(Math.abs(bias));
  if (kernel === "product") return `× e^${bias < 0 ? `−${size}` : size} = `;
  return `${bias < 0 ? "−" : "+"} ${size} = `;
}

/** A column in a saved picture. @param {string} label @param {number} reach */
export const scaledColumn = (label, reach) => `${label} (${reachInWords(reach)})`;

/** @param {number} shown @param {number} n */
export const keysInWords = (shown, n) => gettext("{shown} of {n} keys", { shown, n });

/** Why a key is blocked, or that it is not. @param {Pick<Line, "bits">} line */
export const allowance = ({ bits }) => explain(bits) || gettext("allowed");

/**
 * One sentence about a step.
 * @param {Name} name
 * @param {Parts} parts
 * @param {string} query
 */
export function stepInWords(name, { site, q, lines, z, gate, result, muted, sink, left }, query) {
  switch (name) {
    case "q":
      return gettext("q: what {query} looks for, as {q} channels.", {
        query: quote(query),
        q: q.length,
      });
    case "k":
      return gettext("k: what each token offers to be found by.");
    case "product":
      return gettext("q∘k: channel by channel, q times k.");
    case "dot":
      return gettext("q·k: the products of each key, added up to one number.");
    case "scaled":
      if (site.kernel === "linear")
        return gettext(
          "ln: in linear attention the weights are in proportion to q·k itself. Softmax takes e to the power of a score, so ln(q·k) is the score.",
        );
      return Math.abs(site.scale * Math.sqrt(q.length) - 1) < 1e-6
        ? gettext("× {scale}, which is 1/√{q}: the scale of this site.", {
            scale: plainly(site.scale),
            q: q.length,
          })
        : gettext("× {scale}: the scale of this site.", { scale: plainly(site.scale) });
    case "capped":
      return gettext(
        "Soft cap: {soft_cap} · tanh(x / {soft_cap}) keeps every score within ±{soft_cap}.",
        { soft_cap: site.soft_cap ?? 0 },
      );
    case "score":
      if (site.kernel === "product" && site.has_bias)
        return gettext(
          "× e^bias: what is left of this key when it comes to the query. The product is the score.",
        );
      return site.has_bias
        ? gettext("+ bias: what this site adds for this pair of positions. The sum is the score.")
        : gettext("+ bias: this site has none, so this number is the score.");
    case "mask":
      return maskInWords(lines.filter(({ bits }) => bits).length, lines.length);
    case "weight":
      if (site.kernel === "product")
        return gettext(
          "Weight: there is no softmax. Each score is itself what v is multiplied by, with its sign, and they need not sum to 1.",
        );
      return site.mask_applied === "after"
        ? gettext("What is left: {kept} stays and {lost} is lost.", {
            kept: weight(left.kept),
            lost: weight(left.lost),
          })
        : softmaxInWords(site, sink !== null);
    case "share":
      return softmaxInWords(site, sink !== null);
    case "moved":
      return gettext("× v: the value vector of each key, times its weight.");
    case "gate":
      return gettext("× gate: {gate}", { gate: gateInWords(gate ?? 1, query) });
    case "z":
      return muted
        ? gettext("z: the head is muted, so its z is set to 0, whatever the weights say.")
        : gate === null
          ? gettext("z: the sum of these over all keys, {z} channels.", { z: z.length })
          : gettext("z: the sum of these over all keys, times the gate: {z} channels.", {
              z: z.length,
            });
    default:
      return gettext(
        "z · W_O: what the head adds to the residual stream: a vector of {result} channels and length {norm}.",
        { result: result?.length ?? 0, norm: weight(norm(result ?? [])) },
      );
  }
}

/** @param {number} gate @param {string} query */
const gateInWords = (gate, query) =>
  gettext("for {query} this head passes on {gate} of what it gathers, whatever its weights are.", {
    query: quote(shorten(query, 24)),
    gate: percent(gate),
  });

/** @param {number} head @param {number} minus */
const pairInWords = (head, minus) =>
  head % 2
    ? gettext(
        "This is the second head of a pair: its values are −{minus} times those of head {head}, so what it gathers is taken away.",
        { minus: plainly(minus), head: head - 1 },
      )
    : gettext(
        "This is the first head of a pair: {minus} times what head {head} gathers is taken away from it.",
        { minus: plainly(minus), head: head + 1 },
      );

/** @param {number} blocked @param {number} n */
function maskInWords(blocked, n) {
  if (blocked === 0) return gettext("Mask: none of the {n} keys are struck out.", { n });
  return ngettext(
    "Mask: {n} of the {keys} keys is struck out.",
    "Mask: {n} of the {keys} keys are struck out.",
    blocked,
    { keys: n },
  );
}

/** @param {Parts["site"]} site @param {boolean} hasSink */
function softmaxInWords(site, hasSink) {
  if (site.softmax_over === "query")
    return gettext(
      "Softmax over queries: e^score, divided by the sum down the key’s column. Columns sum to 1, rows need not.",
    );
  return hasSink
    ? gettext(
        "Softmax: e^score, divided by the sum over the keys that are left and the sink. The shares sum to 1.",
      )
    : gettext(
        "Softmax: e^score, divided by the sum over the keys that are left. The shares sum to 1.",
      );
}

/**
 * What is special about the row.
 * @param {Parts} parts
 * @param {number} nHeads of the site
 * @returns {string[]}
 */
export function remarks({ site, lines, muted, sink, gate, left }, nHeads) {
  const perGroup = nHeads / site.n_kv_heads;
  const first = Math.floor(site.heads[0] / perGroup) * perGroup;
  return [
    muted && gettext("This head is muted: its z is set to 0 before W_O."),
    site.mask_applied === "after" &&
      gettext(
        "Here the masks come after the softmax: of what it shared out, {kept} stays and {lost} is lost.",
        { kept: weight(left.kept), lost: weight(left.lost) },
      ),
    lines.every(({ bits }) => bits) &&
      gettext("Every key is blocked: there is no distribution, and z = 0."),
    site.softmax_over === "query" &&
      gettext("Here the softmax runs over queries: columns sum to 1, rows need not."),
    sink &&
      gettext("A learned sink takes {share} of the attention.", { share: weight(sink.share) }),
    site.minus !== null && pairInWords(site.heads[0], site.minus),
    gate !== null &&
      gettext("The gate of this query passes on {gate} of what the head gathers.", {
        gate: percent(gate),
      }),
    perGroup > 1 &&
      gettext("k and v are shared by heads {first} to {first2} (grouped queries).", {
        first,
        first2: first + perGroup - 1,
      }),
  ].filter((remark) => typeof remark === "string");
}

/** How far the page's sums are from the model's numbers. @param {{score: number, weight: number, z: number}} drift */
export function agreementInWords(drift) {
  const [score, share, z] = [drift.score, drift.weight, drift.z].map((off) =>
    off === 0 ? "0" : off.toExponential(0),
  );
  return gettext(
    "The sums of this page and the model’s own float32 numbers differ by at most {score} in a score, {share} in a weight and {z} in z.",
    { score, share, z },
  );
}

/** The readout of a strip, a cell or a row. */
export const READOUT = {
  rest: gettext(
    "Point at a coloured strip to read a channel, or at a row to read its sums. The arrow keys work in the table, too.",
  ),
  /** @param {string} vector @param {number} channel @param {string} value */
  vector: (vector, channel, value) =>
    parts("{vector}, channel {channel}: {value}", {
      vector,
      channel: String(channel),
      value: bold(value),
    }),
  /** @param {number} key @param {string} token @param {number} channel @param {Part[][]} facts */
  key: (key, token, channel, facts) =>
    facts.length > 0
      ? parts("key {key} {token}, channel {channel}: {facts}", {
          key: String(key),
          token: nameOf(token),
          channel: String(channel),
          facts: listed(facts),
        })
      : parts("key {key} {token}, channel {channel}", {
          key: String(key),
          token: nameOf(token),
          channel: String(channel),
        }),
  /** @param {string} k */
  k: (k) => parts("k {k}", { k: bold(k) }),
  /** @param {string} q @param {string} k @param {string} product */
  product: (q, k, product) =>
    parts("q {q} × k {k} = {product}", { q, k: bold(k), product: bold(product) }),
  /** @param {string} weight @param {string} v @param {string} moved */
  moved: (weight, v, moved) =>
    parts("weight {weight} × v {v} = {moved}", { weight, v, moved: bold(moved) }),
  /** @param {number} key @param {string} token @param {string[]} facts */
  row: (key, token, facts) =>
    parts("key {key} {token}: {facts}", {
      key: String(key),
      token: nameOf(token),
      facts: commas(facts),
    }),
  /** @param {string} label @param {string} value */
  fact: (label, value) => `${label} ${value}`,
  score: gettext("score"),
  weight: gettext("weight"),
};

/** @param {string} token */
const nameOf = (token) => bold(shorten(token, 16));
