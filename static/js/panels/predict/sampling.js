// How predictions are listed: the temperature and the length of the list.

import { button, make } from "../../dom/dom.js";
import { fixed } from "../../language/language.js";
import { modelIn } from "../../state/choice.js";
import { DEFAULTS, stepOf, TEMPERATURE_STEPS, temperatureAt } from "./rows.js";
import { SAMPLING } from "./words.js";

/** @import { Store } from "../../state/store.js" */

/** The row of controls. @param {Store} store */
export function sampling(store) {
  const temperature = slider(SAMPLING.temperature, TEMPERATURE_STEPS);
  const topP = slider(SAMPLING.topP, { min: 1, max: 100 });
  const topK = make("input", { class: "number" });
  Object.assign(topK, { type: "number", min: "1", max: "100", step: "1", name: "top_k" });
  const restore = () => {
    store.update(DEFAULTS);
    temperature.input.focus(); // the button disappears
  };
  const reset = button("↺", restore, { class: "quiet", title: SAMPLING.reset.title });
  reset.setAttribute("aria-label", SAMPLING.reset.label);
  const form = make("form", { class: "sampling" }, [
    temperature.field,
    make("label", { title: SAMPLING.topK.title }, [
      make("span", { text: SAMPLING.topK.text }),
      topK,
    ]),
    topP.field,
    reset,
  ]);
  form.setAttribute("aria-label", SAMPLING.label);
  form.addEventListener("submit", (event) => event.preventDefault());

  store.watch(["temperature", "top_k", "top_p", "model", "models"], (state) => {
    for (const { input } of [temperature, topP]) input.disabled = Boolean(modelIn(state).recorded);
    temperature.show(stepOf(state.temperature), String(state.temperature));
    topP.show(
      Math.round(100 * state.top_p),
      state.top_p < 1 ? fixed(state.top_p, 2) : SAMPLING.off,
    );
    if (Number(topK.value) !== state.top_k) topK.value = String(state.top_k);
    reset.hidden = state.temperature === 1 && state.top_p === 1 && state.top_k === DEFAULTS.top_k;
  });
  temperature.input.addEventListener("input", () =>
    store.update({ temperature: temperatureAt(temperature.input.valueAsNumber) }),
  );
  topP.input.addEventListener("input", () =>
    store.update({ top_p: topP.input.valueAsNumber / 100 }),
  );
  topK.addEventListener("input", () => {
    const top_k = topK.valueAsNumber;
    if (Number.isInteger(top_k) && top_k >= 1 && top_k <= 100) store.update({ top_k });
  });
  topK.addEventListener("change", () => {
    topK.value = String(store.state.top_k); // what was typed may be invalid
  });
  return form;
}

/** @param {{text: string, label: string, title: string}} words @param {{min: number, max: number}} range */
function slider({ text, label, title }, { min, max }) {
  const input = make("input");
  Object.assign(input, { type: "range", min: String(min), max: String(max), step: "1" });
  const output = make("output");
  const field = make("label", { title }, [make("span", { text }), input, output]);
  input.setAttribute("aria-label", label);
  return {
    field,
    input,
    /** @param {number} step @param {string} value */
    show: (step, value) => {
      if (input.valueAsNumber !== step) input.value = String(step);
      output.textContent = value;
      input.setAttribute("aria-valuetext", value);
    },
  };
}
