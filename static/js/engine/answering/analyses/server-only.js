// Analyses that need what this engine does not keep or do: a row each. Their settings are checked as on the server
// (server/analyses/), then they are refused with what they need.

import { UnavailableError } from "../../errors.js";
import { record } from "../containers.js";
import { index, optional } from "../fields.js";

/**
 * @typedef {object} ServerOnly
 * @property {string} name in `analyse`
 * @property {string} model the name of its schema
 * @property {Record<string, import("../containers.js").Row>} fields
 * @property {string} what it does, as the start of a sentence
 * @property {string} needs what the engine in the page lacks
 */

/** @type {readonly ServerOnly[]} */
const ROWS = [
  {
    name: "attribution",
    model: "AnalyseAttribution",
    fields: {
      position: [optional(index), null],
      token: [optional(index), null],
      against: [optional(index), null],
    },
    what: "Taking a logit apart",
    needs: "the residual stream",
  },
];

/** @type {readonly import("./analysis.js").Analysis[]} */
export const SERVER_ONLY = ROWS.map(({ name, model, fields, what, needs }) => ({
  name,
  request: { [name]: [optional(record(model, fields)), null] },
  nbytes: () => 0,
  read() {
    throw new UnavailableError(
      `${what} needs ${needs}, which the engine in the page does not keep. Open this page from a Headlight server.`,
      { field: `analyse.${name}` },
    );
  },
}));
