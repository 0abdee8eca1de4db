// A reader's own tensors: a dialog that opens a file, shows what is in it, asks what it cannot know, and makes a model of it, which
// lives in this browser only.

import { backend } from "../../api/backend.js";
import { make, need } from "../../dom/dom.js";
import { newMoment } from "../../state/history.js";
import { arraysTable, questions } from "./form.js";
import { graphView } from "./graph.js";
import { fileReader } from "./reading.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Model } from "../../types.d.ts" */
/** @import { Settings } from "../../own/guess.js" */

const LONGEST_NAME = 40; // characters

/**
 * @param {object} elements
 * @param {HTMLDialogElement} elements.dialog
 * @param {HTMLButtonElement} elements.opener
 * @param {Store} store
 * @param {object} options
 * @param {(words: string) => void} options.say
 * @param {import("./reading.js").FileReader} [options.reader] replaced in tests, as is the next
 * @param {(name: string, recorded: Blob) => Promise<Model>} [options.add]
 * @returns {(file: File) => void} opens a file in the dialog
 */
export function ownTensors({ dialog, opener }, store, { say, reader = fileReader(), add = added }) {
  const input = need("input[type=file]", HTMLInputElement, dialog);
  const status = need("[role=status]", HTMLElement, dialog);
  const problem = need("[role=alert]", HTMLElement, dialog);
  const form = need("form:not([method])", HTMLFormElement, dialog);
  const help = need("details", HTMLDetailsElement, dialog);
  let turn = 0; // only the file that was opened last is shown

  /** @param {unknown} error */
  const refuse = (error) => {
    problem.textContent = error instanceof Error ? error.message : String(error);
    problem.hidden = false;
    status.textContent = "";
  };

  /** @param {File} file */
  const open = async (file) => {
    turn += 1;
    const mine = turn;
    if (!dialog.open) dialog.showModal();
    problem.hidden = true;
    form.hidden = true;
    form.replaceChildren();
    help.open = false;
    status.textContent = words.reading(file.name);
    dialog.setAttribute("aria-busy", "true");
    try {
      const opened = await reader.open(file);
      if (mine !== turn) return;
      if ("graph" in opened) draw(file, opened.graph);
      else ask(file, opened);
    } catch (error) {
      if (mine === turn) refuse(error);
    } finally {
      if (mine === turn) dialog.setAttribute("aria-busy", "false");
    }
  };

  /** An attribution graph is drawn at once: it is no model. @param {File} file @param {import("../../own/graph.js").Graph} graph */
  const draw = (file, graph) => {
    status.textContent = words.GRAPH.found(file.name);
    form.replaceChildren(graphView(graph));
    form.hidden = false;
    form.onsubmit = (event) => event.preventDefault();
  };

  /** @param {File} file @param {Exclude<import("../../own/open.js").Opened, {graph: unknown}>} opened */
  const ask = (file, { saved, found, settings }) => {
    const name = make("input", { verbatim: true });
    Object.assign(name, { type: "text", maxLength: LONGEST_NAME, required: true });
    name.value = file.name.replace(/(\.view)?\.[a-z]+$/i, "").slice(0, LONGEST_NAME) || "mine";
    const nameField = make("label", { class: "field" }, [
      document.createTextNode(words.NAME),
      name,
    ]);
    const draw = make("button", { text: words.DRAW, class: "own-draw" });
    const remarks = make("ul", { class: "own-remarks" });
    remarks.setAttribute("role", "status");
    /** @type {Blob | null} */
    let recording = null;
    const renew = () => {
      recording = null;
      remarks.replaceChildren();
      draw.textContent = words.DRAW;
      problem.hidden = true;
    };
    const asked = saved ? null : questions(found, settings, renew);
    form.replaceChildren(
      ...(saved ? [] : [arraysTable(found.arrays)]),
      nameField,
      ...(asked?.fields ?? []),
      remarks,
      draw,
    );
    form.hidden = false;
    status.textContent = saved
      ? words.saved({ file: file.name, model: saved.model })
      : words.found({ file: file.name, format: found.format, n: found.arrays.length });
    form.onsubmit = async (event) => {
      event.preventDefault();
      problem.hidden = true;
      draw.disabled = true;
      const before = status.textContent;
      status.textContent = words.DRAWING;
      try {
        const called = unusedName(name.value.trim() || "mine", store.state.models);
        if (!recording) {
          const built = await reader.build(called, asked?.settings() ?? null);
          recording = built.recording;
          remarks.replaceChildren(...built.remarks.map((text) => make("li", { text })));
          if (built.remarks.length > 0) {
            draw.textContent = words.DRAW_ANYWAY;
            status.textContent = before;
            return; // the reader sees them first
          }
        }
        show(await add(called, recording));
      } catch (error) {
        refuse(error);
      } finally {
        draw.disabled = false;
      }
    };
    draw.focus();
  };

  /** @param {Model} model */
  const show = (model) => {
    const { models } = store.state;
    store.update({
      models: [...models, model],
      model: model.name,
      kind: model.sites?.[0].kind,
      layer: 0,
      head: 0,
      shown: 0,
      query: null,
      token: null,
      key: null,
      zoom: null,
      against: null,
      segments: "all",
      pinned: [],
      overlay: [],
      missing: null,
      moment: newMoment(),
    });
    dialog.close();
    say(words.drawn(model.name));
  };

  dialog.addEventListener("close", () => {
    turn += 1;
    reader.close();
    form.replaceChildren();
    form.hidden = true;
    problem.hidden = true;
    status.textContent = "";
    dialog.setAttribute("aria-busy", "false");
  });
  opener.addEventListener("click", () => {
    dialog.showModal();
    need("button", HTMLButtonElement, dialog).focus();
  });
  need("button", HTMLButtonElement, dialog).addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    input.value = ""; // so that the same file can be chosen again
    if (file) open(file);
  });
  return open;
}

/** Models of the page are never taken for those of the server, or for an earlier file. @param {string} name @param {Model[]} models */
function unusedName(name, models) {
  const isTaken = (/** @type {string} */ one) => models.some((model) => model.name === one);
  let number = 2;
  let found = name;
  while (isTaken(found)) found = `${name} (${number++})`;
  return found;
}

/** @param {string} name @param {Blob} recorded */
function added(name, recorded) {
  const source = { type: "recorded", name, recorded };
  return backend.add(source);
}
