// The legend below the map.

import { make, write } from "../../dom/dom.js";
import { sentences } from "../../language/gettext.js";
import { PANELS } from "../../state/panels.js";
import { VIEWS } from "../../state/views.js";
import { ATTENTION_ONLY, LEGEND, SENTENCES, UNKNOWN } from "./words.js";

/** @import { State } from "../../types.d.ts" */

export function legend() {
  const item = (/** @type {string} */ name, text = "") =>
    make("li", {}, [make("i", { class: `map-key-${name}` }), make("span", { text })]);
  const reads = item("reads");
  const adds = item("adds");
  const norm = item("norm", LEGEND.norm);
  const arcs = [item("raises", LEGEND.arc), item("lowers", LEGEND.below)];
  const list = make("ul", { class: "map-key" }, [
    item("here", LEGEND.here),
    item("muted", LEGEND.muted),
    reads,
    adds,
    norm,
    ...arcs,
  ]);
  const note = make("p", { class: "faint" });
  return {
    root: make("div", { class: "map-under" }, [list, note]),
    /**
     * @param {import("../../types.d.ts").ModelInfo} model
     * @param {{view: State["view"], tab: State["right"] | null}} reading
     * @param {boolean} linked whether there are arcs
     */
    show: (model, { view, tab }, linked) => {
      const { norm: norms, residual, n_parameters, settings } = model;
      const name = VIEWS.find((one) => one.name === view)?.label ?? "";
      const panel = PANELS.find((one) => one.name === tab)?.label;
      say(reads, panel ? LEGEND.readByBoth(name, panel) : LEGEND.readByView(name));
      say(adds, residual === false ? LEGEND.replaces : LEGEND.adds);
      for (const one of arcs) one.hidden = !linked;
      norm.hidden = norms !== "pre" && norms !== "post";
      const size = n_parameters && !settings ? [SENTENCES.parameters(n_parameters)] : [];
      const unknown = model.d_model === 0 ? ATTENTION_ONLY : UNKNOWN;
      write(note, sentences([...size, ...(norms === null ? [unknown] : [])]));
    },
  };
}

/** What stands beside a colour. @param {HTMLElement} item @param {string} text */
const say = (item, text) => write(item.children[1], text);
