// The panel "From scratch": the mechanism, its settings, what goes wrong on purpose, and what people believe.

import { make, need } from "../../dom/dom.js";
import { mechanismOf, modified, resolved, scratchModel } from "../../sources/scratch/settings.js";
import { DEFAULT_TARGET } from "../../sources/scratch/texts.js";
import { recipe } from "../../sources/scratch/words.js";
import { modelIn } from "../../state/choice.js";
import { beliefs } from "./beliefs.js";
import { mechanismIn } from "./field.js";
import { Measuring } from "./measuring.js";
import { mistakes } from "./mistakes.js";
import { settings } from "./settings.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").State} State */

const PARTS = /** @type {const} */ (["settings", "mistakes", "beliefs"]);
const UNTRAINED =
  "Nobody trained these weights: there are no predictions, no lens and no mute effects.";

/**
 * @param {Store} store
 * @param {() => void} measure ask for what is measured
 * @returns {Measuring} what is to be asked for, while somebody looks at it
 */
export function scratchPanel(store, measure) {
  const root = need("#scratch", HTMLDetailsElement);
  const select = need("#mechanism", HTMLSelectElement);
  const about = need("#mechanism-about", HTMLElement);
  const name = need("#scratch-name", HTMLElement);
  const line = need("#scratch-recipe", HTMLElement);
  const changed = need("#scratch-modified", HTMLElement);
  const back = need("#scratch-back", HTMLButtonElement);
  const note = need("#scratch-note", HTMLElement);
  const measuring = new Measuring();
  settings(need("#scratch-settings", HTMLElement), store);
  mistakes(need("#scratch-mistakes", HTMLElement), store);
  beliefs(need("#scratch-beliefs", HTMLElement), store);

  const look = () => {
    const part = PARTS.find((one) => need(`#part-${one}`, HTMLInputElement).checked) ?? PARTS[0];
    for (const one of PARTS) need(`#scratch-${one}`, HTMLElement).hidden = one !== part;
    const now = root.open && part !== "settings";
    if (now === measuring.wanted) return;
    measuring.wanted = now;
    measure();
  };
  for (const one of PARTS) need(`#part-${one}`, HTMLInputElement).addEventListener("change", look);
  root.addEventListener("toggle", look);

  select.addEventListener("change", () => store.update(chosen(store.state, select.value)));
  back.addEventListener("click", () => {
    store.update({ scratch: { mechanism: store.state.scratch.mechanism } });
    select.focus(); // the button is gone
  });

  store.watch(["models"], ({ models }) => {
    const known = scratchModel(models)?.mechanisms ?? [];
    if (known.length === select.options.length) return;
    select.replaceChildren(
      ...known.map((mechanism) => {
        const option = make("option", { text: mechanism.name, title: mechanism.about });
        option.value = mechanism.id;
        return option;
      }),
    );
  });
  store.watch(["model", "models", "scratch", "detail", "targets", "shown"], (state) => {
    const model = modelIn(state);
    const mechanism = mechanismIn(state);
    root.hidden = !model.mechanisms || !mechanism;
    if (!mechanism || root.hidden) return;
    const { scratch, detail } = state;
    select.value = mechanism.id;
    about.textContent = mechanism.about;
    name.textContent = mechanism.name;
    const n = modified(scratch, mechanism).length + Number(scratch.weights !== undefined);
    changed.textContent = n > 0 ? `modified: ${n}` : "";
    back.hidden = n === 0;
    const ran = detail?.trace.scratch;
    const of = ran ? mechanismOf(model, ran) : undefined;
    line.textContent =
      of && ran ? recipe(ran, of) : recipe(resolved(scratch, mechanism), mechanism);
    const put = mechanism.cross && state.targets[state.shown] === DEFAULT_TARGET;
    note.textContent = put
      ? `“${DEFAULT_TARGET}” was put in as the second text: its words ask, those of the first are looked at. ${UNTRAINED}`
      : UNTRAINED;
  });
  return measuring;
}

/**
 * Another mechanism, in its own form; begin at its first head.
 * @param {Readonly<State>} state
 * @param {string} mechanism
 * @returns {Partial<State>}
 */
function chosen({ masks, models }, mechanism) {
  const cross = mechanismOf(scratchModel(models) ?? { mechanisms: null }, { mechanism })?.cross;
  return {
    ...{ scratch: { mechanism }, layer: 0, head: 0, muted: [], query: null, lacks: {} },
    masks: { ...masks, blocked: [], allowed: [] },
    kind: cross ? "cross" : "self",
  };
}
