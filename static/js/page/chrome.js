// The controls around the pictures: the colour scheme, the matrix and the view.

import { button, check, make, need, radio, write } from "../dom/dom.js";
import { translated } from "../language/gettext.js";
import { opening } from "../state/against.js";
import { matricesOf, modelIn } from "../state/choice.js";
import { excessTokens, MATRICES, MATRIX_NAMES, MATRIX_ROWS, UNLIMITED } from "../state/matrices.js";
import { viewsIn } from "../state/quiz.js";
import { VIEWS as NAMED, VIEW_NAMES } from "../state/views.js";
import { VIEWS } from "../views/views.js";
import { SCHEME_TITLE, SCHEMES, tooLong } from "./words.js";

/** @import { Store } from "../state/store.js" */
/** @typedef {keyof typeof SCHEMES} Scheme */

/** The views that are opened beside the thumbnails of all heads. */
const BESIDE = NAMED.filter((row) => "beside" in row).map(({ name }) => name);
const SCHEME_NAMES = /** @type {Scheme[]} */ (Object.keys(SCHEMES));

/** The links to this page in other languages lead to what it shows now. */
export function languages() {
  const menu = document.querySelector("#languages");
  menu?.addEventListener("beforetoggle", () => {
    for (const link of menu.querySelectorAll("a")) {
      const query = new URLSearchParams(location.search);
      query.set("lang", link.lang);
      link.search = query.toString();
    }
  });
}

/**
 * The scheme button cycles through the system's scheme, light and dark.
 * @param {(scheme: "light" | "dark") => void} show
 * @returns {(scheme: Scheme) => void} shows another one, and stores nothing
 */
export function scheme(show) {
  const button = need("#scheme", HTMLButtonElement);
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const chosen = () => /** @type {Scheme} */ (root.dataset.scheme ?? "auto");
  const apply = () => {
    const name = chosen();
    button.replaceChildren(make("span", { text: SCHEMES[name] }));
    button.title = SCHEME_TITLE;
    show(name === "auto" ? (system.matches ? "dark" : "light") : name);
  };
  /** @param {Scheme} next */
  const choose = (next) => {
    if (next === "auto") delete root.dataset.scheme;
    else root.dataset.scheme = next;
    apply();
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = SCHEME_NAMES[(SCHEME_NAMES.indexOf(chosen()) + 1) % SCHEME_NAMES.length];
    choose(next);
    try {
      localStorage.setItem("scheme", next);
    } catch {
      // storage is blocked: the choice is lost when the page is closed
    }
  });
  system.addEventListener("change", apply);
  apply();
  return choose;
}

/** @param {Store} store */
export function matrixSwitch(store) {
  const menu = need("#matrix-menu", HTMLElement);
  const said = need("#matrix-said", HTMLElement);
  const field = need("#matrix", HTMLElement);
  field.append(...MATRIX_ROWS.map(({ name, label }) => radio("matrix", name, label)));
  store.watch(["matrix", "view", "lacks", "kind", "model", "models"], (state) => {
    menu.hidden = !VIEWS[state.view].oneMatrix;
    said.textContent = MATRICES[state.matrix].label;
    const known = matricesOf(modelIn(state), state.kind);
    for (const input of field.querySelectorAll("input")) {
      const label = /** @type {HTMLElement} */ (input.closest("label"));
      label.hidden = !known.some((name) => name === input.value);
    }
    check("matrix", state.matrix, field);
  });
  field.addEventListener("change", ({ target }) => {
    const matrix = MATRIX_NAMES.find(
      (name) => target instanceof HTMLInputElement && name === target.value,
    );
    if (matrix) store.update({ matrix });
  });
}

/** The button that puts q, k and v beside the heatmap. @param {HTMLButtonElement} button @param {Store} store */
export function vectorSwitch(button, store) {
  button.addEventListener("click", () => store.update({ qkv: !store.state.qkv }));
  store.watch(["qkv"], ({ qkv }) => {
    button.setAttribute("aria-pressed", String(qkv));
  });
}

/** Where a menu of views has its choices. @param {string} group @param {HTMLElement} field the switch of the views */
function menuOf(group, field) {
  const id = `${group.toLowerCase()}-menu`;
  const known = field.querySelector(`#${id} > .more-list`);
  if (known) return known;
  const list = make("div", { class: "more-list" });
  const menu = make("details", { class: "more" }, [make("summary"), list]);
  Object.assign(menu, { id });
  Object.assign(menu.dataset, { group, only: "full" });
  list.addEventListener("change", () => {
    menu.open = false;
  });
  field.append(menu);
  return list;
}

/** Show a choice in one depth of the page alone; null: in all, since it is what is open. @param {HTMLElement} element @param {string | null} only */
function offer(element, only) {
  if (only) element.dataset.only = only;
  else delete element.dataset.only;
}

/** Its button has the name of the view that is open, or else that of the group. @param {HTMLDetailsElement} menu @param {string[]} shown @param {string} view */
function nameMenu(menu, shown, view) {
  const { group = "" } = menu.dataset;
  const rows = NAMED.filter((row) => "group" in row && row.group === group);
  const open = rows.find(({ name }) => name === view);
  const summary = need("summary", HTMLElement, menu);
  summary.textContent = open?.label ?? translated(group);
  summary.classList.toggle("on", open !== undefined);
  offer(menu, open ? null : "full");
  menu.hidden = !rows.some(({ name }) => shown.includes(name));
}

/**
 * The switch between views. Where the selected matrix cannot be drawn for this text, a sentence says why instead.
 * @param {Store} store
 * @param {Record<import("../state/views.js").ViewName, HTMLElement>} elements the element of each view
 */
export function viewSwitch(store, elements) {
  const field = need("#view", HTMLElement);
  for (const row of NAMED) {
    const choice = radio("view", row.name, row.label);
    if ("only" in row) choice.dataset.only = row.only;
    ("group" in row ? menuOf(row.group, field) : field).append(choice);
  }
  const why = make("p");
  const instead = make("div", { class: "instead" }, [
    why,
    ...UNLIMITED.map(({ name, label }) => button(label, () => store.update({ matrix: name }))),
  ]);
  instead.setAttribute("role", "status");
  elements.heatmap.before(instead);
  const panel = need(".head", HTMLElement);
  store.watch(["view", "matrix", "grid", "quiz", "model", "models"], (state) => {
    check("view", state.view, field);
    panel.dataset.view = state.view; // for the style sheet
    const shown = viewsIn(state);
    const model = modelIn(state);
    for (const menu of field.querySelectorAll("details")) nameMenu(menu, shown, state.view);
    for (const row of NAMED) {
      const label = /** @type {HTMLElement} */ (
        field.querySelector(`[value=${row.name}]`)?.closest("label")
      );
      const open = row.name === state.view;
      label.hidden = !shown.includes(row.name) || ("beside" in row && !open);
      if ("only" in row) offer(label, open ? null : row.only);
      const reason = VIEWS[row.name].lacks?.(model) ?? "";
      label.classList.toggle("lacking", reason !== "");
      label.title = reason || row.about;
    }
    const n = VIEWS[state.view].oneMatrix ? excessTokens(state) : null;
    const { label, max_tokens } = MATRICES[state.matrix];
    const problem = n === null ? "" : tooLong({ matrix: label, limit: max_tokens, n });
    write(why, problem);
    instead.hidden = !problem;
    for (const { name } of NAMED) elements[name].hidden = name !== state.view || problem !== "";
  });
  for (const name of BESIDE)
    need(`#open-${name}`, HTMLButtonElement).addEventListener("click", () =>
      store.update({ view: name }),
    );
  field.addEventListener("change", ({ target }) => {
    const view = VIEW_NAMES.find(
      (name) => target instanceof HTMLInputElement && name === target.value,
    );
    if (view) store.update(opening(store.state, view));
  });
}
