// The checks that every source makes of its inputs before it runs, with their messages (model/sources/inputs.py).

import { checkSurrogates, PAD, token } from "../core/tokenizer.js";
import {
  InputError,
  LimitError,
  nsentence,
  sentence,
  TextError,
  UnavailableError,
} from "../errors.js";

/** @import { Sentence } from "../errors.js" */
/** @import { Cell, Inputs, Kind, Token } from "../types.d.ts" */
/** @import { ModelInfo } from "../../types.d.ts" */

/**
 * Refuse inputs that this model does not take, such as targets for a model without a decoder. Where targets or second segments
 * are taken, there must be one for each text.
 * @param {Inputs} inputs
 * @param {Pick<ModelInfo, "name" | "predicts" | "takes_targets" | "takes_pairs">} info
 * @param {string | null} [settings] the name of the settings that the source takes, if it takes any
 * @throws {InputError}
 */
export function checkUnmixed(inputs, info, settings = null) {
  if (!rowsIn(inputs)) {
    throw new InputError("Expected at least one text; got none.", { field: "texts" });
  }
  if (inputs.generate && info.predicts !== "next") {
    throw new UnavailableError(
      `${info.name} does not predict next tokens, so it cannot continue a text.`,
      { field: "generate" },
    );
  }
  if (inputs.settings && inputs.settings.name !== settings) {
    const { name } = inputs.settings;
    throw new InputError(
      `${info.name} takes no \`${name}\` settings: leave out \`${name}\`, or choose the model ${name}.`,
      { field: name },
    );
  }
  if (inputs.ids && inputs.pairs) {
    throw new InputError("`pairs` go with `texts`, not with `ids`: leave them out.", {
      field: "pairs",
    });
  }
  checkBeside(inputs, "targets", info.takes_targets ? null : `${info.name} has no decoder`);
  checkBeside(inputs, "pairs", info.takes_pairs ? null : `${info.name} takes no second segments`);
}

/** The number of rows, whether texts or ids. @param {Inputs} inputs */
const rowsIn = ({ texts, ids }) => (ids ?? texts).length;

/** @param {Inputs} inputs @param {"targets" | "pairs"} field @param {string | null} reason why it takes none */
function checkBeside(inputs, field, reason) {
  const given = inputs[field];
  if (!given) return;
  if (reason) throw new InputError(`${reason}: leave out \`${field}\`.`, { field });
  const n = rowsIn(inputs);
  if (given.length === n) return;
  throw new InputError(`Expected ${n} ${field}, one for each text; got ${given.length}.`, {
    field,
  });
}

/** Refuse text that no tokenizer can read. @param {string} text @param {string} field @throws {TextError} */
export function checkText(text, field) {
  try {
    checkSurrogates(text);
  } catch (error) {
    if (error instanceof TextError) error.field = field;
    throw error;
  }
}

/**
 * Refuse ids that the vocabulary does not have.
 * @param {readonly number[]} ids
 * @param {number} vocab_size
 * @param {Pick<ModelInfo, "name">} info
 * @param {string} field
 * @throws {InputError}
 */
export function checkIds(ids, vocab_size, info, field) {
  const place = ids.findIndex((id) => id < 0 || id >= vocab_size);
  if (place < 0) return;
  throw new InputError(`${info.name} has token ids 0 to ${vocab_size - 1}; got ${ids[place]}.`, {
    field: `${field}.${place}`,
  });
}

/**
 * Tokens with these ids; each covers its text, as if these had been typed one after another.
 * @param {readonly number[]} ids
 * @param {(id: number) => string} spell
 * @param {ReadonlySet<number>} special
 * @returns {Token[]}
 */
export function spelled(ids, spell, special) {
  let start = 0;
  return ids.map((id) => {
    const text = spell(id);
    const end = start + [...text].length;
    const one = token(id, text, start, end, special.has(id));
    start = end;
    return one;
  });
}

/**
 * Refuse a row without tokens, or one that is too long with `more` tokens appended. The limit is the model's, or `max_tokens` if
 * that is lower.
 * @param {readonly Token[]} row
 * @param {Pick<ModelInfo, "name" | "max_tokens">} info
 * @param {object} place
 * @param {Sentence} place.what "Text 1"
 * @param {string | null} place.field
 * @param {number | null} [place.max_tokens]
 * @param {number} [place.more]
 * @throws {TextError | LimitError}
 */
export function checkLength(row, info, { what, field, max_tokens = null, more = 0 }) {
  if (!row.length) {
    throw new TextError(
      sentence("{text} has no tokens, and {model} adds none of its own. Type something.", {
        text: what,
        model: info.name,
      }),
      {
        code: "no_tokens",
        field,
      },
    );
  }
  const limit = Math.min(max_tokens ?? Infinity, info.max_tokens);
  if (row.length + more <= limit) return;
  const values = { text: what, n: row.length, more, model: info.name, most: limit };
  throw new LimitError(
    more
      ? nsentence(
          "{text} has {n} token, and {more} more are to be generated; {model} takes at most {most}. Shorten it, or trace it in parts.",
          "{text} has {n} tokens, and {more} more are to be generated; {model} takes at most {most}. Shorten it, or trace it in parts.",
          values,
        )
      : nsentence(
          "{text} has {n} token; {model} takes at most {most}. Shorten it, or trace it in parts.",
          "{text} has {n} tokens; {model} takes at most {most}. Shorten it, or trace it in parts.",
          values,
        ),
    { code: "too_many_tokens", field, limit },
  );
}

/**
 * The rows, padded to the length of the longest.
 * @param {Token[][]} rows
 * @param {number} pad_id
 * @param {"left" | "right"} side
 * @param {string} [pad_text]
 * @returns {Token[][]}
 */
export function padded(rows, pad_id, side, pad_text = PAD) {
  const longest = Math.max(...rows.map((row) => row.length));
  return rows.map((row) => {
    const offset = side === "left" ? 0 : row[row.length - 1].end;
    const padding = Array.from({ length: longest - row.length }, () =>
      token(pad_id, pad_text, offset, offset, true, { padding: true }),
    );
    return side === "left" ? [...padding, ...row] : [...row, ...padding];
  });
}

/**
 * Refuse painted cells in sites that the model does not have.
 * @param {Pick<import("../types.d.ts").MaskSettings, "blocked" | "allowed">} settings
 * @param {Pick<ModelInfo, "name" | "sites">} info
 * @throws {InputError}
 */
export function checkCells(settings, info) {
  for (const name of /** @type {const} */ (["blocked", "allowed"])) {
    for (const { layer, kind } of settings[name]) sitesOf(layer, kind, info, `masks.${name}`);
  }
}

/**
 * Which heads are muted: (1, site, head).
 * @param {readonly import("../types.d.ts").MutedHead[]} heads
 * @param {Pick<ModelInfo, "name" | "sites" | "n_heads">} info
 * @returns {import("../types.d.ts").Bits}
 * @throws {InputError} the model has no such head
 */
export function mutedHeads(heads, info) {
  const data = new Uint8Array(info.sites.length * info.n_heads);
  for (const [layer, head, kind] of heads) {
    for (const site of sitesOf(layer, kind, info, "muted")) {
      const { name, n_heads } = info.sites[site];
      if (head < 0 || head >= n_heads) {
        throw new InputError(
          `${name} of ${info.name} has heads 0 to ${n_heads - 1}; got ${head}.`,
          { field: "muted" },
        );
      }
      data[site * info.n_heads + head] = 1;
    }
  }
  return { shape: [1, info.sites.length, info.n_heads], data };
}

/**
 * The indices of the sites that a cell or head refers to; null stands for any.
 * @param {number | null} layer
 * @param {string | null | undefined} kind
 * @param {Pick<ModelInfo, "name" | "sites">} info
 * @param {string} field
 */
function sitesOf(layer, kind, info, field) {
  const places = info.sites.map((_, index) => index);
  const ofKind = places.filter((index) => kind == null || kind === info.sites[index].kind);
  if (!ofKind.length) {
    const kinds = [...new Set(info.sites.map((site) => site.kind))].join(", ");
    throw new InputError(`${info.name} has only ${kinds} sites; got ${kind}.`, { field });
  }
  const found = ofKind.filter((index) => layer === null || layer === info.sites[index].layer);
  if (found.length) return found;
  const last = Math.max(...ofKind.map((index) => info.sites[index].layer));
  throw new InputError(`${info.name} has layers 0 to ${last}; got ${layer}.`, { field });
}
