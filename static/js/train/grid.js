// The live grid: what each head looks at in one held-out line, a canvas for each.

import { make, write } from "../dom/dom.js";
import { palette } from "../dom/palette.js";
import { paint } from "../draw/raster.js";
import * as words from "./words.js";

/** @import { TrainedNetwork, TrainingPoint } from "../types.d.ts" */

const MOST_LETTERS = 22; // at the side of a head; a longer line has no room for them

/** @param {() => "light" | "dark"} schemeOf */
export function grid(schemeOf) {
  const heads = make("div", { class: "train-heads" });
  const said = make("p", { class: "hint", text: "" });
  const root = make("div", {}, [heads, said]);
  /** @type {{point: TrainingPoint, lane: TrainedNetwork} | null} */
  let shown = null;
  let pointed = false;

  /** @param {TrainingPoint} point @param {TrainedNetwork} lane */
  const show = (point, lane) => {
    shown = { point, lane };
    const [n_layers, n_heads] = ["n_layers", "n_heads"].map((name) => Number(lane.network[name]));
    heads.style.setProperty("--columns", String(n_heads));
    while (heads.children.length > n_layers * n_heads) heads.lastChild?.remove();
    while (heads.children.length < n_layers * n_heads) heads.append(cell());
    const bytes = bytesOf(point.pattern);
    const n = Math.sqrt(bytes.length / (n_layers * n_heads)); // of a long line, only its beginning
    const tokens = [words.BOS, ...point.shown[0].line].slice(0, n);
    [...heads.children].forEach((one, at) => {
      const data = bytes.subarray(at * n * n, (at + 1) * n * n);
      const canvas = /** @type {HTMLCanvasElement} */ (one.querySelector("canvas"));
      Object.assign(canvas, { width: n, height: n });
      const name = words.headName(Math.floor(at / n_heads), at % n_heads);
      /** @type {HTMLElement} */ (one.firstElementChild).textContent = name;
      const pixels = paint({ rows: n, cols: n, data }, palette(schemeOf()).sequential, {
        low: 0,
        high: 255,
      });
      for (const axis of one.querySelectorAll(".train-axis")) label(axis, tokens);
      canvas.getContext("2d")?.putImageData(new ImageData(pixels, n, n), 0, 0);
      canvas.onpointermove = ({ offsetX, offsetY }) => {
        const [key, query] = [offsetX / canvas.clientWidth, offsetY / canvas.clientHeight].map(
          (share) => Math.min(n - 1, Math.max(0, Math.floor(share * n))),
        );
        pointed = true;
        write(
          said,
          words.cellInWords({
            head: name,
            query: tokens[query],
            key: tokens[key],
            weight: data[query * n + key] / 255,
          }),
        );
      };
      canvas.onpointerleave = rest;
    });
    if (!pointed) rest();
  };
  const rest = () => {
    pointed = false;
    write(said, shown ? words.gridInWords(shown.point.shown[0].line) : "");
  };
  return { root, show, repaint: () => shown && show(shown.point, shown.lane) };
}

function cell() {
  const [keys, queries] = ["above", "side"].map((side) =>
    make("div", { class: `train-axis ${side}` }),
  );
  return make("figure", {}, [make("figcaption"), keys, queries, make("canvas")]);
}

/** @param {Element} axis @param {string[]} tokens */
function label(axis, tokens) {
  const isRoom = tokens.length <= MOST_LETTERS;
  const letters = isRoom ? tokens.map((token) => (token === words.BOS ? "·" : token)) : [];
  if (axis.textContent === letters.join("")) return;
  axis.replaceChildren(...letters.map((text) => make("span", { text, verbatim: true })));
}

/** @param {string} text in base64 */
function bytesOf(text) {
  return Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
}
