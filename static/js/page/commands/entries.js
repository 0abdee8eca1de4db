// Everything that can be opened by its name: the rows of the tables that the page is made from, its heads, and the buttons that say what
// they do (`data-command` in the template).

import { labelIn } from "../../panels/heads/called.js";
import { startPicture } from "../../panels/heads/picture.js";
import { opening } from "../../state/against.js";
import { matricesOf, modelIn, sitesOf } from "../../state/choice.js";
import { stateOf } from "../../state/examples.js";
import { FINDS } from "../../state/finds.js";
import { MASKS } from "../../state/masks.js";
import { MATRICES } from "../../state/matrices.js";
import { panelLabel, panelsOf } from "../../state/panels.js";
import { tells, viewsIn } from "../../state/quiz.js";
import { VIEWS } from "../../state/views.js";
import { VIEWS as MADE } from "../../views/views.js";
import { headInText, modelLabel } from "../../words/heads.js";
import { headTitle, rankingBy } from "./words.js";

/** @import { Boot, State } from "../../types.d.ts" */
/** @typedef {{group: keyof typeof import("./words.js").GROUPS, name: string, about: string, key?: string, changes?: Partial<State>, goes?: string, press?: HTMLElement, href?: string}} Command `changes`: of the state; `goes`: to a control; `press`: a button; `href`: a page */

const LEFT = /** @type {const} */ ("find"); // the ranking of the heads
const FULL = /** @type {const} */ ({ depth: "full" }); // the depth that has the control

/**
 * @param {Readonly<State>} state
 * @param {Pick<Boot, "gallery" | "help">} boot
 * @returns {Command[]}
 */
export function commandsIn(state, { gallery, help = [] }) {
  const model = modelIn(state);
  const told = tells(state);
  return [
    ...VIEWS.filter(({ name }) => viewsIn(state).includes(name)).map((row) => ({
      group: /** @type {const} */ ("views"),
      name: row.label,
      about: MADE[row.name].lacks?.(model) || row.about,
      changes: { ...opening(state, row.name), ...("only" in row ? FULL : {}) },
    })),
    ...panelsOf(model)
      .filter((row) => told || !("tells" in row))
      .map((row) => ({
        group: /** @type {const} */ ("panels"),
        name: panelLabel(row, model),
        about: row.about,
        changes: { right: row.name, ...FULL },
      })),
    ...matricesOf(model, state.kind).map((name) => ({
      group: /** @type {const} */ ("matrices"),
      name: MATRICES[name].label,
      about: MATRICES[name].about || MATRICES[name].unit,
      changes: { matrix: name, ...FULL },
    })),
    ...(told ? masksIn(state) : []),
    ...(told ? FINDS : []).map(({ metric, name, does }) => ({
      group: /** @type {const} */ ("finds"),
      name: rankingBy(name),
      about: does,
      changes: metric === "picture" ? startPicture(state) : { find: metric, left: LEFT, ...FULL },
    })),
    ...buttons(told),
    ...(told ? gallery : []).map((entry) => ({
      group: /** @type {const} */ ("examples"),
      name: entry.title,
      about: entry.look,
      changes: stateOf(entry, state.models[0].name),
    })),
    ...state.models.map(({ name }) => ({
      group: /** @type {const} */ ("models"),
      name: modelLabel(name),
      about: name,
      changes: { model: name },
    })),
    ...sitesOf(model, state.kind).flatMap(({ layer, n_heads }) =>
      Array.from({ length: n_heads }, (_, head) => headCommand(state, { layer, head })),
    ),
    ...help.map(({ title, about, href }) => ({
      group: /** @type {const} */ ("help"),
      name: title,
      about,
      href,
    })),
  ];
}

/** @param {Readonly<State>} state @param {{layer: number, head: number}} place @returns {Command} */
export const headCommand = (state, { layer, head }) => ({
  group: "heads",
  name: headTitle({ layer, head, label: tells(state) ? labelIn(state, { layer, head }) : "" }),
  about: headInText({ kind: state.kind, layer, head }),
  changes: { layer, head },
});

/** @param {Readonly<State>} state @returns {Command[]} */
function masksIn({ masks, ...state }) {
  if (modelIn(state).lacks) return [];
  /** @param {import("../../state/masks.js").MaskRow} row @returns {Command[]} */
  const commandsOf = ({ name, control, wording }) => {
    if (!control) return [];
    if (!("options" in control)) {
      const { label, about = "" } = control;
      return [{ group: "masks", name: `${label} …`, about, changes: FULL, goes: `#${name}` }];
    }
    return control.options.map(({ value, label }) => ({
      group: "masks",
      name: `${control.legend}: ${label}`,
      about: wording.now(value),
      key: control.key,
      changes: { masks: { ...masks, [name]: value } },
    }));
  };
  return MASKS.flatMap(commandsOf);
}

/** @param {boolean} told whether those may be there that a quiz hides @returns {Command[]} */
function buttons(told) {
  return [...document.querySelectorAll("[data-command]")].flatMap((button) => {
    if (!(button instanceof HTMLElement) || button.hidden) return [];
    if (!told && button.closest("[data-tells]")) return [];
    const name = [...button.childNodes]
      .map((node) => (node instanceof HTMLElement && node.matches("kbd") ? "" : node.textContent))
      .join("");
    return [
      {
        group: /** @type {const} */ ("actions"),
        name: button.getAttribute("aria-label") ?? name.trim(),
        about: button.dataset.command ?? "",
        key: button.getAttribute("aria-keyshortcuts") ?? "",
        press: button,
      },
    ];
  });
}
