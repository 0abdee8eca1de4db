// Numbers in words: the cell under the pointer, what the head does, what the hatching means.

import { make, need } from "../../dom/dom.js";
import { legendItems } from "../../dom/hatching.js";
import { palette } from "../../dom/palette.js";
import { blockedIn, detailOf, exactRow, scoresOf } from "../../numbers/detail.js";
import { shares } from "../../sources/scratch/words.js";
import { isMuted, modelIn, scoredBy } from "../../state/choice.js";
import { ALWAYS, isOfHead, MATRICES } from "../../state/matrices.js";
import { VIEWS } from "../../views/views.js";
import { weight } from "../../words/format.js";
import { explain } from "../../words/hatch.js";
import { inWords, KIND_NAMES, relations, strongest } from "../../words/labels.js";

/** @typedef {import("../../state/store.js").Store} Store */

const ZOOMS =
  "Point at a cell, or tap it, for its numbers and its row. Drag to zoom in, double-click to zoom out.";

/** @param {string} text */
const strong = (text) => make("b", { text });

/**
 * The line above the head: a cell or a channel under the pointer.
 * @param {HTMLElement} line
 * @param {Store} store
 * @param {() => string} [hint] the text while the pointer is elsewhere
 */
export function readout(line, store, hint = () => ZOOMS) {
  const rest = () => {
    const { about } = MATRICES[store.state.matrix];
    const site = store.state.detail?.trace.sites[0];
    const summed = site && store.state.matrix === "pattern" ? shares(site) : "";
    const words = about ? `${about} Point at a cell for its numbers.` : hint();
    line.textContent = summed ? `${summed} ${words}` : words;
  };
  /** @type {[number, number] | null} */
  let pointed = null;
  store.watch(["detail", "matrix"], () => (pointed ? say(pointed) : rest()));

  /** @param {[number, number] | null} cell */
  const say = (cell) => {
    const detail = detailOf(store.state);
    pointed = cell;
    if (!cell || !detail) return rest();
    const [query, key] = cell;
    if (query >= detail.queries.length || key >= detail.keys.length) return rest();
    const { matrix } = store.state;
    const row = exactRow(detail, matrix, query);
    const reason = row ? explain(row.blocked[key]) : "";
    line.replaceChildren(
      "query ",
      strong(`${query} ${detail.queryLabels[query]}`),
      " → key ",
      strong(`${key} ${detail.keyLabels[key]}`),
      ": ",
      ...(row ? numbers(row, matrix, key) : ["…"]), // the row of a long text may still be loading
      reason ? ", " : "",
      reason ? strong(`blocked by ${reason}`) : "",
    );
  };

  return {
    cell: say,
    /** @param {{name: string, token: number, channel: number} | null} at */
    vector: (at) => {
      const detail = detailOf(store.state);
      if (!at || !detail?.vectors) return rest();
      const matrix = detail.vectors[/** @type {"q" | "k" | "v"} */ (at.name)];
      const labels = at.name === "q" ? detail.queryLabels : detail.keyLabels;
      line.replaceChildren(
        strong(at.name),
        " of ",
        strong(`${at.token} ${labels[at.token]}`),
        `, channel ${at.channel}: `,
        strong(weight(matrix.data[at.token * matrix.cols + at.channel])),
      );
    },
  };
}

/**
 * The numbers of a cell.
 * @param {NonNullable<ReturnType<typeof exactRow>>} row
 * @param {import("../../types.d.ts").Matrix} matrix
 * @param {number} key
 * @returns {(string | Node)[]}
 */
function numbers({ values, pattern, scores }, matrix, key) {
  const value = values[key];
  const { of, unit } = MATRICES[matrix];
  if (of === "trace") return [`${unit} `, strong(weight(value))];
  if (matrix === "norms") {
    const share = pattern?.[key] ?? 0;
    const parts = share > 0 ? ` = ${weight(share)} × ${weight(value / share)}` : "";
    return ["norm ", strong(weight(value)), parts && `${parts}, weight × length of v W_O`];
  }
  const own = ALWAYS.includes(matrix) ? [] : [`${unit} `, strong(weight(value)), ", "];
  const score = scores ? [", score ", strong(weight(scores[key]))] : [];
  return [
    ...own,
    ...(pattern ? ["weight ", strong(weight(pattern[key]))] : ["weight …"]),
    ...score,
  ];
}

/** The title with the head's strongest label, and the mute button. @param {Store} store */
export function headTitle(store) {
  const title = need("#head-title", HTMLElement);
  const label = need("#head-label", HTMLElement);
  const mute = need("#mute", HTMLButtonElement);

  store.watch(["detail", "matrix", "view", "grid", "scores", "probe", "by", "shown"], (state) => {
    const detail = detailOf(state); // from the picture, which may lag behind the choice
    if (!detail) return;
    const whole = !isOfHead(state.matrix) && VIEWS[state.view].oneMatrix; // false: it shows one head
    const { kind, layer } = detail.site;
    const stack = KIND_NAMES[kind];
    title.textContent = whole
      ? `Attention ${state.matrix} · all ${stack.toLowerCase()} layers`.replace("  ", " ")
      : `${stack ? `${stack} layer` : "Layer"} ${layer} · head ${detail.head}`;
    label.textContent = whole ? "" : habit(state, detail.site.layer, detail.head);
    const drawn = relations(headOf(state, detail.site.layer, detail.head)?.drawn);
    const where = scoredBy(state) === "probe" ? "on the probe" : "in this sentence";
    label.title = drawn ? `on held-out sentences: ${drawn}` : where;
  });
  store.watch(["kind", "layer", "head", "muted", "models", "model"], (state) => {
    const { kind, layer, head, muted } = state;
    const { lacks } = modelIn(state);
    mute.setAttribute("aria-pressed", String(isMuted(muted, kind, layer, head)));
    mute.disabled = Boolean(lacks);
    mute.title = lacks ? `Heads of this model cannot be muted: ${lacks}.` : "";
  });
}

/** What the hatching of blocked cells means. @param {HTMLElement} list @param {Store} store */
export function hatchLegend(list, store) {
  store.watch(["detail", "shown", "scheme", "matrix"], (state) => {
    const detail = detailOf(state);
    const { hatch } = palette(state.scheme);
    const bits = detail ? blockedIn(detail, state.matrix).data : new Uint8Array();
    list.replaceChildren(...legendItems(bits, hatch));
  });
}

/**
 * @param {Readonly<import("../../types.d.ts").State>} state
 * @param {number} layer
 * @param {number} head
 */
const headOf = (state, layer, head) =>
  scoresOf(state)?.find((one) => one.layer === layer && one.head === head);

/**
 * A head's strongest label in words.
 * @param {Readonly<import("../../types.d.ts").State>} state
 * @param {number} layer
 * @param {number} head
 */
function habit(state, layer, head) {
  const found = headOf(state, layer, head);
  return found ? inWords(strongest(found.scores, found.drawn)) || "no strong pattern" : "";
}
