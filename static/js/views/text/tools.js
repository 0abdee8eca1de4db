// The tools of the text: what the token that is pointed at does, and whose weights are shown.

import { button, check, make, radio } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { modelIn } from "../../state/choice.js";
import { overlaid, toggled, withoutHead } from "../../state/overlay.js";
import { VIEWS } from "../../state/views.js";

/** @typedef {import("../../state/store.js").Store} Store */

const [{ settings }] = VIEWS.filter((view) => view.name === "text");

/** What is written on the buttons. */
const LABELS = {
  role: { query: "Looks at", key: "Is looked at by" },
  over: { head: "This head", layer: "Layer mean", set: "Set mean" },
};

/** @param {HTMLElement} root @param {Store} store @param {() => void} retry ask again for the heads */
export function textTools(root, store, retry) {
  const role = choice(store, "role", "The token");
  const over = choice(store, "over", "Heads");
  const list = make("ul", { class: "text-heads" });
  const keep = () => {
    const { overlay, layer, head } = store.state;
    store.update({ overlay: toggled(overlay, [layer, head]) });
  };
  const add = button("+ this head", keep, {
    title: "Keep this head in the set while others are looked at",
  });
  add.setAttribute("aria-keyshortcuts", "h");
  const chooser = make("div", { class: "text-chooser" }, [list, add]);
  chooser.setAttribute("role", "group");
  chooser.setAttribute("aria-label", "Heads of the set");
  const again = tryAgain(retry);
  root.append(role, over, chooser, again);

  list.addEventListener("click", ({ target }) => {
    const chosen = target instanceof Element ? target.closest("button") : null;
    const place = chosen ? [...list.querySelectorAll("button")].indexOf(chosen) : -1;
    if (place < 0) return;
    const { state } = store;
    store.update({ overlay: withoutHead(state.overlay, overlaid(state, modelIn(state))[place]) });
    add.focus(); // where a keyboard goes on
  });

  store.watch(["kind"], ({ kind }) => {
    role.hidden = kind === "cross"; // there the text says it: a target looks, a source is looked at
  });
  store.watch(["text", "over"], ({ text, over }) => {
    again.hidden = over === "head" || !text?.problem?.retry;
  });
  store.watch(["over", "overlay", "kind", "layer", "head", "model", "models"], (state) => {
    chooser.hidden = state.over !== "set";
    const heads = overlaid(state, modelIn(state));
    const kept = heads.some(([layer, head]) => layer === state.layer && head === state.head);
    add.disabled = kept;
    list.replaceChildren(
      ...(kept ? [] : [make("li", { class: "own", text: nameOf([state.layer, state.head]) })]),
      ...heads.map((head) => {
        const remove = button("×", null, { class: "quiet" });
        remove.setAttribute("aria-label", `Take ${nameOf(head)} away`);
        return make("li", { text: nameOf(head) }, [remove]);
      }),
    );
  });
}

/** @param {[layer: number, head: number]} head */
const nameOf = ([layer, head]) => `L${layer} · H${head}`;

/**
 * @template {keyof typeof LABELS} K
 * @param {Store} store
 * @param {K} key
 * @param {string} name
 */
function choice(store, key, name) {
  const known = settings[key];
  const field = make("fieldset", { class: "segments" }, [
    make("legend", { text: name }),
    ...known.map((value) =>
      radio(key, value, /** @type {Record<string, string>} */ (LABELS[key])[value]),
    ),
  ]);
  field.addEventListener("change", ({ target }) => {
    const chosen = known.find(
      (value) => target instanceof HTMLInputElement && value === target.value,
    );
    if (chosen) store.update({ [key]: chosen });
  });
  store.watch([key], (state) => check(key, state[key], field));
  return field;
}
