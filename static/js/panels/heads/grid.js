// Every head as a thumbnail with its label: one canvas per head, layers down, heads across.

import { fit } from "../../dom/canvas.js";
import { button, make, need, scrollWithin } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { paint } from "../../draw/raster.js";
import { commas } from "../../language/gettext.js";
import { areNamed, detailOf } from "../../numbers/detail.js";
import { headsIn, holdsHere } from "../../numbers/habits.js";
import { matrixOf } from "../../numbers/matrix.js";
import { blockOf, boxesOutside, shrunk } from "../../numbers/segments.js";
import { isMuted, scoredBy } from "../../state/choice.js";
import { relationOf } from "../../state/finds.js";
import { tells } from "../../state/quiz.js";
import { brief, briefly, inWords, NOT_HERE, ranked } from "../../words/labels.js";
import { scoresBy, watchScores } from "./between.js";
import { PAINTED_FROM, paintHeads } from "./painting.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

const BEST = 3; // of a ranking, which are marked

/** @param {HTMLElement} root @param {Store} store */
export function grid(root, store) {
  /** @type {Map<string, HTMLButtonElement>} */
  const cells = new Map();
  let built = "";
  /** @type {HTMLButtonElement | null} */
  let scrolledTo = null;

  const reveal = () => {
    if (scrolledTo?.isConnected) scrollWithin(root, scrolledTo);
  };
  new ResizeObserver(reveal).observe(root); // it may have become a strip

  /** @param {import("../../types.d.ts").Site[]} sites */
  const build = (sites) => {
    const shape = JSON.stringify(sites.map(({ name, heads }) => [name, heads.length]));
    if (shape === built) return;
    built = shape;
    cells.clear();
    const heads = Math.max(...sites.map((site) => site.heads.length));
    root.style.setProperty("--heads", String(heads));
    root.setAttribute("aria-label", words.GRID_LABELS[sites[0].kind]);
    const numbers = Array.from({ length: heads }, (_, head) =>
      columnHeader(String(head), words.columnLabel(head)),
    );
    root.replaceChildren(
      rowOf([columnHeader(words.CORNER.text, words.CORNER.label), ...numbers], "numbers"),
      ...sites.map((site) => {
        const name = make("span", { class: "axis layer", text: words.rowHeader(site.layer) });
        name.setAttribute("aria-label", words.layerLabel(site.layer));
        name.setAttribute("role", "rowheader");
        return rowOf([name, ...site.heads.map((head) => cell(site.layer, head))]);
      }),
    );
  };

  /** @param {number} layer @param {number} head */
  const cell = (layer, head) => {
    const cell = button("", () => store.update({ layer, head }), { class: "cell" }, [
      make("canvas"),
      make("span", { class: "tag" }, [
        make("span", { class: "tag-words" }),
        make("span", { class: "tag-brief" }),
        document.createTextNode(" "),
        make("b"),
      ]),
    ]);
    cell.setAttribute("role", "gridcell");
    cell.dataset.muted = words.MUTED; // for the sheet, which says it where the head is
    cell.dataset.at = `${layer}.${head}`;
    cells.set(cell.dataset.at, cell);
    return cell;
  };

  store.watch(["grid", "shown", "scheme", "scale", "steps", "segments"], (state) => {
    if (!state.grid?.trace.sites.length) return;
    build(state.grid.trace.sites);
    draw(state);
    label(state);
    paintHeads(root, cells, state);
    mark(state);
  });

  /** @param {Readonly<State>} state */
  const draw = ({ grid: answer, shown, scheme, steps, segments }) => {
    const { sequential: table, veil } = palette(scheme);
    if (!answer) return;
    const { trace } = answer;
    const text = Math.min(shown, trace.tokens.length - 1);
    for (const site of trace.sites) {
      const tensor = answer.tensors.get(`${site.name}.pattern`);
      if (!tensor) continue;
      const [queries, keys] = [site.query_tokens, site.key_tokens].map(
        (axis) => (trace[axis] ?? trace.tokens)[text],
      );
      const block = blockOf(queries, keys, segments);
      const full = { rows: queries.length, cols: keys.length };
      site.heads.forEach((head, index) => {
        const canvas = cells.get(`${site.layer}.${head}`)?.firstElementChild;
        if (!(canvas instanceof HTMLCanvasElement)) return;
        const matrix = matrixOf(tensor, text, index);
        const pixels = paint(matrix, table, { low: 0, high: 255, steps });
        fit(canvas, { width: matrix.cols, height: matrix.rows });
        const drawing = canvas.getContext("2d");
        if (!drawing) return;
        drawing.putImageData(new ImageData(pixels, matrix.cols, matrix.rows), 0, 0);
        drawing.fillStyle = veil;
        const shrunkBlock = block && shrunk(block, full, matrix);
        for (const { x0, x1, y0, y1 } of boxesOutside(shrunkBlock, matrix.rows, matrix.cols)) {
          drawing.fillRect(x0 + 0.5, y0 + 0.5, x1 - x0, y1 - y0);
        }
      });
    }
  };

  /** The label under each thumbnail, in full in its preview and for screen readers. @param {Readonly<State>} state */
  const label = (state) => {
    root.classList.toggle("unnamed", !tells(state) || !areNamed(state));
    const rows = new Map(
      ranked(scoresBy(state) ?? [], state.find).map((row) => [`${row.layer}.${row.head}`, row]),
    );
    const heads = headsHere(state);
    const found =
      state.find === null ? [] : [...rows].filter(([, { label }]) => (label.value ?? 0) > 0);
    const best = found.slice(0, BEST).map(([name]) => name);
    for (const [name, button] of cells) {
      const row = rows.get(name);
      const place = best.indexOf(name) + 1;
      const isAbsent = row !== undefined && heads !== null && !holdsHere(row.label, heads(row));
      const inFull = row
        ? commas([inWords(row.label), isAbsent && NOT_HERE, place > 0 && words.best(place)])
        : "";
      const [layer, head] = name.split(".").map(Number);
      const tag = need(".tag", HTMLElement, button);
      const [full, short, value] = tag.children;
      const named = row && state.find === null ? row.label : null;
      const isMixed = named !== null && named.metric === null;
      full.textContent = words.breakable(isMixed ? words.MIXED : (named?.name ?? ""));
      short.textContent = isMixed ? briefly(words.MIXED) : (named?.brief ?? "");
      tag.classList.toggle("mixed", isMixed);
      tag.classList.toggle("absent", isAbsent);
      value.textContent = row ? brief(row.label) : "";
      const lacks = row ? row.share < state.least : relationOf(state.find) !== null;
      button.classList.toggle("below", lacks);
      button.style.setProperty("--score", String((found.length && row?.share) || 0));
      if (place) button.dataset.best = String(place);
      else delete button.dataset.best;
      button.dataset.words = inFull;
      const { does = "" } = row?.label ?? {};
      button.dataset.about = words.aboutHead({ layer, head, label: inFull, does });
    }
  };

  /** @param {Readonly<State>} state */
  const mark = (state) => {
    const { layer, head, muted, grid: answer } = state;
    const kind = answer?.trace.sites[0]?.kind ?? "self";
    for (const [name, button] of cells) {
      const selected = name === `${layer}.${head}`;
      const [l, h] = name.split(".").map(Number);
      const silent = tells(state) && isMuted(muted, kind, l, h);
      const { words: label, effect } = button.dataset;
      const parts = [words.headLabel({ layer: l, head: h }), label, effect];
      button.setAttribute("aria-selected", String(selected));
      button.tabIndex = selected ? 0 : -1; // a single tab stop; arrow keys move between heads
      button.classList.toggle("muted", silent);
      button.setAttribute("aria-label", commas([...parts.filter(Boolean), silent && words.MUTED]));
      if (selected && root.contains(document.activeElement)) button.focus();
      if (selected && button !== scrolledTo) {
        scrolledTo = button; // scrolling forces a layout of the page, so do it only once
        reveal();
      }
    }
  };
  watchScores(
    store,
    (state) => {
      label(state);
      mark(state);
    },
    ["least"],
  );
  store.watch(["layer", "head", "muted"], mark);
  store.watch(PAINTED_FROM, (state) => {
    if (paintHeads(root, cells, state)) mark(state);
  });
}

/** What the heads do here, where they are called by what they do elsewhere: the detail, which comes with the grid, says what is blocked. @param {Readonly<State>} state */
function headsHere(state) {
  const { grid, shown, find } = state;
  if (!grid || find !== null || scoredBy(state) !== "probe") return null;
  return headsIn(grid, Math.min(shown, grid.trace.tokens.length - 1), detailOf(state)?.blocked);
}

/** @param {HTMLElement[]} children @param {string} [also] another class */
function rowOf(children, also = "") {
  const row = make("div", { class: `grid-row ${also}` }, children);
  row.setAttribute("role", "row");
  return row;
}

/** @param {string} text @param {string} name */
function columnHeader(text, name) {
  const header = make("span", { text, class: "axis" });
  header.setAttribute("role", "columnheader");
  header.setAttribute("aria-label", name);
  return header;
}
