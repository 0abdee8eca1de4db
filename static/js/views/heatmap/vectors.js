// q, k and v of the selected head beside its heatmap, by plotly; of a long text only once they are in the window.

import { palette } from "../../dom/palette.js";
import { vectorsFigure } from "../../draw/figure.js";
import { detailOf } from "../../numbers/detail.js";
import { isOfHead } from "../../state/matrices.js";
import { afterFrame, CONFIG, isLarge } from "./plotly.js";

/**
 * @param {HTMLElement} root
 * @param {import("../../state/store.js").Store} store
 * @param {object} on
 * @param {import("../view.js").Page["onVector"]} [on.onVector]
 * @param {import("../view.js").Page["onVectors"]} [on.onVectors]
 */
export function vectorsPainter(root, store, { onVector, onVectors }) {
  /** @type {any} */
  let plotly = null;
  /** What is drawn. @type {{of: ArrayBufferLike | null, look: string}} */
  let drawn = { of: null, look: "" };
  let visible = false; // in the window
  let listening = false;

  /** @param {() => boolean} wanted whether no newer picture is needed */
  const draw = async (wanted) => {
    const { matrix, scheme, status } = store.state;
    const detail = detailOf(store.state);
    if (!detail) return;
    const lacking = !detail.vectors && detail.exact === "all";
    root.hidden = !isOfHead(matrix) || lacking || detail.pooled !== null; // they belong to one head
    root.classList.toggle("waiting", !detail.vectors);
    if (!plotly || root.hidden) return;
    if (!detail.vectors) {
      if (visible && status === "ready") onVectors?.();
      return;
    }
    if (isLarge(detail) && !visible) return;
    const { q, k, v } = detail.vectors;
    const look = [scheme, root.clientWidth, root.clientHeight].join(" ");
    if (drawn.of === q.data.buffer && drawn.look === look) return;
    if (isLarge(detail)) await afterFrame();
    if (!wanted()) return;
    drawn = { of: q.data.buffer, look };
    const { paper, diverging: table } = palette(scheme);
    const keys = detail.site.kind === "cross" ? detail.keyLabels : detail.queryLabels;
    const parts = [
      { name: "q", matrix: q, labels: detail.queryLabels },
      { name: "k", matrix: k, labels: keys },
      { name: "v", matrix: v, labels: keys },
    ];
    const figure = vectorsFigure({ parts, table, paper, height: root.clientHeight });
    await plotly.react(root, figure.data, figure.layout, CONFIG);
    if (!listening) listen();
    listening = true;
  };

  const listen = () => {
    const graph = /** @type {any} */ (root);
    graph.on("plotly_hover", (/** @type {any} */ { points: [{ x, y, data }] }) =>
      onVector?.({ name: data.name, token: y, channel: x }),
    );
    graph.on("plotly_unhover", () => onVector?.(null));
  };

  const now = () => draw(() => true);
  store.watch(["status"], ({ status }) => {
    if (status === "ready" && visible) now();
  });
  new IntersectionObserver((entries) => {
    visible = entries[entries.length - 1].isIntersecting;
    if (visible) now();
  }).observe(root);

  return {
    draw,
    /** @param {any} library */
    use: (library) => {
      plotly = library;
    },
  };
}
