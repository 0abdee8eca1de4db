// The plan: its steps are walked with the arrow keys. A step opens a state or a lesson, asks something, or is what the teacher says.

import { button, make, need } from "../../dom/dom.js";
import { CLICKER, goTo, walk, walkWith } from "../walk.js";
import * as words from "./words.js";

/** @import { ClassDocument, PlanStep as Step } from "../types.d.ts" */

const FILE = "file";

/**
 * @param {import("../types.d.ts").ClassApi} api
 * @param {(error: unknown) => void} fail
 */
export function plan(api, fail) {
  const choice = need("#plan-choice", HTMLSelectElement);
  const file = need("#plan-file", HTMLInputElement);
  const list = need("#steps", HTMLOListElement);
  /** @type {Record<string, {title: string, steps: Step[]}>} */
  let known = {};
  let drawn = "";
  let title = "";

  const choices = () => {
    const names = Object.entries(known);
    choice.replaceChildren(
      ...(title && !names.some(([, one]) => one.title === title) ? [option("", title)] : []),
      ...(title ? [] : [option("", words.NONE)]),
      ...names.map(([name, one]) => option(name, one.title)),
      option(FILE, words.OWN_PLAN),
    );
    choice.value = names.find(([, one]) => one.title === title)?.[0] ?? "";
  };
  /** @param {unknown} document */
  const use = (document) => api.plan(document).catch(fail);
  choice.addEventListener("change", () => {
    if (choice.value === FILE) file.click();
    else if (known[choice.value]) use(known[choice.value]);
    if (choice.value === FILE) choices(); // until a file is chosen
  });
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    file.value = "";
    if (!chosen) return;
    try {
      use(JSON.parse(await chosen.text()));
    } catch {
      fail(new Error(words.NOT_A_PLAN));
    }
  });

  /** @type {ClassDocument | null} */
  let now = null;
  /** @param {number} index */
  const go = (index) => now && goTo(api, now, index).catch(fail);
  const move = (/** @type {number} */ by) => now && walk(api, now, by).catch(fail);
  need("#step-back", HTMLButtonElement).addEventListener("click", () => move(-1));
  need("#step-on", HTMLButtonElement).addEventListener("click", () => move(1));
  walkWith({ ...CLICKER, ArrowLeft: -1, ArrowRight: 1 }, move);

  api
    .plans()
    .then((plans) => {
      known = plans;
      choices();
    })
    .catch(fail);

  return (/** @type {ClassDocument} */ document) => {
    const { desk, step } = document;
    now = document;
    const steps = desk?.plan?.steps ?? [];
    const at = step?.index ?? -1;
    const shown = JSON.stringify([desk?.plan?.title, steps.length, at]);
    if (shown === drawn) return;
    drawn = shown;
    title = desk?.plan?.title ?? "";
    choices();
    const time = (/** @type {number} */ timer) => void api.patch({ timer }).catch(fail);
    const items = steps.map((one, index) => stepItem(one, index === at, () => go(index), time));
    list.replaceChildren(
      ...(items.length > 0 ? items : [make("li", { text: words.NO_PLAN, class: "faint" })]),
    );
    list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  };
}

/** @param {Step} step @param {boolean} isNow @param {() => void} go @param {(minutes: number) => void} time start a timer */
function stepItem({ title, part, minutes, notes }, isNow, go, time) {
  const opener = button(title, go, { class: "quiet" });
  const isHeaded = part !== undefined && part !== title;
  const heading = isHeaded ? [make("h3", { text: words.partOf(part, minutes) })] : [];
  const long =
    minutes && !isHeaded ? [make("span", { class: "faint", text: words.minutes(minutes) })] : [];
  const about = notes && isNow ? [make("p", { text: notes })] : [];
  const timer = minutes && isNow ? [button(words.TIME_IT, () => time(minutes))] : [];
  const parts = [...heading, opener, ...long, ...about, ...timer];
  const item = make("li", { class: part ? "part" : "" }, parts);
  if (isNow) item.setAttribute("aria-current", "step");
  return item;
}

/** @param {string} value @param {string} text */
function option(value, text) {
  const made = make("option", { text });
  made.value = value;
  return made;
}
