// The title of a picture of the heatmap, for a file or for paper.

import { isOfHead } from "../../state/matrices.js";
import { headName } from "../../words/heads.js";
import { allLayers } from "./words.js";

/**
 * @param {Pick<import("../../types.d.ts").State, "matrix">} state
 * @param {import("./picture.js").Detail} detail
 */
export const titleOf = ({ matrix }, { site, head }) =>
  isOfHead(matrix) ? headName(site, head) : allLayers(matrix);
