// Why a view has nothing to show of a model, whatever the text is.

import { gettext } from "../language/gettext.js";

/** What a model lacks, by view. */
export const LACKS = {
  inside: {
    q: gettext("This model gives no q, k and v, so Headlight cannot look inside its heads."),
    /** @param {string} reason */
    heads: (reason) =>
      gettext("Headlight cannot look inside the heads of this model: {reason}.", { reason }),
  },
  why: {
    q: gettext("This model gives no q and k, so Headlight cannot take its scores apart."),
  },
  explanations: {
    prediction: gettext("This model predicts nothing, so there is no prediction to explain."),
    edits: gettext(
      "This model takes no edits, so no token can be left out: there is no reference.",
    ),
  },
  paths: {
    prediction: gettext("This model makes no predictions, so there is no logit to follow."),
    /** @param {string} model */
    routes: (model) =>
      gettext("{model} shows its patterns only, so its routes are not known.", { model }),
  },
  patch: {
    prediction: gettext("This model predicts nothing, so there is no answer to bring back."),
    edits: gettext("This model takes no edits, so nothing can be patched."),
    places: gettext("No part of this model can be patched."),
  },
};
