// Composition below the path map: which earlier head each head reads, through its queries, keys or values.

import { button, check, make, radio, svg, write } from "../../dom/dom.js";
import { composedIn, keyOf, strongestOf } from "../../numbers/composition/composed.js";
import { ABOUT, CHOICES, composedSentence } from "../../numbers/composition/words.js";
import { modelIn, selectKind } from "../../state/choice.js";
import * as words from "./words.js";

/** @import { Cell } from "../../numbers/composition/composed.js" */

const SIDE = 20; // pixels of a cell
const NAMES = 62; // for the names of the rows
const ABOVE = 58; // for those of the columns
const SHORT = 5; // letters of a name for which that is enough
const LETTER = 7; // pixels of each further one
const LEAN = 28; // by how much the last of them leans out
const LISTED = 8;

/** @param {import("../../state/store.js").Store} store */
export function compositionPart(store) {
  const through = chooser("composed", CHOICES.through, CHOICES.throughs);
  const measured = chooser("measured", CHOICES.measured, CHOICES.measures);
  const onMap = button(
    words.COMPOSED.onMap,
    () => store.update({ view: "map", arcs: store.state.composed }),
    { title: words.COMPOSED.onMapTitle },
  );
  const said = make("p", { class: "paths-composed-said" });
  said.setAttribute("role", "status");
  const panel = make("div", { class: "paths-picture" });
  const list = make("ol", { class: "paths-strongest" });
  const about = make("p", { class: "faint" });
  const root = make("section", { class: "paths-composed" }, [
    make("h3", { class: "paths-title", text: words.COMPOSED.title }),
    make("div", { class: "paths-tools" }, [through, measured, onMap]),
    said,
    panel,
    list,
    about,
  ]);
  root.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const { name, value } = target;
    if (name === "composed" && (value === "k" || value === "q" || value === "v"))
      store.update({ composed: value });
    if (name === "measured") store.update({ measured: value === "weights" ? "weights" : "text" });
  });

  /** @param {Cell} cell */
  const visit = ({ later }) => {
    const { state } = store;
    const model = modelIn(state);
    const site = model.sites?.find(({ name }) => name === later.site);
    if (!site) return;
    const { kind, layer } = site;
    const change = kind === state.kind ? {} : selectKind(state, kind, model);
    store.update({ ...change, layer, head: later.head });
  };

  const from = /** @type {const} */ (["composition", "view", "shown", "composed", "measured"]);
  store.watch([...from, "layer", "model", "models"], (state) => {
    if (state.view !== "paths") return;
    check("composed", state.composed, root);
    check("measured", state.measured, root);
    const found = composedIn(state);
    root.hidden = !found || found.cells.length === 0;
    if (!found) return;
    const tell = (/** @type {Cell} */ cell) =>
      composedSentence(
        { ...cell, through: state.composed, lift: found.liftOf(cell.later) },
        found.byWeights ? found.baseline : null,
      );
    panel.replaceChildren(pictureOf(found, (cell) => (said.textContent = tell(cell)), visit));
    const read = found.cells.filter(({ strength }) => strength !== 0);
    const none = found.byWeights
      ? words.COMPOSED.noneByWeights
      : words.COMPOSED.none[state.composed];
    write(said, read.length === 0 ? none : words.COMPOSED.hint);
    list.replaceChildren(
      ...strongestOf(read, LISTED).map((cell) =>
        make("li", {}, [button(tell(cell), () => visit(cell), { class: "quiet" })]),
      ),
    );
    write(about, ABOUT[state.measured]);
  });
  return root;
}

/** @param {string} name @param {string} legend @param {readonly (readonly [string, string, string])[]} choices */
const chooser = (name, legend, choices) =>
  make("fieldset", { class: "segments" }, [
    make("legend", { text: legend }),
    ...choices.map(([value, text, title]) => radio(name, value, text, title)),
  ]);

/**
 * @param {NonNullable<ReturnType<typeof composedIn>>} found
 * @param {(cell: Cell) => void} point
 * @param {(cell: Cell) => void} visit
 */
function pictureOf({ cells, rows, columns }, point, visit) {
  const [down, across] = [rows, columns].map(
    (side) => new Map(side.map((head, index) => [keyOf(head), index])),
  );
  const longest = Math.max(...[...rows, ...columns].map(({ label }) => label.length));
  const more = LETTER * Math.max(0, longest - SHORT);
  const [names, above] = [NAMES + more, ABOVE + more];
  const lean = LEAN + more / 2;
  const [width, height] = [names + SIDE * columns.length + lean, above + SIDE * rows.length];
  const drawn = cells.map((cell) => {
    const x = names + SIDE * (across.get(keyOf(cell.later)) ?? 0);
    const y = above + SIDE * (down.get(keyOf(cell.earlier)) ?? 0);
    const rect = svg("rect", {
      class: cell.strength < 0 ? "below" : "above",
      x,
      y,
      width: SIDE - 1,
      height: SIDE - 1,
      "fill-opacity": Math.abs(cell.strength).toFixed(3),
    });
    rect.addEventListener("pointerover", () => point(cell));
    rect.addEventListener("click", () => visit(cell));
    return rect;
  });
  return svg(
    "svg",
    {
      class: "paths-matrix",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-label": words.COMPOSED.label(rows.length, columns.length),
    },
    [
      svg("text", { x: 0, y: 12, class: "paths-axis" }, [words.COMPOSED.axes]),
      ...rows.map(({ label }, index) => {
        const y = above + SIDE * (index + 0.5);
        return svg("text", { x: names - 6, y, dy: "0.35em", "text-anchor": "end" }, [label]);
      }),
      ...columns.map(({ label }, index) => {
        const [x, y] = [names + SIDE * (index + 0.5), above - 4];
        const at = { x, y, dx: 2, dy: "0.35em", transform: `rotate(-60 ${x} ${y})` };
        return svg("text", at, [label]);
      }),
      ...drawn,
    ],
  );
}
