// What the command palette says.

import { quote } from "../../words/format.js";

export const GROUPS = {
  heads: "head",
  views: "view",
  panels: "panel",
  matrices: "what to show",
  masks: "mask",
  finds: "ranking of heads",
  examples: "example",
  models: "model",
  actions: "action",
  help: "help",
};
/** @param {{layer: number, head: number, label: string}} head */
export const headTitle = ({ layer, head, label }) =>
  label ? `L${layer}H${head} ${label}` : `L${layer}H${head}`;
/** @param {string} metric */
export const rankingBy = (metric) => `Find: ${metric}`;
/** @param {string} typed */
export const nothing = (typed) =>
  `Nothing is called ${quote(typed)}. Try a view, a mask, an example, a model, or a head such as L2H3.`;
/** @param {number} n */
export const found = (n) => (n === 1 ? "1 result" : `${n} results`);
