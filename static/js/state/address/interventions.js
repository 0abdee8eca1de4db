// Interventions: changes of what parts of the model give during a run. One row for each kind, and one for each place where it can
// act; mirrors model/interventions.py. In the address each is a text such as `patch~resid_pre.2~positions=3~source=Another text.`
// (headlight/request/interventions.py writes the same). Pure.

import SITE_KINDS from "../../facts/kinds.json" with { type: "json" };
import { gettext } from "../../language/gettext.js";
import { integer } from "./readings.js";

/** @import { Intervention, Model } from "../../types.d.ts" */
/** @typedef {"factor" | "texts" | "source" | "direction"} Given what a reader types for a kind */

/**
 * `label` in a list; `about`: what it does, as a sentence; `given`: what must be typed for it; `heads`: it acts on heads alone;
 * `everywhere`: it acts at all positions alone; `sign` in a chip, which may be followed by what was typed
 */
export const KINDS = /** @type {const} */ ([
  { name: "zero", label: gettext("set to zero"), sign: "= 0" },
  { name: "scale", label: gettext("multiply by …"), sign: "×", given: "factor" },
  {
    name: "mean",
    label: gettext("mean over sentences …"),
    sign: gettext("= mean of"),
    given: "texts",
  },
  {
    name: "resample",
    label: gettext("resample from a sentence …"),
    sign: gettext("= that of"),
    given: "source",
  },
  {
    name: "patch",
    label: gettext("patch from a sentence …"),
    sign: gettext("← patch from"),
    given: "source",
  },
  { name: "add", label: gettext("add a direction …"), sign: "+", given: "direction" },
  {
    name: "freeze_pattern",
    label: gettext("freeze the pattern"),
    sign: gettext("pattern frozen"),
    heads: true,
    everywhere: true,
  },
  {
    name: "freeze_values",
    label: gettext("freeze the values"),
    sign: gettext("values frozen"),
    heads: true,
  },
]);

export const PLACES = /** @type {const} */ ([
  "head",
  "mlp",
  "resid_pre",
  "resid_mid",
  "resid_post",
]);

/** @param {string} name */
export const kindOf = (name) => KINDS.find((kind) => kind.name === name);

/** What a kind needs to be typed; null: nothing. @param {Intervention["kind"]} name @returns {Given | null} */
export function givenOf(name) {
  const kind = kindOf(name);
  return kind && "given" in kind ? kind.given : null;
}

/** @param {Intervention} one */
export function textOf(one) {
  const place = [one.at, one.layer, ...(one.head === undefined ? [] : [one.head])].join(".");
  const settings = [
    ["site", one.site],
    ["text", one.text],
    ["positions", one.positions?.join(".")],
    ["pairs", one.pairs?.map((pair) => pair.join("-")).join(".")],
    ["factor", one.factor],
    ...(one.texts ?? []).map((text) => ["texts", text]),
    ["source", one.source],
    ["minus", one.minus],
    [typeof one.token === "number" ? "id" : "token", one.token],
    ["vector", one.vector?.join(",")],
  ];
  const given = settings.filter(([, value]) => value !== undefined);
  const written = given.map(([name, value]) => `${name}=${escaped(String(value))}`);
  return [one.kind, place, ...written].join("~");
}

/** @param {string} text */
export const escaped = (text) => text.replace(/[\\~]/g, "\\$&");

/**
 * @param {string} text
 * @returns {Intervention[]} empty if the text is not an intervention
 */
export function interventionOf(text) {
  const [name, place = "", ...settings] = pieces(text);
  const kind = kindOf(name);
  const [named, layerText, headText, ...rest] = place.split(".");
  const at = PLACES.find((one) => one === named);
  const layer = integer(layerText);
  const head = headText === undefined ? undefined : integer(headText);
  if (!kind || !at || layer === null || head === null || rest.length > 0) return [];
  /** @type {any} */
  const found = { kind: kind.name, at, layer, ...(head === undefined ? {} : { head }) };
  for (const setting of settings) {
    const cut = setting.indexOf("=");
    const [key, value] = [setting.slice(0, cut), setting.slice(cut + 1)];
    const read = cut < 0 ? undefined : SETTINGS[key]?.(value);
    if (read === undefined || read === null) return [];
    if (key === "id") found.token = read;
    else found[key] = key === "texts" ? [...(found.texts ?? []), read] : read;
  }
  const given = givenOf(kind.name);
  const isWhole =
    given === "direction"
      ? DIRECTIONS.filter((key) => found[key] !== undefined).length === 1
      : given === null || found[given] !== undefined;
  const fits = at === "head" || (head === undefined && !("heads" in kind));
  return isWhole && fits ? [found] : [];
}

/** How each setting is read; null or undefined: it is not valid. @type {Record<string, (text: string) => unknown>} */
const SETTINGS = {
  site: (text) => SITE_KINDS.find((kind) => kind === text),
  text: (text) => integer(text),
  positions: (text) => listOf(text.split(".").map((part) => integer(part))),
  pairs: (text) =>
    listOf(
      text.split(".").map((pair) => {
        const ends = pair.split("-").map((part) => integer(part));
        return ends.length === 2 ? listOf(ends) : null;
      }),
    ),
  factor: (text) => factorOf(text),
  texts: (text) => text,
  source: (text) => text,
  minus: (text) => text,
  token: (text) => text,
  id: (text) => integer(text),
  vector: (text) => listOf(text.split(",").map(numberOf)),
};

/** What is added is one of these. */
const DIRECTIONS = ["vector", "token", "source"];

/** A number to multiply by, within the limits of the API; null if it is none. @param {string} text */
export function factorOf(text) {
  const number = numberOf(text);
  return number !== null && Math.abs(number) <= 1000 ? number : null;
}

/** @param {string} text @returns {number | null} */
export const numberOf = (text) =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : null;

/** @template T @param {(T | null)[]} items @returns {T[] | null} null if one of them is */
export const listOf = (items) =>
  items.every((item) => item !== null) ? /** @type {T[]} */ (items) : null;

/** The pieces between tildes, without the escapes. @param {string} text */
export function pieces(text) {
  const found = [""];
  for (const part of text.match(/\\[\\~]|[\s\S]/gu) ?? []) {
    if (part === "~") found.push("");
    else found[found.length - 1] += part.length > 1 && part[0] === "\\" ? part[1] : part;
  }
  return found;
}

/**
 * The interventions that a model can make: of parts that it has.
 * @param {Intervention[]} given
 * @param {Pick<Model, "sites" | "lacks">} model
 */
export const interventionsOf = (given, { sites, lacks }) =>
  lacks
    ? []
    : given.filter(({ layer, head, site }) =>
        (sites ?? []).some(
          (one) =>
            one.layer === layer &&
            (head === undefined || head < one.n_heads) &&
            (site === undefined || site === one.kind),
        ),
      );
