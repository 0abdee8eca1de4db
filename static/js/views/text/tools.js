// The tools of the text: whether a token looks or is looked at, and whose weights are shown.

import { button, check, make, radio } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { modelIn } from "../../state/choice.js";
import { overlaid, toggled, withoutHead } from "../../state/overlay.js";
import { VIEWS } from "../../state/views.js";
import { HEAD_LIST, shortHeadName } from "../../words/heads.js";
import { TOOLS } from "./words.js";

/** @import { Store } from "../../state/store.js" */

const [{ settings }] = VIEWS.filter((view) => view.name === "text");

/** @param {HTMLElement} root @param {Store} store @param {() => void} retry ask again for the heads */
export function textTools(root, store, retry) {
  const role = choice(store, "role");
  const over = choice(store, "over");
  const list = make("ul", { class: "text-heads" });
  const keep = () => {
    const { overlay, layer, head } = store.state;
    store.update({ overlay: toggled(overlay, [layer, head]) });
  };
  const add = button(HEAD_LIST.add, keep, { title: TOOLS.add });
  add.setAttribute("aria-keyshortcuts", "h");
  const chooser = make("div", { class: "text-chooser" }, [list, add]);
  chooser.setAttribute("role", "group");
  chooser.setAttribute("aria-label", TOOLS.set);
  const again = tryAgain(retry);
  root.append(role, over, chooser, again);

  list.addEventListener("click", ({ target }) => {
    const chosen = target instanceof Element ? target.closest("button") : null;
    const place = chosen ? [...list.querySelectorAll("button")].indexOf(chosen) : -1;
    if (place < 0) return;
    const { state } = store;
    store.update({ overlay: withoutHead(state.overlay, overlaid(state, modelIn(state))[place]) });
    add.focus(); // the focused button is gone
  });

  store.watch(["kind"], ({ kind }) => {
    role.hidden = kind === "cross"; // the two texts have these roles: the target looks, the source is looked at
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
      ...(kept
        ? []
        : [make("li", { class: "own", text: shortHeadName([state.layer, state.head]) })]),
      ...heads.map((head) => {
        const remove = button("×", null, { class: "quiet" });
        remove.setAttribute("aria-label", HEAD_LIST.remove(shortHeadName(head)));
        return make("li", { text: shortHeadName(head) }, [remove]);
      }),
    );
  });
}

/**
 * A group of radio buttons for a setting of the view.
 * @param {Store} store
 * @param {"role" | "over"} key
 */
function choice(store, key) {
  const known = settings[key];
  const { legend, options } = TOOLS[key];
  const field = make("fieldset", { class: "segments" }, [
    make("legend", { text: legend }),
    ...known.map((value) =>
      radio(key, value, /** @type {Record<string, string>} */ (options)[value]),
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
