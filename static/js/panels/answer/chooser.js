// The menu of what is asked of the model in the place of its prediction, with what that measures, and the dialog for what must be typed.

import { need, write } from "../../dom/dom.js";
import { fileButton, offer } from "../../dom/fields.js";
import LIMITS from "../../facts/limits.json" with { type: "json" };
import { gives, KINDS } from "../../state/address/answers.js";
import { integer } from "../../state/address/readings.js";
import { modelIn } from "../../state/choice.js";
import { openPanel, PANELS } from "../../state/panels.js";
import { probeIn } from "./probe.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { ChosenAnswer, State } from "../../types.d.ts" */

const YES = 1; // of two classes the one that says how much: sure, this text, like it

/** @param {HTMLElement} root with a menu and a sentence @param {HTMLDialogElement} dialog @param {Store} store */
export function answerChooser(root, dialog, store) {
  const menu = need("select", HTMLSelectElement, root);
  const said = need("[role=status]", HTMLElement, root);
  const more = need("button", HTMLButtonElement, root);
  const ask = answerDialog(dialog, store, () => show(store.state));

  const show = (/** @type {Readonly<State>} */ state) => {
    const { answer } = state;
    const model = modelIn({ ...state, answer: null });
    const itself = words.ITSELF[model?.predicts ?? "nothing"];
    const kinds = KINDS.filter((kind) => kind === null || (model && gives({ kind }, model)));
    offer(
      menu,
      kinds.map((kind) => [kind ?? "", kind === null ? itself : words.ANSWERS[kind].label]),
    );
    const now = answer && model && gives(answer, model) ? answer : null;
    menu.value = now?.kind ?? "";
    menu.title = now ? words.ANSWERS[now.kind].title : "";
    more.hidden = !now?.texts && !now?.weights;
    root.hidden = kinds.length === 1 || !isAbout(state, now);
  };

  menu.addEventListener("change", () => {
    const kind = KINDS.find((one) => one === menu.value) ?? null;
    if (kind === "similarity" || kind === "probe") ask(kind);
    else store.update(asking(kind && { kind }));
  });
  more.addEventListener("click", () => {
    const { answer } = store.state;
    if (answer) ask(answer.kind);
  });
  store.watch(["answer", "models", "model", "right"], show);
  store.watch(["answer", "next", "shown"], ({ answer, next, shown }) => {
    const measured = next?.answer?.trace.measured;
    const one = measured?.[Math.min(shown, measured.length - 1)];
    said.hidden = !answer || !one;
    write(said, answer && one ? words.measuredInWords(one, answer) : "");
  });
}

/** Whether the open panel is about the answer: room is scarce. @param {Readonly<State>} state @param {ChosenAnswer | null} answer that is given now */
function isAbout(state, answer) {
  const open = openPanel(state.right, modelIn(state));
  const row = PANELS.find(({ name }) => name === open);
  return MENU_IN.includes(open) || (answer !== null && row !== undefined && "predicts" in row);
}
const MENU_IN = ["next", "vector"];

/** Ask for an answer: what was watched of another one is forgotten. @param {ChosenAnswer | null} answer @returns {Partial<State>} */
export function asking(answer) {
  const isOfTwo = answer && (answer.texts ?? answer.weights ?? [0]).length === 1;
  return { answer, token: isOfTwo ? YES : null, versus: null };
}

/**
 * @param {HTMLDialogElement} dialog @param {Store} store @param {() => void} whenClosed
 * @returns {(kind: ChosenAnswer["kind"]) => void} opens it
 */
function answerDialog(dialog, store, whenClosed) {
  const form = need("form", HTMLFormElement, dialog);
  const texts = need("[name=texts]", HTMLTextAreaElement, form);
  const read = need("[name=read]", HTMLSelectElement, form);
  const readAt = need("[name=read_at]", HTMLSelectElement, form);
  const layer = need("[name=layer]", HTMLInputElement, form);
  const file = need("[data-part=file]", HTMLElement, form);
  const problem = need("[data-part=problem]", HTMLElement, form);
  const fileSaid = need("[data-part=chosen]", HTMLElement, form);
  /** @type {ChosenAnswer["kind"]} */
  let kind = "similarity";
  /** @type {Partial<ChosenAnswer>} what the file of a probe holds */
  let probe = {};

  const say = (/** @type {string} */ text) => {
    problem.textContent = text;
    problem.hidden = text === "";
  };
  const take = async (/** @type {File} */ chosen) => {
    const found = await probeIn(chosen);
    if (!found) return say(words.notRead(chosen.name));
    say("");
    probe = found;
    const { weights } = found;
    fileSaid.textContent = words.chosen({
      name: chosen.name,
      rows: weights.length,
      width: weights[0].length,
    });
    if (found.layer !== undefined) layer.value = String(found.layer);
    if (found.read) readAt.value = found.read;
  };
  file.append(...fileButton(words.CHOOSE, ".safetensors,.json,application/json", take));

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const found = kind === "probe" ? probeOf() : similarityOf();
    if (typeof found === "string") return say(found);
    store.update(asking(found));
    dialog.close();
  });
  need("[data-act=close]", HTMLButtonElement, form).addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", whenClosed);

  /** @returns {ChosenAnswer | string} what is wrong */
  const similarityOf = () => {
    const given = texts.value.split("\n").filter((text) => text.trim());
    if (given.length === 0) return words.NO_SENTENCES;
    if (new Set(given).size < given.length) return words.NOT_TWICE;
    const most = LIMITS.texts;
    if (given.length > most) return words.tooMany({ most, given: given.length });
    const of = /** @type {ChosenAnswer["read"]} */ (read.value);
    return { kind: "similarity", texts: given, ...(of === "mean" ? {} : { read: of }) };
  };
  /** @returns {ChosenAnswer | string} */
  const probeOf = () => {
    if (!probe.weights) return words.NO_FILE;
    const after = integer(layer.value.trim());
    if (after === null) return words.NO_LAYER;
    const { weights, bias, classes } = probe;
    const of = /** @type {ChosenAnswer["read"]} */ (readAt.value);
    return {
      kind: "probe",
      layer: after,
      weights,
      ...(bias ? { bias } : {}),
      ...(classes ? { classes } : {}),
      ...(of === "last" ? {} : { read: of }),
    };
  };

  return (asked) => {
    const { answer } = store.state;
    kind = asked;
    for (const field of dialog.querySelectorAll("[data-given]")) {
      if (field instanceof HTMLElement) field.hidden = field.dataset.given !== kind;
    }
    if (answer?.kind === "similarity") texts.value = answer.texts?.join("\n") ?? "";
    if (answer?.kind === "probe") probe = answer;
    if (layer.value === "") layer.value = String(answer?.layer ?? store.state.layer);
    say("");
    dialog.showModal();
  };
}
