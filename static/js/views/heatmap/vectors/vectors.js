// q, k and v of the selected head beside its heatmap, each token in line with its row, once they are in the window.

import { afterFrame } from "../../../dom/dom.js";
import { palette } from "../../../dom/palette.js";
import { VECTORS } from "../../../draw/vectors.js";
import { wholeOf } from "../../../draw/viewport.js";
import { detailOf } from "../../../numbers/detail.js";
import { isOfHead } from "../../../state/matrices.js";
import { isLarge } from "../plotly.js";
import { vectorsCanvas } from "./canvas.js";

const REST = 120; // ms: a zoom changes many times a second, and the vectors follow once it rests

/**
 * @param {HTMLElement} root
 * @param {import("../../../state/store.js").Store} store
 * @param {object} on
 * @param {import("../../view.js").Page["onVector"]} [on.onVector]
 * @param {import("../../view.js").Page["onVectors"]} [on.onVectors]
 * @param {HTMLElement} plot the heatmap
 * @param {() => import("../../../draw/axes.js").Layout | null} layoutOf the layout of its cells, in the element
 */
export function vectorsPainter(root, store, { onVector, onVectors }, plot, layoutOf) {
  const canvas = vectorsCanvas(root, onVector);
  /** What is drawn. @type {{of: ArrayBufferLike | null, look: string, shown: string}} */
  let drawn = { of: null, look: "", shown: "" };
  let timer = 0;
  let visible = false; // in the window

  /** @param {() => boolean} wanted whether no newer picture is needed @param {boolean} [isRest] whether a zoom has come to rest */
  const draw = async (wanted, isRest = false) => {
    const { matrix, scheme, status } = store.state;
    const detail = detailOf(store.state);
    if (!detail) return;
    const lacking = !detail.vectors && detail.exact === "all";
    const belong = isOfHead(matrix) && !lacking && detail.pooled === null; // to this one head
    root.hidden = !store.state.qkv || !belong;
    root.classList.toggle("waiting", !detail.vectors);
    if (root.hidden || !visible) return;
    if (!detail.vectors) {
      if (status === "ready") onVectors?.();
      return;
    }
    const { q, k, v } = detail.vectors;
    const layout = layoutOf();
    const margin = layout && besideRows(root, plot, layout.frame);
    const look = JSON.stringify([scheme, root.clientWidth, root.clientHeight, margin]);
    const seen = margin ? layout?.frame.part : undefined;
    const fits = seen && seen[1] <= q.rows && seen[3] <= k.rows; // not while the picture is still that of a longer text
    const part = fits ? seen : wholeOf(q.rows, k.rows);
    const shown = String(part);
    clearTimeout(timer);
    if (drawn.of === q.data.buffer && drawn.look === look) {
      if (drawn.shown === shown) return;
      if (!isRest) {
        timer = setTimeout(() => draw(() => true, true), REST);
        return;
      }
    }
    if (isLarge(detail)) await afterFrame();
    if (!wanted()) return;
    drawn = { of: q.data.buffer, look, shown };
    const { paper, diverging: table } = palette(scheme);
    const isCross = detail.site.kind === "cross"; // its keys are other tokens, and in line with no row
    const [queries, keys] = [part.slice(0, 2), part.slice(isCross ? 2 : 0, isCross ? 4 : 2)];
    const of = (/** @type {number[]} */ [start, stop], /** @type {string[]} */ labels) => ({
      labels,
      shown: /** @type {[number, number]} */ ([start, stop]),
    });
    const beside = of(keys, isCross ? detail.keyLabels : detail.queryLabels);
    const parts = [
      { name: "q", matrix: q, ...of(queries, detail.queryLabels) },
      { name: "k", matrix: k, ...beside },
      { name: "v", matrix: v, ...beside },
    ];
    const { clientWidth: width, clientHeight: height } = root;
    canvas.draw({ parts, table, paper, width, height, margin: margin ?? undefined });
  };

  const now = () => draw(() => true);
  store.watch(["qkv"], now);
  store.watch(["status"], ({ status }) => {
    if (status === "ready" && root.classList.contains("waiting")) now();
  });
  new IntersectionObserver((entries) => {
    visible = entries[entries.length - 1].isIntersecting;
    if (visible) now();
  }).observe(root);

  return { draw };
}

/**
 * The margins that put the tokens of the vectors in line with the rows of the heatmap; null if the two do not stand side by side.
 * @param {HTMLElement} root
 * @param {HTMLElement} plot
 * @param {import("../../../draw/viewport.js").Frame} frame of the cells, in the plot
 */
function besideRows(root, plot, frame) {
  const [own, other] = [root.getBoundingClientRect(), plot.getBoundingClientRect()];
  const top = other.top + frame.top - own.top;
  const bottom = own.height - top - frame.height;
  const fits = own.left >= other.right && top >= VECTORS.top && bottom >= 0;
  return fits ? { top, bottom } : null;
}
