// The controls of the masks, what they are set to, and a hint about their effect.

import { check, make, need, radio } from "../../dom/dom.js";
import { paintedIn } from "../../edit/stroke.js";
import { MODEL_KEYS } from "../../sources/sources.js";
import { modelIn, ownCausal } from "../../state/choice.js";
import { changedMasks, MASKS } from "../../state/masks.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @import { Choosing, MaskRow, Sliding } from "../../state/masks.js" */
/** @typedef {{root: HTMLElement, show: (value: any, n: number, fixed: {edits: boolean, all: boolean}) => void}} Control `show` displays a value, for a text of n tokens; `fixed`: what cannot be changed */

/** @param {HTMLFormElement} form @param {HTMLElement} said on the button that opens the form @param {Store} store */
export function masks(form, said, store) {
  const hint = need(".hint", HTMLElement, form);
  /** @type {[MaskRow, Control][]} */
  const controls = MASKS.flatMap((row) => {
    if (!row.control) return [];
    /** @param {any} value */
    const set = (value) => store.update({ masks: { ...store.state.masks, [row.name]: value } });
    const { control } = row;
    return [[row, "options" in control ? choosing(row, control, set) : sliding(row, control, set)]];
  });
  form.prepend(...controls.map(([, { root }]) => root));
  form.addEventListener("submit", (event) => event.preventDefault());

  store.watch([...MODEL_KEYS, "masks", "kind", "grid"], (state) => {
    const { lacks, recorded } = modelIn(state);
    const n = state.grid?.trace.tokens[0]?.length ?? 2;
    const fixed = { edits: Boolean(lacks), all: Boolean(recorded) };
    for (const [{ name }, { show }] of controls) show(state.masks[name], n, fixed);
    const own = ownCausal(state);
    const option = form.querySelector('[name="causal"][value="own"] + span');
    if (option) option.textContent = words.ownMask(own);
    said.textContent = words.masksOn(onIn(state, own));
    hint.textContent = lacks
      ? words.noMasks(lacks, Boolean(recorded))
      : advice(state, state.masks.causal ?? own ?? false);
  });
}

/**
 * @param {MaskRow} row
 * @param {Choosing} control
 * @param {(value: any) => void} set
 * @returns {Control}
 */
function choosing({ name, edits }, { legend, key, options }, set) {
  const title = make("legend", { text: legend });
  if (key) title.append(" ", make("kbd", { text: key }));
  const radios = options.map((option) => radio(name, option.name, option.label));
  const root = make("fieldset", { class: "segments" }, [title, ...radios]);
  root.addEventListener("change", ({ target }) => {
    const option = options.find(
      (one) => target instanceof HTMLInputElement && one.name === target.value,
    );
    if (option) set(option.value);
  });
  return {
    root,
    show: (value, _, fixed) => {
      root.disabled = edits ? fixed.edits : fixed.all;
      check(name, options.find((option) => option.value === value)?.name ?? "", root);
    },
  };
}

/**
 * @param {MaskRow} row
 * @param {Sliding} control
 * @param {(value: number | null) => void} set
 * @returns {Control}
 */
function sliding({ name }, { label, off, shown, about }, set) {
  const input = make("input");
  Object.assign(input, { type: "range", id: name, step: "1", min: off === "end" ? "1" : "0" });
  const output = make("output");
  output.id = `${name}-value`;
  output.setAttribute("for", name);
  const root = make("label", { class: "field slider", title: about }, [
    document.createTextNode(label),
    input,
    output,
  ]);
  const none = () => (off === "end" ? input.max : input.min);
  input.addEventListener("input", () => set(input.value === none() ? null : Number(input.value)));
  return {
    root,
    show: (value, n, fixed) => {
      input.disabled = fixed.edits;
      input.max = String(Math.max(n, (value ?? 0) + (off === "end" ? 1 : 0), 2));
      input.value = value === null ? none() : String(value);
      output.textContent = shown(value);
    },
  };
}

/** What the masks are set to, in a word or two each. @param {Readonly<State>} state @param {boolean | null} own whether the model has a causal mask */
function onIn({ masks, grid }, own) {
  const switches = MASKS.filter(({ name, toggle }) => {
    const counts = name !== "padding" || hasPadding(grid);
    return toggle?.isOn(masks[name], own) && counts;
  });
  const others = changedMasks(masks).filter(
    ({ control, toggle, edits }) => control && !toggle && edits,
  );
  const n = paintedIn({ masks });
  return [
    ...switches.flatMap(({ toggle }) => toggle?.brief ?? []),
    ...others.map(({ name, wording }) => wording.edit(masks[name])),
    ...(n > 0 ? [words.paintedCells(n)] : []),
  ];
}

/** @param {import("../../types.d.ts").Answer | null} grid */
export function hasPadding(grid) {
  if (!grid) return false;
  const { tokens, target_tokens } = grid.trace;
  return [...tokens, ...(target_tokens ?? [])].some((row) => row.some(({ padding }) => padding));
}

/**
 * @param {Readonly<State>} state
 * @param {boolean} causal whether a causal mask is on
 */
function advice({ masks, kind, grid }, causal) {
  if (kind === "cross") return words.CROSS_MASKS;
  const usual = masks.padding && masks.padding_side === "right"; // then nobody asks about padding
  if (!hasPadding(grid)) return usual ? "" : words.NO_PADDING;
  return causal && masks.padding_side === "right" ? words.RIGHT_PADDING : "";
}
