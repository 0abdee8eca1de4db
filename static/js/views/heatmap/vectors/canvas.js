// q, k and v on a canvas.

import { drawMarks } from "../../../dom/canvas.js";
import { make } from "../../../dom/dom.js";
import { channelAt, vectorsMarks } from "../../../draw/vectors.js";
import { sheet } from "../raster.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../view.js").Page["onVector"]} [onVector] called with the channel under the pointer
 */
export function vectorsCanvas(root, onVector) {
  const canvas = make("canvas", { class: "whole" });
  /** @type {import("../../../draw/vectors.js").Cells[]} */
  let cells = [];
  canvas.addEventListener("pointermove", ({ offsetX, offsetY }) =>
    onVector?.(channelAt(cells, offsetX, offsetY)),
  );
  canvas.addEventListener("pointerleave", () => onVector?.(null));

  return {
    /** @param {Parameters<typeof vectorsMarks>[0]} picture as large as the element */
    draw: (picture) => {
      if (!canvas.isConnected) root.append(canvas);
      const drawing = sheet(canvas, root);
      if (!drawing) return;
      const { marks, cells: now } = vectorsMarks(picture);
      cells = now;
      const [{ y, height, shown }] = cells;
      canvas.dataset.rows = [y, height, ...shown].join(" "); // for a test that looks for a row
      drawMarks(drawing, marks, picture.paper.font);
    },
  };
}
