// One setting of a mechanism: its control, whether it is the mechanism's own, and what is wrong with it.

import { button, make } from "../../dom/dom.js";
import {
  idle,
  mechanismOf,
  parsed,
  resolved,
  scratchModel,
} from "../../sources/scratch/settings.js";
import { optionsOf, rowOf, valueInWords } from "../../sources/scratch/table.js";

/** @typedef {import("../../types.d.ts").Mechanism} Mechanism */
/** @typedef {import("../../types.d.ts").Setting} Setting */
/** @typedef {import("../../types.d.ts").Settings} Settings */
/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {keyof Settings} Name */
/** @typedef {{root: HTMLElement, show: (state: Readonly<State>, mechanism: Mechanism) => void}} Field */

const OTHER = "other"; // a scale that is typed
/** What a select offers. @param {Setting} setting @returns {readonly (readonly [value: string, text: string])[]} */
const listOf = (setting) =>
  setting.type === "number" ? [...optionsOf(setting), [OTHER, "a number"]] : optionsOf(setting);

/**
 * @param {Setting} setting
 * @param {(changes: Partial<Settings>) => void} set
 * @returns {Field}
 */
export function field(setting, set) {
  const { name, type } = setting;
  const words = make("span", { class: "setting-problem" });
  words.id = `setting-${name}-problem`;
  const { label: called } = rowOf(name);
  const control =
    listOf(setting).length > 0 ? select(setting) : type === "flag" ? checkbox() : number(setting);
  const typed = type === "number" ? number(setting) : null;
  typed?.setAttribute("aria-label", `${called}, as a number`);
  const reset = () => {
    own = "";
    set({ [name]: undefined });
    control.focus(); // the button is gone
  };
  const back = button("↺", reset, { class: "quiet setting-back" });
  const label = make("label", {}, [make("span", { text: called }), control]);
  const root = make("span", { class: "setting" }, [label, ...(typed ? [typed] : []), back, words]);
  root.dataset.setting = name;
  let own = ""; // what is wrong with what was typed, until something else is

  /** @param {string} text */
  const complain = (text) => {
    words.textContent = text;
    for (const one of [control, typed]) one?.setAttribute("aria-invalid", String(text !== ""));
    control.setAttribute("aria-describedby", words.id);
  };
  /** @param {string} text as it is typed */
  const take = (text) => {
    // nothing typed is the mechanism's own
    const value = text === "" ? undefined : parsed(setting, text);
    own = value === undefined && text !== "" ? outside(setting) : "";
    complain(own);
    if (text === "") {
      set({ [name]: undefined });
      again();
    }
    if (value !== undefined) set({ [name]: value });
  };
  let of = ""; // the mechanism that is shown: what was typed for another is gone with it
  let again = () => {}; // shows what stands, where nothing has changed
  root.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "checkbox") {
      set({ [name]: target.checked });
    } else if (typed && target === typed) take(typed.value);
    else if (target instanceof HTMLInputElement) take(target.value);
    else if (target instanceof HTMLSelectElement && target.value === OTHER) {
      typed?.removeAttribute("hidden");
      typed?.focus();
    } else if (target instanceof HTMLSelectElement) take(target.value);
  });

  return {
    root,
    show: function show(state, mechanism) {
      again = () => show(state, mechanism);
      if (of !== mechanism.id) own = "";
      of = mechanism.id;
      const { scratch, problem } = state;
      const all = resolved(scratch, mechanism);
      const value = all[name];
      const reason = idle(name, mechanism);
      const changed = scratch[name] !== undefined;
      root.classList.toggle("modified", changed);
      back.hidden = !changed;
      const usual = valueInWords(name, resolved({ mechanism: mechanism.id }, mechanism)[name]);
      back.title = `Back to ${usual}`;
      back.setAttribute("aria-label", `${called}: back to ${usual}`);
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
        const stated = scratch[name] ?? mechanism.defaults[name];
        const divides = name !== "d_head" || all.d_model % all.n_heads === 0;
        control.placeholder = divides ? String(value) : "";
        const text = String(stated ?? "");
        if (own === "" || changed) control.value = text;
      }
      if (changed) own = "";
      const refused = problem?.field === `scratch.${name}` ? problem.message : "";
      complain(own || refused);
    },
  };
}

/** @param {Setting} setting */
function outside({ type, limits }) {
  const [least, most] = limits ?? [0, 0];
  return `From ${least.toLocaleString("en")} to ${most.toLocaleString("en")}${type === "number" ? "" : ", whole"}.`;
}

/** @param {Setting} setting */
function select(setting) {
  const made = make("select");
  made.append(
    ...listOf(setting).map(([value, text]) => {
      const option = make("option", { text });
      option.value = value;
      return option;
    }),
  );
  return made;
}

function checkbox() {
  const made = make("input");
  made.type = "checkbox";
  return made;
}

/** @param {Setting} setting */
function number({ type, limits }) {
  const made = make("input");
  made.type = "number";
  made.step = type === "number" ? "any" : "1";
  if (limits) [made.min, made.max] = limits.map(String);
  return made;
}

/** Why some settings of a group mean nothing, each reason once. @param {Name[]} names @param {Mechanism} mechanism */
export function reasons(names, mechanism) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const name of names) {
    const reason = idle(name, mechanism);
    if (reason) found.set(reason, [...(found.get(reason) ?? []), rowOf(name).label]);
  }
  return [...found].map(([reason, labels]) => `${labels.join(", ")}: ${reason}`).join(" ");
}

/** The mechanism of a state. @param {Readonly<State>} state */
export function mechanismIn(state) {
  const model = scratchModel(state.models);
  return model && mechanismOf(model, state.scratch);
}
