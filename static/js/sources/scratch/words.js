// The settings of "From scratch" as words: one by one, and as the recipe that they make. Pure.

import FACTS from "../../facts/mechanisms.json" with { type: "json" };
import { BYTES, keptBy } from "./kept.js";
import { changedIn } from "./settings.js";
import { inOrder, rowOf, valueInWords } from "./table.js";

/** @import { Mechanism, Scratch, Settings } from "../../types.d.ts" */

/**
 * The settings that are not the mechanism's own: "multi-head, scale 1, seed 3".
 * @param {Scratch} scratch
 */
export const scratchInWords = (scratch) =>
  [scratch.mechanism, changesInWords(scratch)].filter(Boolean).join(", ");

/** The same without the mechanism. @param {Scratch} scratch */
export function changesInWords(scratch) {
  const settings = changedIn(scratch).map((name) => settingInWords(name, scratch[name]));
  const own = scratch.weights === undefined ? [] : ["weights of a file"];
  return [...settings, ...own].join(", ");
}

/**
 * Of two that are compared: the mechanism where it differs, else only the settings that do.
 * @param {Scratch} scratch
 * @param {Scratch} other
 */
export function differenceInWords(scratch, other) {
  if (scratch.mechanism !== other.mechanism) return scratchInWords(scratch);
  const names = inOrder([...changedIn(scratch), ...changedIn(other)]);
  const settings = names
    .filter((name) => scratch[name] !== other[name])
    .map((name) => {
      const value = scratch[name] ?? ownOf(scratch.mechanism, name);
      return value === null ? `${rowOf(name).label} (default)` : settingInWords(name, value);
    });
  const weights = scratch.weights === undefined ? "drawn weights" : "weights of a file";
  return [...settings, ...(scratch.weights === other.weights ? [] : [weights])].join(", ");
}

/** The mechanism's own value of a setting. @param {string} id @param {keyof Settings} name @returns {Settings[keyof Settings]} */
function ownOf(id, name) {
  const own = /** @type {any} */ (FACTS.rows.find((row) => row.id === id)?.own);
  return own?.[name] ?? /** @type {any} */ (FACTS.settings[name]).default;
}

/** @param {keyof Settings} name @param {Settings[keyof Settings] | undefined} value */
const settingInWords = (name, value) => `${rowOf(name).label} ${valueInWords(name, value)}`;

/** @param {number} n */
const layers = (n) => (n === 1 ? "1 layer" : `${n} layers`);
/** @param {number} n */
const heads = (n) => (n === 1 ? "1 head" : `${n} heads`);
/** @param {number} n */
const channels = (n) => (n === 1 ? "1 channel" : `${n} channels`);

/** The number of its parameters depends on too many settings. @param {import("../../types.d.ts").Ran} settings */
export const sizeInWords = ({ n_layers, n_heads, d_head }) =>
  `${layers(n_layers)} × ${heads(n_heads)} of ${channels(d_head)}`;

/** What a token keeps of itself while a text is written, so that the tokens after it can look at it. @param {Pick<import("../../types.d.ts").Ran, "n_layers" | "n_heads" | "d_head" | "n_kv_heads" | "d_latent" | "window" | "kernel" | "selective" | "minus">} settings */
export function keptInWords(settings) {
  const { n_layers, window } = settings;
  const found = keptBy(settings);
  const [all, kept] = [n_layers * found.all, n_layers * found.each];
  if (found.sums !== null && !window) {
    const sums = n_layers * found.sums;
    return `While a text is written, ${sums} sums stand in for all keys and values (${BYTES * sums} bytes in float16), however long it is; keys and values would take ${all} numbers a token.`;
  }
  const of = `While a text is written, each token keeps ${kept} numbers for those after it (${BYTES * kept} bytes in float16)`;
  const than = kept < all ? `, in place of ${all}` : "";
  return window ? `${of}${than}, and only the last ${window} tokens are kept.` : `${of}${than}.`;
}

/**
 * The mechanism as a line, from the settings as they ran: "softmax over keys of (q · k / √8) · v → W_O".
 * @param {Omit<Settings, "d_head"> & {d_head: number}} ran `n_kv_heads`: null or a number
 * @param {Pick<Mechanism, "projections" | "cross" | "output">} mechanism
 * @returns {string}
 */
export function recipe(ran, { projections, cross, output }) {
  const [q, k, v] = projections === "none" ? ["x", "x", "x"] : ["q", "k", "v"];
  const latent = ran.d_latent ? `; k and v read off ${channels(ran.d_latent)}` : "";
  const sink = typeof ran.sink === "number" ? ` and a sink of ${ran.sink}` : "";
  const seen = ran.window ? `; the last ${ran.window} tokens` : "";
  const score = scored(ran, q, k);
  const over = ran.softmax_over === "key" ? "keys" : "queries";
  const when = ran.mask_applied === "after" ? ", then the masks" : "";
  const shared = ran.n_kv_heads ?? ran.n_heads;
  const share = shared < ran.n_heads ? ` over ${shared} of keys and values` : "";
  const heads = ran.n_heads > 1 ? `, ${ran.n_heads} heads of ${ran.d_head} channels${share}` : "";
  const written = output && output !== "none" ? " → W_O" : "";
  const around = [
    ran.norm !== "none" && `${ran.norm}-norm`,
    ran.residual && "residual",
    ran.d_ff > 0 && `feed-forward ${ran.d_model} → ${ran.d_ff} → ${ran.d_model}`,
    ran.n_layers > 1 && `${ran.n_layers} layers`,
  ].filter(Boolean);
  const from = cross ? "; q of the target, k and v of the text" : "";
  const more = around.length > 0 ? `; ${around.join(", ")}` : "";
  const weights =
    ran.kernel === "linear"
      ? `φ(${q}) · φ(${k}) divided by its sum over ${over}${sink}, φ(x) = elu(x) + 1,`
      : ran.kernel === "product"
        ? scaled(ran, q, k)
        : `softmax over ${over} of ${score}${sink}`;
  const fades = ran.selective
    ? ", fading as the tokens between decide,"
    : ran.kernel === "product" && ran.positions === "alibi"
      ? ", fading with the distance,"
      : "";
  const gate = ran.gate ? ", times the gate" : "";
  const less =
    typeof ran.minus !== "number"
      ? ""
      : `, less ${ran.minus} times that of the pair’s second head,`;
  return `${weights}${fades}${when}${less} · ${v}${gate}${written}${heads}${latent}${seen}${from}${more}`;
}

/** @param {Pick<Settings, "scale" | "d_model" | "positions"> & {d_head: number}} ran @param {string} q @param {string} k */
function scored({ positions, ...ran }, q, k) {
  const product = scaled(ran, q, k);
  return positions === "alibi" ? `(${product} − slope · distance)` : product;
}

/** @param {Pick<Settings, "scale" | "d_model"> & {d_head: number}} ran @param {string} q @param {string} k */
function scaled({ scale, d_model, d_head }, q, k) {
  if (scale === "1/sqrt(d_head)") return `(${q} · ${k} / √${d_head})`;
  if (scale === "1/sqrt(d_model)") return `(${q} · ${k} / √${d_model})`;
  if (scale === 0) return "zeros";
  return scale === 1 ? `(${q} · ${k})` : `(${q} · ${k} × ${scale})`;
}
