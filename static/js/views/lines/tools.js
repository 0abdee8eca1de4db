// The tools of the lines: which share of a row is drawn, whether special tokens are, and the heads that are drawn beside the
// selected one.

import { button, check, make, unique } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { modelIn, sitesOf } from "../../state/choice.js";
import { overlaid, withHeads, withoutHead } from "../../state/overlay.js";
import { coloursOf, isPicture, nameOf } from "./heads.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("../../state/overlay.js").Head} Head */

const SPECIALS = /** @type {const} */ ([
  ["shown", "Shown", "every token is drawn"],
  ["hidden", "Hidden", "special tokens are not drawn, and the weights stay as they are"],
  ["renormalised", "Hidden, rest sums to 1", "each row is divided by what is left of it"],
]);

/** @param {Store} store @param {HTMLElement} root @param {() => void} retry ask again for the heads that are drawn together */
export function linesTools(store, root, retry) {
  const mass = make("input");
  Object.assign(mass, { type: "range", min: "5", max: "100", step: "5", id: unique("lines-mass") });
  const share = make("output");
  share.htmlFor.add(mass.id);
  const massLabel = make(
    "label",
    { class: "lines-mass" },
    ["Strongest ", mass, " ", share, " of the weight"].map((part) =>
      typeof part === "string" ? document.createTextNode(part) : part,
    ),
  );

  const specials = make("fieldset", { class: "segments lines-specials" }, [
    make("legend", { text: "Special tokens" }),
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
  const add = button("+ this head", keep, { title: "Keep this head while others are looked at" });
  const layer = button("", keepLayer);
  const clear = button("Clear", () => store.update({ overlay: [] }), { class: "quiet" });
  const unpin = button("", () => store.update({ pinned: [] }), { class: "quiet" });
  const chooser = make("div", { class: "lines-chooser" }, [
    make("span", { text: "Heads", class: "faint" }),
    ...[heads, add, layer, clear],
  ]);
  chooser.setAttribute("role", "group");
  chooser.setAttribute("aria-label", "Heads drawn together");
  const trouble = make("p", { class: "lines-trouble" });
  trouble.id = unique("lines-trouble");
  overlayTrouble(trouble, store, retry);
  root.append(massLabel, specials, unpin, chooser, trouble);

  mass.addEventListener("input", () => store.update({ mass: Number(mass.value) / 100 }));
  specials.addEventListener("change", ({ target }) => {
    const found = SPECIALS.find(
      ([value]) => target instanceof HTMLInputElement && value === target.value,
    );
    if (found) store.update({ specials: found[0] });
  });
  heads.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const chips = [...heads.querySelectorAll("button")];
    const place = button ? chips.indexOf(button) : -1;
    if (place < 0) return;
    const { state } = store;
    store.update({ overlay: withoutHead(state.overlay, overlaid(state, modelIn(state))[place]) });
    const left = heads.querySelectorAll("button");
    (left[Math.min(place, left.length - 1)] ?? add).focus(); // where a keyboard goes on
  });

  store.watch(["mass"], (state) => {
    const percent = String(Math.round(100 * state.mass));
    if (mass.value !== percent) mass.value = percent;
    share.textContent = `${percent}%`;
  });
  store.watch(["specials"], (state) => check("specials", state.specials, specials));
  store.watch(["pinned"], ({ pinned }) => {
    unpin.disabled = pinned.length === 0; // it keeps its place, so that no line moves under the pointer
    unpin.textContent =
      pinned.length === 0
        ? "No token pinned"
        : `Unpin ${pinned.length === 1 ? "the token" : `${pinned.length} tokens`}`;
  });
  store.watch(["overlay", "detail", "kind", "layer", "head", "model", "models"], (state) => {
    const shown = overlaid(state, modelIn(state));
    const { colours } = coloursOf(shown);
    const [drawn] = state.detail?.trace.sites ?? []; // which may be a moment behind the choice
    const own = nameOf(drawn ? [drawn.layer, drawn.heads[0]] : [state.layer, state.head]);
    const chips = shown.map((head, place) => chip(head, `var(--cat-${colours[place] + 1})`, own));
    const there = shown.some((head) => nameOf(head) === own);
    heads.replaceChildren(...(there ? [] : [lone(own)]), ...chips);
    add.disabled = there;
    layer.textContent = `+ layer ${state.layer}`;
    layer.title = `Every head of layer ${state.layer}`;
    layer.disabled = withHeads(shown, allOf(state)).length === shown.length;
    clear.hidden = shown.length === 0;
  });
}

/** What goes wrong with the overlaid heads stays with them. @param {HTMLElement} root @param {Store} store @param {() => void} retry */
function overlayTrouble(root, store, retry) {
  const again = tryAgain(retry);
  store.watch(["overlays", "overlay", "detail"], ({ overlays, overlay, detail }) => {
    const problem = overlay.length > 0 || isPicture(detail) ? overlays?.problem : null;
    root.hidden = !problem;
    root.replaceChildren(
      ...(problem ? [`Some heads cannot be drawn: ${problem.message} `] : []),
      ...(problem?.retry ? [again] : []),
    );
  });
}

/** The heads of the selected layer. @param {Readonly<State>} state @returns {Head[]} */
function allOf(state) {
  const n = sitesOf(modelIn(state), state.kind)[state.layer]?.n_heads ?? 0;
  return Array.from({ length: n }, (_, head) => [state.layer, head]);
}

/** @param {Head} head @param {string} colour @param {string} own the selected one */
function chip(head, colour, own) {
  const name = nameOf(head);
  const remove = button("×", null, { class: "quiet" });
  remove.setAttribute("aria-label", `Take ${name} away`);
  const item = make("li", {}, [swatch(colour), make("span", { text: name }), remove]);
  item.classList.toggle("own", name === own);
  return item;
}

/** The selected head, which goes with the selection. @param {string} name */
function lone(name) {
  const item = make("li", { class: "own lone" }, [
    swatch("var(--text)"),
    make("span", { text: name }),
  ]);
  item.title = "the selected head";
  return item;
}

/** @param {string} colour */
function swatch(colour) {
  const mark = make("i");
  mark.style.setProperty("--swatch", colour);
  return mark;
}
