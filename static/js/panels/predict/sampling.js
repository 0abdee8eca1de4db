// How predictions are listed: the temperature and the length of the list.

import { button, make } from "../../dom/dom.js";
import { stepOf, TEMPERATURE_STEPS, temperatureAt, USUAL } from "./rows.js";

/** @typedef {import("../../state/store.js").Store} Store */

/** The row of controls. @param {Store} store */
export function sampling(store) {
  const temperature = slider(
    "temp.",
    TEMPERATURE_STEPS,
    "Temperature: below 1 favours the most likely tokens, above 1 the others",
  );
  const topP = slider(
    "top-p",
    { min: 1, max: 100 },
    "The smallest set of most likely tokens with this total probability",
  );
  const topK = make("input", { class: "number" });
  Object.assign(topK, { type: "number", min: "1", max: "100", step: "1", name: "top_k" });
  const restore = () => {
    store.update(USUAL);
    temperature.input.focus(); // the button disappears
  };
  const reset = button("↺", restore, {
    class: "quiet",
    title: "Temperature 1, 10 tokens, no top-p",
  });
  reset.setAttribute("aria-label", "Reset how predictions are listed");
  const form = make("form", { class: "sampling" }, [
    temperature.field,
    make("label", { title: "The maximum number of tokens" }, [
      make("span", { text: "top-k" }),
      topK,
    ]),
    topP.field,
    reset,
  ]);
  form.setAttribute("aria-label", "How predictions are listed");
  form.addEventListener("submit", (event) => event.preventDefault());

  store.watch(["temperature", "top_k", "top_p"], (state) => {
    temperature.show(stepOf(state.temperature), String(state.temperature));
    topP.show(Math.round(100 * state.top_p), state.top_p < 1 ? state.top_p.toFixed(2) : "off");
    if (Number(topK.value) !== state.top_k) topK.value = String(state.top_k);
    reset.hidden = state.temperature === 1 && state.top_p === 1 && state.top_k === USUAL.top_k;
  });
  temperature.input.addEventListener("input", () =>
    store.update({ temperature: temperatureAt(temperature.input.valueAsNumber) }),
  );
  topP.input.addEventListener("input", () =>
    store.update({ top_p: topP.input.valueAsNumber / 100 }),
  );
  topK.addEventListener("input", () => {
    const wanted = topK.valueAsNumber;
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= 100) store.update({ top_k: wanted });
  });
  topK.addEventListener("change", () => {
    topK.value = String(store.state.top_k); // what was typed may be invalid
  });
  return form;
}

/** @param {string} name @param {{min: number, max: number}} range @param {string} title */
function slider(name, { min, max }, title) {
  const input = make("input");
  Object.assign(input, { type: "range", min: String(min), max: String(max), step: "1" });
  const output = make("output");
  const field = make("label", { title }, [make("span", { text: name }), input, output]);
  input.setAttribute("aria-label", name === "temp." ? "temperature" : name);
  return {
    field,
    input,
    /** @param {number} value @param {string} words */
    show: (value, words) => {
      if (input.valueAsNumber !== value) input.value = String(value);
      output.textContent = words;
      input.setAttribute("aria-valuetext", words);
    },
  };
}
