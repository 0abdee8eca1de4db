// What the command palette says.

import { gettext, ngettext } from "../../language/gettext.js";
import { quote } from "../../words/format.js";

export const GROUPS = {
  heads: gettext("head"),
  views: gettext("view"),
  panels: gettext("panel"),
  matrices: gettext("what to show"),
  masks: gettext("mask"),
  finds: gettext("ranking of heads"),
  examples: gettext("example"),
  models: gettext("model"),
  actions: gettext("action"),
  help: gettext("help"),
};
/** @param {{layer: number, head: number, label: string}} head */
export const headTitle = ({ layer, head, label }) =>
  label ? `L${layer}H${head} ${label}` : `L${layer}H${head}`;
/** @param {string} metric */
export const rankingBy = (metric) => gettext("Find: {metric}", { metric });
/** @param {string} typed */
export const nothing = (typed) =>
  gettext(
    "Nothing is called {typed}. Try a view, a mask, an example, a model, or a head such as L2H3.",
    { typed: quote(typed) },
  );
/** @param {number} n */
export const found = (n) => ngettext("{n} result", "{n} results", n);
