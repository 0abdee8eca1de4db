// The panel "From scratch": the mechanism, its settings, what goes wrong on purpose, and what people believe.

import { make, need, write } from "../../dom/dom.js";
import { translated } from "../../language/gettext.js";
import { mechanismOf, modified, resolved, scratchModel } from "../../sources/scratch/settings.js";
import { DEFAULT_TARGET } from "../../sources/scratch/texts.js";
import { keptInWords, recipe } from "../../sources/scratch/words.js";
import { modelIn } from "../../state/choice.js";
import { beliefSwitches } from "./belief-switches.js";
import { mechanismIn } from "./field.js";
import { MeasureRequests } from "./measures.js";
import { mistakeSwitches } from "./mistake-switches.js";
import { settings } from "./settings.js";
import { defaultTarget, modifiedCount, UNTRAINED } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

/** The parts of the panel, of which one is open. */
const PARTS = { settings, mistakes: mistakeSwitches, beliefs: beliefSwitches };
/** @typedef {keyof typeof PARTS} Part */
const PART_NAMES = /** @type {Part[]} */ (Object.keys(PARTS));

/**
 * @param {HTMLDetailsElement} root
 * @param {Store} store
 * @param {() => void} measure asks for the measures again
 * @returns {MeasureRequests} what to ask for, while somebody looks at it
 */
export function scratchPanel(root, store, measure) {
  /** @param {string} name */
  const part = (name) => need(`[data-part="${name}"]`, HTMLElement, root);
  const select = need("select", HTMLSelectElement, root);
  const back = need("button", HTMLButtonElement, root);
  const choice = need("fieldset", HTMLFieldSetElement, root);
  const [about, name, line, changed, note] = [
    ...["about", "name", "recipe", "modified", "note"].map(part),
  ];
  const requests = new MeasureRequests();
  for (const one of PART_NAMES) PARTS[one](part(one), store);

  const openPart = () => {
    const checked = choice.querySelector("input:checked");
    const open = PART_NAMES.find(
      (one) => checked instanceof HTMLInputElement && one === checked.value,
    );
    return open ?? "settings";
  };
  /** Tells the style sheet which part the page makes room for: "" while the panel is closed. */
  const makeRoom = () => {
    const place = root.closest("main");
    if (root.hidden) place?.removeAttribute("data-scratch");
    else place?.setAttribute("data-scratch", root.open ? openPart() : "");
  };
  const showPart = () => {
    const open = openPart();
    for (const one of PART_NAMES) part(one).hidden = one !== open;
    makeRoom();
    const wanted = root.open && open !== "settings";
    if (wanted === requests.wanted) return;
    requests.wanted = wanted;
    measure();
  };
  choice.addEventListener("change", showPart);
  root.addEventListener("toggle", showPart);

  select.addEventListener("change", () => store.update(chosen(store.state, select.value)));
  back.addEventListener("click", () => {
    store.update({ scratch: { mechanism: store.state.scratch.mechanism } });
    select.focus(); // the button disappears
  });

  const train = root.querySelector("#scratch-train"); // a page in one file has none
  let instead = false; // whether Start, which has no settings, shows another part
  store.watch(["depth"], ({ depth }) => {
    const isStart = depth === "start";
    const wanted = isStart ? "settings" : "mistakes";
    if (openPart() !== wanted || isStart === instead) return;
    instead = isStart;
    const other = isStart ? "mistakes" : "settings";
    need(`[value="${other}"]`, HTMLInputElement, choice).checked = true;
    setTimeout(showPart); // once the page is made: it measures
  });
  store.watch(["models"], ({ models }) => {
    const known = scratchModel(models)?.mechanisms ?? [];
    if (known.length === select.options.length) return;
    select.replaceChildren(
      ...known.map((mechanism) => {
        const option = make("option", {
          text: translated(mechanism.name),
          title: translated(mechanism.about),
        });
        option.value = mechanism.id;
        return option;
      }),
    );
  });
  store.watch(["model", "models", "scratch", "detail", "targets", "shown"], (state) => {
    const model = modelIn(state);
    const mechanism = mechanismIn(state);
    root.hidden = !model.mechanisms || !mechanism;
    makeRoom();
    if (!mechanism || root.hidden) return;
    const { scratch, detail } = state;
    select.value = mechanism.id;
    if (train instanceof HTMLAnchorElement)
      train.href = `/train?${new URLSearchParams({ mechanism: mechanism.id, n_heads: "2" })}`; // some take heads two by two
    name.textContent = translated(mechanism.name);
    const n = modified(scratch, mechanism).length + Number(scratch.weights !== undefined);
    changed.textContent = modifiedCount(n);
    back.hidden = n === 0;
    const applied = detail?.trace.scratch; // as the model ran
    const drawn = applied ? mechanismOf(model, applied) : undefined;
    const ran = drawn && applied ? applied : resolved(scratch, mechanism);
    line.textContent = recipe(ran, drawn && applied ? drawn : mechanism);
    const writes = mechanism.causal && !mechanism.cross;
    write(about, [translated(mechanism.about), writes ? ` ${keptInWords(ran)}` : ""]);
    const isDefault = mechanism.cross && state.targets[state.shown] === DEFAULT_TARGET;
    note.textContent = isDefault ? `${defaultTarget(DEFAULT_TARGET)} ${UNTRAINED}` : UNTRAINED;
  });
  return requests;
}

/**
 * Another mechanism with its own settings, at its first head.
 * @param {Readonly<State>} state
 * @param {string} mechanism
 * @returns {Partial<State>}
 */
function chosen({ masks, models }, mechanism) {
  const cross = mechanismOf(scratchModel(models) ?? { mechanisms: null }, { mechanism })?.cross;
  return {
    scratch: { mechanism },
    layer: 0,
    head: 0,
    muted: [],
    query: null,
    lacks: {},
    masks: { ...masks, blocked: [], allowed: [] },
    kind: cross ? "cross" : "self",
  };
}
