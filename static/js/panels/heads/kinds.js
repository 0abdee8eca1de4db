// Two switches, each shown only if there is a choice: the sites of an encoder–decoder, and the segments of queries and keys.

import { check, radio } from "../../dom/dom.js";
import { BLOCKS } from "../../numbers/segments.js";
import { kindsOf, modelIn, selectKind } from "../../state/choice.js";
import { kindName } from "../../words/heads.js";
import { BLOCK_NAMES } from "./words.js";

/** @import { Store } from "../../state/store.js" */

/** @param {HTMLFieldSetElement} field @param {Store} store */
export function kindSwitch(field, store) {
  let built = "";
  store.watch(["kind", "model", "models"], (state) => {
    const kinds = kindsOf(modelIn(state));
    if (kinds.length > 0) field.hidden = kinds.length === 1; // while a model loads, leave it as it is
    if (kinds.join() !== built) {
      built = kinds.join();
      field.replaceChildren(...kinds.map((kind) => radio("kind", kind, kindName(kind))));
    }
    check("kind", state.kind, field);
  });
  field.addEventListener("change", ({ target }) => {
    const { state } = store;
    const kind = kindsOf(modelIn(state)).find(
      (name) => target instanceof HTMLInputElement && name === target.value,
    );
    if (kind) store.update(selectKind(state, kind, modelIn(state)));
  });
}

/** @param {HTMLFieldSetElement} field @param {Store} store */
export function segmentFilter(field, store) {
  field.append(...BLOCKS.map((value) => radio("segments", value, ...BLOCK_NAMES[value])));
  store.watch(["segments", "pairs", "model", "models"], (state) => {
    field.hidden = !hasSegments(state);
    check("segments", state.segments, field);
  });
  field.addEventListener("change", ({ target }) => {
    const block = BLOCKS.find(
      (value) => target instanceof HTMLInputElement && value === target.value,
    );
    if (block) store.update({ segments: block });
  });
}

/** Whether there are two segments. @param {Readonly<import("../../types.d.ts").State>} state */
export const hasSegments = (state) => Boolean(modelIn(state).takes_pairs) && state.pairs !== null;
