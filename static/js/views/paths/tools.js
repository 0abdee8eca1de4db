// The tools of the path map: how weak an edge may be, and of what the routes are.

import { check, make, unique } from "../../dom/dom.js";
import { percentage } from "../../language/language.js";
import { TOOLS } from "./words.js";

/** @param {import("../../state/store.js").Store} store */
export function pathsTools(store) {
  const slider = make("input");
  const id = unique("paths-weakest");
  Object.assign(slider, { type: "range", min: "0", max: "60", step: "5", id });
  const share = make("output");
  share.setAttribute("for", id);
  const weakest = make("label", { class: "paths-weakest" }, [
    make("span", { text: TOOLS.weakest }),
    slider,
    share,
    make("span", { text: TOOLS.of }),
  ]);
  const rival = make("fieldset", { class: "segments" }, [
    make("legend", { text: TOOLS.rival }),
    choice("second", TOOLS.second, TOOLS.secondTitle),
    choice("none", TOOLS.none, TOOLS.noneTitle),
  ]);
  slider.addEventListener("input", () => store.update({ weakest: Number(slider.value) / 100 }));
  rival.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    store.update({ rival: target.value === "none" ? "none" : "second" });
  });
  store.watch(["weakest"], (state) => {
    const percent = String(Math.round(100 * state.weakest));
    if (slider.value !== percent) slider.value = percent;
    share.textContent = percentage(String(percent));
  });
  store.watch(["rival"], (state) => check("rival", state.rival, rival));
  return make("div", { class: "paths-tools" }, [weakest, rival]);
}

/** @param {string} value @param {string} text @param {string} title */
function choice(value, text, title) {
  const input = make("input");
  Object.assign(input, { type: "radio", name: "rival", value });
  return make("label", { title }, [input, make("span", { text })]);
}
