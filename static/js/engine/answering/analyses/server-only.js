// Analyses that need what this engine does not keep or do: a row each. Whatever their settings, which only the server checks
// (server/api/analyses/), they are refused with what they need.

import { UnavailableError } from "../../errors.js";

/** @type {readonly {name: string, what: string, needs: string}[]} `name` in `analyse`; `what` it does, as the start of a sentence */
const ROWS = [
  { name: "stream", what: "Sending the residual stream", needs: "the whole stream" },
  { name: "attribution", what: "Taking a logit apart", needs: "the residual stream" },
  { name: "top_keys", what: "Listing the top keys", needs: "a search" },
  { name: "far_links", what: "Looking for far links", needs: "a search" },
  { name: "overview", what: "Mapping where any head looks", needs: "a search" },
  { name: "cell", what: "Taking a score apart", needs: "the residual stream" },
  { name: "composition", what: "The composition of heads", needs: "the residual stream" },
  { name: "paths", what: "The path map", needs: "the residual stream" },
  { name: "weight_composition", what: "The composition of heads", needs: "the projections" },
  { name: "court", what: "Comparing explanations", needs: "gradients" },
  {
    name: "other_attention",
    what: "Searching another attention pattern",
    needs: "gradients",
  },
  { name: "patching", what: "Patching", needs: "a run that can be changed at every part" },
];

/** @type {readonly import("./analysis.js").Analysis[]} */
export const SERVER_ONLY = ROWS.map(({ name, what, needs }) => ({
  name,
  request: { [name]: null },
  nbytes: () => 0,
  read({ lacks }) {
    throw new UnavailableError(
      lacks
        ? `${what} needs the model itself: ${lacks}.`
        : `${what} needs ${needs}, which the engine in the page does not have. Open this page from a Headlight server.`,
      { field: `analyse.${name}` },
    );
  },
}));
