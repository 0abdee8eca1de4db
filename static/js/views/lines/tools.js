// The tools of the lines: how much of a row is drawn, what to do with special tokens, and the heads that are drawn together.

import { button, check, make, unique } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { percentage } from "../../language/language.js";
import { modelIn, siteAt } from "../../state/choice.js";
import { overlaid, withHeads, withoutHead } from "../../state/overlay.js";
import { HEAD_LIST, shortHeadName } from "../../words/heads.js";
import { coloursOf, isPicture } from "./heads.js";
import { SPECIALS, TOOLS, unpinInWords } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @import { Head } from "../../state/overlay.js" */

/** @param {Store} store @param {HTMLElement} root @param {() => void} retry ask again for the heads that are drawn together */
export function linesTools(store, root, retry) {
  const mass = make("input");
  Object.assign(mass, { type: "range", min: "5", max: "100", step: "5", id: unique("lines-mass") });
  const share = make("output");
  share.htmlFor.add(mass.id);
  const massLabel = make("label", { class: "lines-mass" });
  massLabel.append(...TOOLS.mass(mass, share));

  const specials = make("fieldset", { class: "segments lines-specials" }, [
    make("legend", { text: TOOLS.specials }),
    ...SPECIALS.map(([value, name, title]) => {
      const input = make("input");
      Object.assign(input, { type: "radio", name: "specials", value });
      return make("label", { title }, [input, make("span", { text: name })]);
    }),
  ]);

  const heads = make("ul", { class: "lines-heads" });
  const keep = () => {
    const { overlay, layer, head } = store.state;
    store.update({ overlay: withHeads(overlay, [[layer, head]]) });
  };
  const keepLayer = () => {
    const { state } = store;
    store.update({ overlay: withHeads(state.overlay, allOf(state)) });
  };
  const add = button(HEAD_LIST.add, keep, { title: TOOLS.add });
  const layer = button("", keepLayer);
  const clear = button(TOOLS.clear, () => store.update({ overlay: [] }), { class: "quiet" });
  const unpin = button("", () => store.update({ pinned: [] }), { class: "quiet" });
  const chooser = make("div", { class: "lines-chooser" }, [
    make("span", { text: TOOLS.heads, class: "faint" }),
    heads,
    add,
    layer,
    clear,
  ]);
  chooser.setAttribute("role", "group");
  chooser.setAttribute("aria-label", TOOLS.chosen);
  const trouble = make("p", { class: "lines-trouble" });
  trouble.id = unique("lines-trouble");
  overlayTrouble(trouble, store, retry);
  root.append(massLabel, specials, unpin, chooser, trouble);

  mass.addEventListener("input", () => store.update({ mass: Number(mass.value) / 100 }));
  specials.addEventListener("change", ({ target }) => {
    const chosen = SPECIALS.find(
      ([value]) => target instanceof HTMLInputElement && value === target.value,
    );
    if (chosen) store.update({ specials: chosen[0] });
  });
  heads.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const chips = [...heads.querySelectorAll("button")];
    const place = button ? chips.indexOf(button) : -1;
    if (place < 0) return;
    const { state } = store;
    store.update({ overlay: withoutHead(state.overlay, overlaid(state, modelIn(state))[place]) });
    const left = heads.querySelectorAll("button");
    (left[Math.min(place, left.length - 1)] ?? add).focus(); // the focused button is gone
  });

  store.watch(["mass"], (state) => {
    const percent = String(Math.round(100 * state.mass));
    if (mass.value !== percent) mass.value = percent;
    share.textContent = percentage(String(percent));
  });
  store.watch(["specials"], (state) => check("specials", state.specials, specials));
  store.watch(["pinned"], ({ pinned }) => {
    unpin.disabled = pinned.length === 0; // not hidden, so that no line moves under the pointer
    unpin.textContent = unpinInWords(pinned.length);
  });
  store.watch(["overlay", "detail", "kind", "layer", "head", "model", "models"], (state) => {
    const shown = overlaid(state, modelIn(state));
    const { colours } = coloursOf(shown);
    const [drawn] = state.detail?.trace.sites ?? []; // the picture may lag behind the selection
    const own = shortHeadName(drawn ? [drawn.layer, drawn.heads[0]] : [state.layer, state.head]);
    const chips = shown.map((head, index) => chip(head, `var(--cat-${colours[index] + 1})`, own));
    const there = shown.some((head) => shortHeadName(head) === own);
    heads.replaceChildren(...(there ? [] : [lone(own)]), ...chips);
    add.disabled = there;
    layer.textContent = TOOLS.addLayer(state.layer);
    layer.title = TOOLS.aboutLayer(state.layer);
    layer.disabled = withHeads(shown, allOf(state)).length === shown.length;
    clear.hidden = shown.length === 0;
  });
}

/** Show problems of the overlaid heads here, beside the list. @param {HTMLElement} root @param {Store} store @param {() => void} retry */
function overlayTrouble(root, store, retry) {
  const again = tryAgain(retry);
  store.watch(["overlays", "overlay", "detail"], ({ overlays, overlay, detail }) => {
    const problem = overlay.length > 0 || isPicture(detail) ? overlays?.problem : null;
    root.hidden = !problem;
    root.replaceChildren(
      ...(problem ? [`${TOOLS.missing(problem.message)} `] : []),
      ...(problem?.retry ? [again] : []),
    );
  });
}

/** The heads of the selected layer. @param {Readonly<State>} state @returns {Head[]} */
function allOf(state) {
  const n = siteAt(modelIn(state), state.kind, state.layer)?.n_heads ?? 0;
  return Array.from({ length: n }, (_, head) => [state.layer, head]);
}

/** @param {Head} head @param {string} colour @param {string} own the name of the selected head */
function chip(head, colour, own) {
  const name = shortHeadName(head);
  const remove = button("×", null, { class: "quiet" });
  remove.setAttribute("aria-label", HEAD_LIST.remove(name));
  const item = make("li", {}, [swatch(colour), make("span", { text: name }), remove]);
  item.classList.toggle("own", name === own);
  return item;
}

/** The selected head, while it is not in the list. @param {string} name */
function lone(name) {
  const item = make("li", { class: "own lone" }, [
    swatch("var(--text)"),
    make("span", { text: name }),
  ]);
  item.title = TOOLS.selected;
  return item;
}

/** @param {string} colour */
function swatch(colour) {
  const mark = make("i");
  mark.style.setProperty("--swatch", colour);
  return mark;
}
