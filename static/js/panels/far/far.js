// Far links: the strongest attention between tokens that are far apart, over an overview of the whole text. A click on one jumps to it.

import { busyWith } from "../../dom/busy.js";
import { button, make, unique, write } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { detailOf } from "../../numbers/detail.js";
import { weight } from "../../words/format.js";
import { shortName } from "../../words/heads.js";
import { isOpen, isSelected, jumpTo, linksIn } from "./links.js";
import { overview } from "./overview.js";
import { DISTANCES, distanceOf } from "./request.js";
import { save } from "./save.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @import { Link } from "./links.js" */

/** @param {HTMLElement} panel @param {Store} store @param {() => void} retry */
export function far(panel, store, retry) {
  const summary = make("p", { class: "summary" });
  summary.setAttribute("role", "status");
  const again = tryAgain(retry);
  const body = make("tbody");
  const columns = words.COLUMNS.map((text) => {
    const heading = make("th", { text });
    heading.scope = "col";
    return heading;
  });
  const table = make("table", { class: "far-links" }, [
    make("caption", { class: "unseen", text: words.CAPTION }),
    make("thead", {}, [make("tr", {}, columns)]),
    body,
  ]);
  const source = make("p", { class: "source" });
  const strip = overview(store);
  const chosen = settings(store);
  panel.append(strip, chosen, summary, again, table, source);

  busyWith(panel, store, ["far"]);
  store.watch(["far", "detail", "shown", "models", "right"], (state) => {
    if (!isOpen(state)) return;
    const found = linksIn(state);
    const largest = found?.links[0]?.weight ?? 0;
    const problem = state.far?.problem ?? null;
    again.hidden = !problem?.retry;
    if (strip.hidden !== (problem !== null)) {
      strip.hidden = problem !== null; // the reason stands in its place
      (problem ? strip : chosen).after(summary);
    }
    table.hidden = source.hidden = !found || found.links.length === 0;
    const focused = body.querySelector(":focus") !== null;
    body.replaceChildren(...(found?.links ?? []).map((link) => row(link, largest, store)));
    if (focused) body.querySelector("button")?.focus({ preventScroll: true });
    if (found) write(source, words.source(found.searched));
  });

  const selected = /** @type {const} */ (["kind", "layer", "head", "query", "key"]);
  store.watch(["far", "detail", "shown", "right", ...selected], (state) => {
    const links = linksIn(state)?.links ?? [];
    [...body.children].forEach((line, index) => {
      const link = links[index];
      if (link && isSelected(state, link)) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
    });
    write(summary, summaryOf(state));
  });
}

/** What is listed: how far, of which heads, and whether the first token counts. @param {Store} store */
function settings(store) {
  const name = unique("far-in");
  /** @param {State["far_in"]} value */
  const radio = (value) => {
    const input = make("input");
    Object.assign(input, { type: "radio", name, value });
    input.addEventListener("change", () => store.update({ far_in: value }));
    return input;
  };
  const radios = words.SCOPES.map(({ value, text }) => ({ input: radio(value), text }));
  const scope = make(
    "fieldset",
    { class: "segments" },
    radios.map(({ input, text }) => make("label", {}, [input, make("span", { text })])),
  );
  scope.setAttribute("aria-label", words.SCOPE);
  const slider = make("input");
  Object.assign(slider, { type: "range", min: "0", step: "1" });
  const output = make("output");
  slider.addEventListener("input", () =>
    store.update({ far_least: DISTANCES[slider.valueAsNumber] }),
  );
  const first = make("input");
  first.type = "checkbox";
  first.addEventListener("change", () => store.update({ far_first: first.checked }));

  const from = /** @type {const} */ (["far_in", "far_least", "far_first", "texts", "targets"]);
  store.watch([...from, "detail", "shown"], (state) => {
    for (const { input } of radios) input.checked = input.value === state.far_in;
    const n = detailOf(state)?.queries.length ?? 0;
    const distance = distanceOf(state);
    const steps = DISTANCES.filter((step) => step < n || step <= distance);
    slider.max = String(Math.max(1, steps.length - 1));
    slider.value = String(DISTANCES.findLastIndex((step) => step <= distance));
    slider.setAttribute("aria-valuetext", words.apart(distance));
    output.textContent = words.apart(distance);
    first.checked = state.far_first;
  });
  return make("div", { class: "far-settings" }, [
    scope,
    make("label", { class: "field slider" }, [
      document.createTextNode(`${words.AT_LEAST} `),
      slider,
      output,
    ]),
    make("label", { class: "field", title: words.FIRST_WHY }, [
      first,
      document.createTextNode(` ${words.FIRST}`),
    ]),
  ]);
}

/** The line above the table. @param {Readonly<State>} state */
function summaryOf(state) {
  const { status, problem } = state.far ?? { status: "loading", problem: null };
  if (problem) return problem.message;
  const found = linksIn(state);
  if (!found) return status === "loading" ? words.LOOKING : words.NO_NUMBERS;
  if (found.searched === 0) return words.nothing(distanceOf(state));
  const chosen = found.links.find((link) => isSelected(state, link));
  return chosen ? words.inWords(chosen) : words.CLICK;
}

/** @param {Link} link @param {number} largest the weight of a bar of full length @param {Store} store */
function row(link, largest, store) {
  const go = button(weight(link.weight), () => store.update(jumpTo(store.state, link)));
  go.setAttribute("aria-label", words.rowLabel(link));
  const line = make("tr", {}, [
    make("td", { class: "far-weight" }, [go]),
    make("td", {
      text: link.from,
      title: words.context({ ...link.around, end: "from" }),
      verbatim: true,
    }),
    make("td", {
      text: link.to,
      title: words.context({ ...link.around, end: "to" }),
      verbatim: true,
    }),
    make("td", { class: "number", text: words.distance(link) }),
    make("td", { text: shortName(link), class: "faint" }),
  ]);
  line.style.setProperty("--share", String(largest > 0 ? link.weight / largest : 0));
  line.addEventListener("click", ({ target }) => {
    if (target instanceof Element && !target.closest("button")) go.click();
  });
  return line;
}

/** @type {import("../panel.js").Part["make"]} */
const made = (root, store, { retry }) => far(root, store, retry);

export { made as make, save };
