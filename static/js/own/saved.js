// This project's own saved file, an answer of POST /api/trace as JSON or safetensors, as a recording.

import { maskSettings } from "../engine/masks/rules.js";
import { FileError } from "../files/errors.js";
import { NAMES } from "./build.js";
import { checkFinite } from "./checks.js";
import { readJson } from "./formats/json.js";

/** @import { Site, Tensor, Token, TraceJson } from "../types.d.ts" */
/** @import { Recording } from "../engine/sources/recorded.js" */
/** @import { Contents } from "./formats/contents.js" */

const NEEDED = ["q", "k", "v", "bias", "gate", "pattern", "blocked_by"];
const ADVICE =
  "Ask the API for whole heads: select {“tensors”: [“q”, “k”, “v”, “blocked_by”], “resolution”: null, “rows”: null}.";

/** The JSON part of an answer; null: the file is none. @param {Contents} contents @returns {TraceJson | null} */
export function savedTrace({ facts }) {
  const trace = facts.trace ?? facts;
  return Array.isArray(trace?.sites) && Array.isArray(trace.tokens) ? trace : null;
}

/**
 * @param {string} name of the model that it becomes
 * @param {Contents} contents
 * @param {TraceJson} trace
 * @returns {{recording: Recording, remarks: string[]}}
 * @throws {FileError} if it holds only parts of what a picture needs
 */
export function buildSaved(name, contents, trace) {
  /** @type {string[]} */
  const remarks = [];
  const { model, tokens, target_tokens = null } = trace;
  checkTokens([tokens, ...(target_tokens ? [target_tokens] : [])]);
  /** @type {Map<string, Tensor>} */
  const tensors = new Map();
  /** @type {Site[]} */
  const sites = [];
  for (const site of trace.sites) {
    const found = tensorsOf(site, contents, trace);
    if (!found) continue;
    const layer = sites.filter(({ kind }) => kind === site.kind).length;
    const heads = site.heads.map((_, index) => index);
    const isMoved = layer !== site.layer || site.heads.some((head, index) => head !== index);
    if (isMoved && remarks.length < 5) {
      remarks.push(
        `Layer ${site.layer}, ${headsIn(site.heads)} of the file: shown as layer ${layer}, ${headsIn(heads)}.`,
      );
    }
    const muted = site.muted.map((head) => site.heads.indexOf(head)).filter((head) => head >= 0);
    const named = NAMES[site.kind]?.(layer);
    if (!named) throw new FileError(`The file has a site of the unknown kind “${site.kind}”.`);
    sites.push({ ...site, name: named, layer, heads, muted });
    for (const [part, tensor] of Object.entries(found)) tensors.set(`${named}.${part}`, tensor);
  }
  if (sites.length === 0)
    throw new FileError(`This saved file has neither patterns nor q, k and v. ${ADVICE}`);
  const spelled = textsOf(tokens);
  return {
    recording: {
      trace: { ...trace, model: name, target_tokens, sites },
      tensors,
      inputs: {
        texts: spelled.texts,
        pairs: spelled.pairs,
        targets: target_tokens ? textsOf(target_tokens).texts : [],
        special_tokens: true,
        masks: maskSettings(),
        muted: [],
      },
      info: { description: `From a saved file of the model ${model}.` },
    },
    remarks,
  };
}

/** @param {number[]} heads */
const headsIn = (heads) =>
  heads.length === 1 ? `head ${heads[0]}` : `heads ${heads[0]} to ${heads[heads.length - 1]}`;

/** @param {Token[][][]} axes */
function checkTokens(axes) {
  for (const rows of axes) {
    const isRight = rows.every(
      (row) =>
        Array.isArray(row) &&
        row.length === rows[0].length &&
        row.every((token) => typeof token?.text === "string" && Number.isInteger(token.start)),
    );
    if (!isRight || rows.length === 0 || rows[0].length === 0)
      throw new FileError(
        "The tokens of this saved file are damaged: expected a list of tokens for each text, all equally long.",
      );
  }
}

/**
 * What a recording of the site needs; null: the file has none of it.
 * @param {Site & {tensors?: Record<string, any> | null}} site
 * @param {Contents} contents
 * @param {TraceJson} trace
 * @returns {Record<string, Tensor> | null}
 */
function tensorsOf(site, { arrays }, trace) {
  const lists = readJson(JSON.stringify(site.tensors ?? {}), () => {}).arrays;
  /** @type {Record<string, Tensor>} */
  const found = {};
  for (const part of NEEDED) {
    const array = lists.get(part) ?? arrays.get(`${site.name}.${part}`);
    if (!array) continue;
    const label = `${site.name}.${part}`;
    checkFinite(label, array, ["text", "head", "row", "column"].slice(0, array.shape.length));
    const tensor = { shape: array.shape, data: array.data.slice() }; // the file may be read again
    if (part === "blocked_by") tensor.data = Uint8Array.from(array.data);
    if (part === "pattern" && array.dtype === "U8")
      tensor.data = Float32Array.from(array.data, (byte) => byte / 255);
    checkShape(label, part, tensor.shape, site, trace);
    found[part] = tensor;
  }
  const { q, k, v, bias, gate, blocked_by, pattern } = found;
  const isWhole = q && k && v && (bias || !site.has_bias) && (gate || !site.has_gate);
  if (!isWhole && !pattern) return null;
  const kept = isWhole ? { q, k, v, bias, gate } : { pattern };
  return /** @type {Record<string, Tensor>} */ (
    Object.fromEntries(Object.entries({ ...kept, blocked_by }).filter(([, tensor]) => tensor))
  );
}

/** @param {string} label @param {string} part @param {number[]} shape @param {Site} site @param {TraceJson} trace */
function checkShape(label, part, shape, { heads, query_tokens, key_tokens }, trace) {
  const [queries, keys] = [trace[query_tokens]?.[0]?.length, trace[key_tokens]?.[0]?.length];
  const expected = {
    q: [queries],
    k: [keys],
    v: [keys],
    pattern: [queries, keys],
    bias: [queries, keys],
    gate: [queries],
    blocked_by: [queries, keys],
  }[part];
  const sizes = expected ?? [];
  const isRight =
    shape.length === (part === "gate" ? 3 : 4) &&
    sizes.every((size, index) => shape[2 + index] === size);
  const isAll = [heads.length, ...(part === "q" || part === "pattern" ? [] : [1])].includes(
    shape[1],
  );
  if (!isRight || !(isAll || part === "k" || part === "v")) {
    throw new FileError(
      `${label} has the shape [${shape.join(", ")}], but the file has ${heads.length} heads and ${sizes.join(" × ")} tokens: it holds only a part, or thumbnails. ${ADVICE}`,
    );
  }
}

/** The texts that tokens come from, with spaces where no token is. @param {Token[][]} rows */
function textsOf(rows) {
  const hasPairs = rows.flat().some(({ segment }) => segment === 1);
  /** @param {number} segment */
  const texts = (segment) =>
    rows.map((row) => {
      /** @type {string[]} */
      const points = [];
      for (const token of row) {
        if (token.special || token.padding || (token.segment ?? 0) !== segment) continue;
        [...token.text].forEach((point, at) => {
          if (token.start + at < Math.max(token.end, token.start + 1))
            points[token.start + at] = point;
        });
      }
      return Array.from(points, (point) => point ?? " ").join("");
    });
  return { texts: texts(0), pairs: hasPairs ? texts(1) : null };
}
