// The settings of "From scratch" as words: one by one, and as the recipe that they make. Pure.

import FACTS from "../../facts/mechanisms.json" with { type: "json" };
import { commas, gettext, ngettext } from "../../language/gettext.js";
import { BYTES, keptBy } from "./kept.js";
import { changedIn } from "./settings.js";
import { inOrder, rowOf, valueInWords } from "./table.js";

/** @import { Mechanism, Scratch, Settings } from "../../types.d.ts" */

/**
 * The settings that are not the mechanism's own: "multi-head, scale 1, seed 3".
 * @param {Scratch} scratch
 */
export const scratchInWords = (scratch) => commas([scratch.mechanism, changesInWords(scratch)]);

/** The same without the mechanism. @param {Scratch} scratch */
export function changesInWords(scratch) {
  const settings = changedIn(scratch).map((name) => settingInWords(name, scratch[name]));
  const own = scratch.weights === undefined ? [] : [gettext("weights of a file")];
  return commas([...settings, ...own]);
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
      return value === null
        ? gettext("{label} (default)", { label: rowOf(name).label })
        : settingInWords(name, value);
    });
  const weights =
    scratch.weights === undefined ? gettext("drawn weights") : gettext("weights of a file");
  return commas([...settings, ...(scratch.weights === other.weights ? [] : [weights])]);
}

/** The mechanism's own value of a setting. @param {string} id @param {keyof Settings} name @returns {Settings[keyof Settings]} */
function ownOf(id, name) {
  const own = /** @type {any} */ (FACTS.rows.find((row) => row.id === id)?.own);
  return own?.[name] ?? /** @type {any} */ (FACTS.settings[name]).default;
}

/** @param {keyof Settings} name @param {Settings[keyof Settings] | undefined} value */
const settingInWords = (name, value) => `${rowOf(name).label} ${valueInWords(name, value)}`;

/** @param {number} n */
const layers = (n) => ngettext("{n} layer", "{n} layers", n);
/** @param {number} n */
const heads = (n) => ngettext("{n} head", "{n} heads", n);
/** @param {number} n */
const channels = (n) => ngettext("{n} channel", "{n} channels", n);

/** The number of its parameters depends on too many settings. @param {import("../../types.d.ts").Ran} settings */
export const sizeInWords = ({ n_layers, n_heads, d_head }) =>
  gettext("{layers} × {heads} of {channels}", {
    layers: layers(n_layers),
    heads: heads(n_heads),
    channels: channels(d_head),
  });

/** What a token keeps of itself while a text is written, so that the tokens after it can look at it. @param {Pick<import("../../types.d.ts").Ran, "n_layers" | "n_heads" | "d_head" | "n_kv_heads" | "d_latent" | "window" | "kernel" | "selective" | "minus">} settings */
export function keptInWords(settings) {
  const { n_layers, window } = settings;
  const found = keptBy(settings);
  const [all, kept] = [n_layers * found.all, n_layers * found.each];
  if (found.sums !== null && !window) {
    const sums = n_layers * found.sums;
    return gettext(
      "While a text is written, {sums} sums stand in for all keys and values ({bytes} bytes in float16), however long it is; keys and values would take {all} numbers a token.",
      { sums, bytes: BYTES * sums, all },
    );
  }
  const of = gettext(
    "While a text is written, each token keeps {kept} numbers for those after it ({bytes} bytes in float16)",
    { kept, bytes: BYTES * kept },
  );
  const than = kept < all ? gettext(", in place of {all}", { all }) : "";
  return window
    ? gettext("{of}{than}, and only the last {window} tokens are kept.", { of, than, window })
    : `${of}${than}.`;
}

/**
 * The mechanism as a line, from the settings as they ran: "softmax over keys of (q · k / √8) · v → W_O".
 * @param {Omit<Settings, "d_head"> & {d_head: number}} ran `n_kv_heads`: null or a number
 * @param {Pick<Mechanism, "projections" | "cross" | "output">} mechanism
 * @returns {string}
 */
export function recipe(ran, { projections, cross, output }) {
  const [q, k, v] = projections === "none" ? ["x", "x", "x"] : ["q", "k", "v"];
  const latent = ran.d_latent
    ? gettext("; k and v read off {channels}", { channels: channels(ran.d_latent) })
    : "";
  const sink =
    typeof ran.sink === "number" ? gettext(" and a sink of {sink}", { sink: ran.sink }) : "";
  const seen = ran.window ? gettext("; the last {window} tokens", { window: ran.window }) : "";
  const score = scored(ran, q, k);
  const over = ran.softmax_over === "key" ? gettext("keys") : gettext("queries");
  const when = ran.mask_applied === "after" ? gettext(", then the masks") : "";
  const shared = ran.n_kv_heads ?? ran.n_heads;
  const share =
    shared < ran.n_heads ? gettext(" over {shared} heads of keys and values", { shared }) : "";
  const heads =
    ran.n_heads > 1
      ? gettext(", {n_heads} heads of {d_head} channels{share}", {
          n_heads: ran.n_heads,
          d_head: ran.d_head,
          share,
        })
      : "";
  const written = output && output !== "none" ? " → W_O" : "";
  const around = [
    ran.norm !== "none" && gettext("{norm}-norm", { norm: ran.norm }),
    ran.residual && gettext("residual"),
    ran.d_ff > 0 &&
      gettext("feed-forward {d_model} → {d_ff} → {d_model}", {
        d_model: ran.d_model,
        d_ff: ran.d_ff,
      }),
    ran.n_layers > 1 && gettext("{n_layers} layers", { n_layers: ran.n_layers }),
  ].filter(Boolean);
  const from = cross ? gettext("; q of the target, k and v of the text") : "";
  const more = around.length > 0 ? `; ${commas(around)}` : "";
  const weights =
    ran.kernel === "linear"
      ? gettext("φ({q}) · φ({k}) divided by its sum over {over}{sink}, φ(x) = elu(x) + 1,", {
          q,
          k,
          over,
          sink,
        })
      : ran.kernel === "product"
        ? scaled(ran, q, k)
        : gettext("softmax over {over} of {score}{sink}", { over, score, sink });
  const fades = ran.selective
    ? gettext(", fading as the tokens between decide,")
    : ran.kernel === "product" && ran.positions === "alibi"
      ? gettext(", fading with the distance,")
      : "";
  const gate = ran.gate ? gettext(", times the gate") : "";
  const less =
    typeof ran.minus !== "number"
      ? ""
      : gettext(", less {minus} times that of the pair’s second head,", { minus: ran.minus });
  return `${weights}${fades}${when}${less} · ${v}${gate}${written}${heads}${latent}${seen}${from}${more}`;
}

/** @param {Pick<Settings, "scale" | "d_model" | "positions"> & {d_head: number}} ran @param {string} q @param {string} k */
function scored({ positions, ...ran }, q, k) {
  const product = scaled(ran, q, k);
  return positions === "alibi" ? gettext("({product} − slope · distance)", { product }) : product;
}

/** @param {Pick<Settings, "scale" | "d_model"> & {d_head: number}} ran @param {string} q @param {string} k */
function scaled({ scale, d_model, d_head }, q, k) {
  if (scale === "1/sqrt(d_head)") return `(${q} · ${k} / √${d_head})`;
  if (scale === "1/sqrt(d_model)") return `(${q} · ${k} / √${d_model})`;
  if (scale === 0) return gettext("zeros");
  return scale === 1 ? `(${q} · ${k})` : `(${q} · ${k} × ${scale})`;
}
