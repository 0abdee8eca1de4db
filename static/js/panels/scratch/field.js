// One setting of a mechanism: its control, whether it was changed, and what is wrong with it.

import { button, make } from "../../dom/dom.js";
import { commas, sentences } from "../../language/gettext.js";
import {
  idle,
  mechanismOf,
  parsed,
  resolved,
  scratchModel,
} from "../../sources/scratch/settings.js";
import { optionsOf, rowOf, valueInWords } from "../../sources/scratch/table.js";
import * as words from "./words.js";

/** @import { Mechanism, Setting, Settings, State } from "../../types.d.ts" */
/** @typedef {keyof Settings} Name */
/** @typedef {{root: HTMLElement, show: (state: Readonly<State>, mechanism: Mechanism) => void}} Field */

const OTHER = "other"; // a scale that is typed

/** The options of a list; a number without any is typed. @param {Setting} setting @returns {readonly (readonly [value: string, text: string])[]} */
function listOf(setting) {
  const known = optionsOf(setting);
  return setting.type === "number" && known.length > 0
    ? [...known, [OTHER, words.A_NUMBER]]
    : known;
}

/**
 * @param {Setting} setting
 * @param {(changes: Partial<Settings>) => void} set
 * @returns {Field}
 */
export function field(setting, set) {
  const { name, type } = setting;
  const message = make("span", { class: "setting-problem" });
  message.id = `setting-${name}-problem`;
  const { label: text } = rowOf(name);
  const control =
    listOf(setting).length > 0 ? select(setting) : type === "flag" ? checkbox() : number(setting);
  const typed = type === "number" && control instanceof HTMLSelectElement ? number(setting) : null;
  typed?.setAttribute("aria-label", words.asNumber(text));
  const reset = () => {
    error = "";
    set({ [name]: undefined });
    control.focus(); // the button disappears
  };
  const back = button("↺", reset, { class: "quiet setting-back" });
  const label = make("label", {}, [make("span", { text }), control]);
  const root = make("span", { class: "setting" }, [
    label,
    ...(typed ? [typed] : []),
    back,
    message,
  ]);
  root.dataset.setting = name;
  let error = ""; // about what was typed, until something else is typed

  /** @param {string} problem */
  const showError = (problem) => {
    message.textContent = problem;
    for (const one of [control, typed]) one?.setAttribute("aria-invalid", String(problem !== ""));
    control.setAttribute("aria-describedby", message.id);
  };
  /** @param {string} entry "" for the mechanism's own value */
  const enter = (entry) => {
    const value = entry === "" ? undefined : parsed(setting, entry);
    error = value === undefined && entry !== "" ? limitsError(setting) : "";
    showError(error);
    if (entry === "") {
      set({ [name]: undefined });
      redraw();
    }
    if (value !== undefined) set({ [name]: value });
  };
  let shownFor = ""; // the mechanism: an error about what was typed for another one is dropped
  let redraw = () => {}; // in case the state has not changed
  root.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "checkbox") {
      set({ [name]: target.checked });
    } else if (typed && target === typed) enter(typed.value);
    else if (target instanceof HTMLInputElement) enter(target.value);
    else if (target instanceof HTMLSelectElement && target.value === OTHER) {
      typed?.removeAttribute("hidden");
      typed?.focus();
    } else if (target instanceof HTMLSelectElement) enter(target.value);
  });

  return {
    root,
    show: function show(state, mechanism) {
      redraw = () => show(state, mechanism);
      if (shownFor !== mechanism.id) error = "";
      shownFor = mechanism.id;
      const { scratch, problem } = state;
      const all = resolved(scratch, mechanism);
      const value = all[name];
      const reason = idle(name, mechanism);
      const changed = scratch[name] !== undefined;
      root.classList.toggle("modified", changed);
      back.hidden = !changed;
      const usual = valueInWords(name, resolved({ mechanism: mechanism.id }, mechanism)[name]);
      back.title = words.resetTitle(usual);
      back.setAttribute("aria-label", words.resetLabel({ setting: text, value: usual }));
      control.disabled = reason !== "";
      root.title = reason;
      if (control instanceof HTMLSelectElement) {
        const text = String(value ?? "");
        const listed = listOf(setting).some(([one]) => one === text);
        control.value = listed ? text : OTHER;
        if (typed) {
          typed.hidden = Boolean(listed) && document.activeElement !== typed;
          typed.value = listed ? "" : text;
          typed.disabled = control.disabled;
        }
      } else if (control.type === "checkbox") control.checked = Boolean(value);
      else {
        const explicit = scratch[name] ?? mechanism.defaults[name];
        const divides = name !== "d_head" || all.d_model % all.n_heads === 0;
        control.placeholder = divides ? String(value ?? words.NONE) : "";
        if (error === "" || changed) control.value = String(explicit ?? "");
      }
      if (changed) error = "";
      const refused = problem?.field === `scratch.${name}` ? problem.message : "";
      showError(error || refused);
    },
  };
}

/** @param {Setting} setting */
function limitsError({ type, limits }) {
  const [min, max] = limits ?? [0, 0];
  return words.boundsInWords({ min, max, whole: type !== "number" });
}

/** @param {Setting} setting */
function select(setting) {
  const element = make("select");
  element.append(
    ...listOf(setting).map(([value, text]) => {
      const option = make("option", { text });
      option.value = value;
      return option;
    }),
  );
  return element;
}

function checkbox() {
  const element = make("input");
  element.type = "checkbox";
  return element;
}

/** @param {Setting} setting */
function number({ type, limits }) {
  const element = make("input");
  element.type = "number";
  element.step = type === "number" ? "any" : "1";
  if (limits) [element.min, element.max] = limits.map(String);
  return element;
}

/** Why some settings of a group have no effect, each reason once. @param {Name[]} names @param {Mechanism} mechanism */
export function reasons(names, mechanism) {
  /** @type {Map<string, string[]>} */
  const byReason = new Map();
  for (const name of names) {
    const reason = idle(name, mechanism);
    if (reason) byReason.set(reason, [...(byReason.get(reason) ?? []), rowOf(name).label]);
  }
  return sentences(
    [...byReason].map(([reason, labels]) => words.noEffect({ settings: commas(labels), reason })),
  );
}

/** The mechanism of a state. @param {Readonly<State>} state */
export function mechanismIn(state) {
  const model = scratchModel(state.models);
  return model && mechanismOf(model, state.scratch);
}
