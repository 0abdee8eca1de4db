// The request for the space of queries and keys of the selected head. Pure.

import { analysis } from "../../asking/requests.js";

/** @import { Model, State } from "../../types.d.ts" */

export const EVERYDAY = 40; // sentences: enough for clouds, few enough for single points

/** @param {Readonly<State>} state @param {Model} model */
export function spaceRequest(state, model) {
  const { layer, head, kind, space_of, space_plane } = state;
  const of = kind === "self" ? {} : { kind };
  const others = space_of === "everyday" ? { everyday: EVERYDAY } : {};
  return analysis(state, model, {
    space: {
      layer,
      head,
      ...of,
      ...others,
      ...(space_plane === "tsne" ? { method: space_plane } : {}),
    },
  });
}
