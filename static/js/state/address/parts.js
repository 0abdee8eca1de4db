// Parts of queries and keys that are switched off, as codes of the address: "q_head_0_layers.0_2" is what head 2 of layer 0 wrote, in
// what queries are made of. Pure.

/** @import { Part } from "../../types.d.ts" */
/** @typedef {"query" | "key"} PartSide */
/** @typedef {{side: PartSide, part: Part}} OffPart */

/** As in the API. */
const KINDS = /** @type {const} */ ([
  "embedding",
  "position",
  "segment",
  "head",
  "bias",
  "mlp",
  "mixer",
  "norm",
  "intervention",
]);
const SIDES = /** @type {const} */ ({ q: "query", k: "key" });
const CODE =
  /^([qk])_([a-z]+)(?:_(\d{0,7}))?(?:_([a-z]{1,30}(?:\.[a-z0-9]{1,30}){1,4})?)?(?:_(\d{1,7}))?$/;

/** @param {PartSide} side @param {Part} part */
export const codeOf = (side, { kind, layer, site, head }) =>
  [side[0], kind, layer ?? "", site ?? "", head ?? ""].join("_").replace(/_+$/, "");

/** @param {string} code @returns {OffPart | null} null if it names no part */
export function partOf(code) {
  const [, letter, named, layer = "", site = "", head = ""] = CODE.exec(code) ?? [];
  const kind = KINDS.find((one) => one === named);
  if (!kind) return null;
  const number = (/** @type {string} */ text) => (text === "" ? null : Number(text));
  const part = { kind, layer: number(layer), site: site || null, head: number(head) };
  return { side: SIDES[/** @type {keyof typeof SIDES} */ (letter)], part };
}

/** The valid codes of an address, each once, as `codeOf` writes them. @param {string[]} texts */
export const codesIn = (texts) => [
  ...new Set(
    texts.flatMap((text) => {
      const found = partOf(text);
      return found ? codeOf(found.side, found.part) : [];
    }),
  ),
];
