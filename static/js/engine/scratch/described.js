// The mechanisms from scratch and their settings, as GET /api/models describes them. Pure: a page in one file does not carry them twice.

import FACTS from "../../facts/mechanisms.json" with { type: "json" };

/** @import { Mechanism, Setting, Settings } from "../../types.d.ts" */

/** The settings that a reader may change, with the values that they take. @type {readonly Setting[]} */
export const SETTINGS = /** @type {any} */ (
  Object.entries(FACTS.settings).map(([name, row]) => {
    const { type, options = [], limits = null, nullable = false } = /** @type {any} */ (row);
    return { name, type, options, limits, nullable };
  })
);

/** @type {Settings} */
const USUAL = /** @type {any} */ (
  Object.fromEntries(Object.entries(FACTS.settings).map(([name, row]) => [name, row.default]))
);

/** By id, in the order of the notebooks. @type {Readonly<Record<string, Mechanism>>} */
export const MECHANISMS = Object.fromEntries(
  FACTS.rows.map(({ own, ...row }) => [
    row.id,
    { ...row, cross: "cross" in row, defaults: { ...USUAL, ...own } },
  ]),
);

/** What a description says of the settings of the source. */
export const described = () => ({
  takes_scratch: true,
  mechanisms: Object.values(MECHANISMS),
  settings: [...SETTINGS],
  limits: Object.fromEntries(
    SETTINGS.flatMap(({ name, limits }) => (limits === null ? [] : [[name, limits]])),
  ),
});

/**
 * A model as a page in one file describes it, with what that leaves out.
 * @template {Pick<import("../../types.d.ts").Model, "name" | "mechanisms">} M
 * @param {M} model
 * @returns {M}
 */
export const completed = (model) =>
  model.name === "scratch" && !model.mechanisms ? { ...model, ...described() } : model;
