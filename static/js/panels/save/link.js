// Copies a link to the current view, or a program; if the browser does not allow copying, a dialog shows the text. A view too
// long for a link can be saved as a file and opened again.

import { backend } from "../../api/backend.js";
import { need } from "../../dom/dom.js";
import { SOURCES } from "../../sources/sources.js";
import { isFile, linkTo, urlOf } from "../../standalone/bar.js";
import { isInCourse } from "../../standalone/pages.js";
import { linked, toQuery } from "../../state/url.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Boot, State } from "../../types.d.ts" */

/** The lines that put a view into another page, and what to know about them. @typedef {{lines: string, message: string}} Embedding */

export const MAX_LINK = 8000; // characters: proxies and chat programs may cut longer addresses
const KIND = "headlight view"; // marks a file as a saved view
const LONG = ["anyway", "file"]; // what can be done about a link that is too long

/** @param {Readonly<State>} state */
const sharedQuery = (state) => toQuery(state, state.models, { shared: true });

/** A view as a file. @param {Readonly<State>} state */
export function viewFile(state) {
  const view = { kind: KIND, query: sharedQuery(state), ...uploadsOf(state) };
  return new Blob([`${JSON.stringify(view, null, 2)}\n`], { type: "application/json" });
}

/** Whether a file seems to be a saved view: its first line says so. @param {Blob} file */
export const isView = async (file) => (await file.slice(0, 200).text()).includes(`"${KIND}"`);

/**
 * Read a saved view, as a change of the state.
 * @param {string} text
 * @param {Readonly<State>} state
 * @param {Boot} boot
 * @throws {Error} if it is not a saved view
 */
export function readView(text, { models }, boot) {
  let view = null;
  try {
    view = JSON.parse(text);
  } catch {
    // not JSON: the error below explains
  }
  if (view?.kind !== KIND || typeof view.query !== "string") {
    throw new Error(words.NOT_A_VIEW);
  }
  const example = { texts: [""], layer: 0, head: 0, query: null };
  const { choice, missing } = linked(view.query, models, example, boot.limits.texts);
  return { ...choice, ...withUploads(choice, view), missing };
}

/** The files among the settings of the sources, which are too long for a link. @param {Readonly<State>} state */
const uploadsOf = (state) =>
  Object.fromEntries(
    SOURCES.flatMap(({ name, upload }) => {
      const settings = /** @type {Record<string, unknown>} */ ({ ...state[name] });
      return upload && settings[upload] ? [[upload, settings[upload]]] : [];
    }),
  );

/** @param {import("../../types.d.ts").Choice} choice @param {Record<string, unknown>} view a saved view */
const withUploads = (choice, view) =>
  Object.fromEntries(
    SOURCES.flatMap(({ name, upload }) =>
      upload && typeof view[upload] === "string"
        ? [[name, { ...choice[name], [upload]: view[upload] }]]
        : [],
    ),
  );

/** Copies text, or shows it in a dialog. */
export class Copier {
  #dialog;
  #title;
  #message;
  #text;
  /** By what they do. @type {Map<string, HTMLButtonElement>} */
  #buttons;
  #embed;

  /**
   * @param {HTMLDialogElement} dialog
   * @param {object} actions
   * @param {() => void} actions.save saves the view as a file
   * @param {() => Embedding} actions.embed
   */
  constructor(dialog, { save, embed }) {
    const act = (/** @type {string} */ name) =>
      need(`[data-act=${name}]`, HTMLButtonElement, dialog);
    const names = ["anyway", "file", "embed", "copy"];
    this.#buttons = new Map(names.map((name) => [name, act(name)]));
    this.#embed = embed;
    this.#dialog = dialog;
    this.#title = need("h2", HTMLElement, dialog);
    this.#message = need("p", HTMLElement, dialog);
    this.#text = need("textarea", HTMLTextAreaElement, dialog);
    for (const button of [act("anyway"), act("copy")]) {
      button.addEventListener("click", async () => {
        const copied = await copy(this.#text.value);
        if (copied) dialog.close();
        else this.#show(words.COPY_FROM_HERE, words.COPY_BY_HAND, this.#text.value);
      });
    }
    act("embed").addEventListener("click", () => this.embed());
    act("file").addEventListener("click", () => {
      save();
      dialog.close();
    });
  }

  /** @param {Readonly<State>} state @returns {Promise<string>} a message for the reader */
  async link(state) {
    const link = linkTo(sharedQuery(state));
    if (backend.ownData(state.model)) {
      this.#show(words.OWN_FILE, words.OWN_LINK, link); // nobody else has this model
      return words.OWN_LINK;
    }
    try {
      history.replaceState(history.state, "", urlOf(toQuery(state, state.models))); // the address may lag behind
    } catch {
      // browsers limit how often it may change
    }
    if (isFile && !/^https?:/.test(link)) {
      const message = isInCourse ? words.COURSE_LINK : words.FILE_LINK;
      this.#show(words.FILE_HERE, message, link); // nobody else can open it
      return message;
    }
    if (link.length <= MAX_LINK) return this.text(link, words.LINK, ["embed"]);
    const [n, max] = [link.length, MAX_LINK].map((length) => length.toLocaleString("en"));
    this.#show(words.LINK_TOO_LONG, words.longLinkAdvice({ n, max }), link, LONG);
    return words.linkTooLong(n);
  }

  /**
   * @param {string} text
   * @param {{copied: string, manual: string}} messages `manual`: the title of the dialog, if the page may not copy
   * @param {string[]} [acts] the buttons of that dialog
   */
  async text(text, { copied, manual }, acts = []) {
    if (await copy(text)) return copied;
    this.#show(manual, words.COPY_BY_HAND, text, acts);
    return words.CANNOT_COPY;
  }

  /** Show the lines that put the view into another page. */
  embed() {
    const { message, lines } = this.#embed();
    this.#show(words.EMBED, message, lines, ["copy"]);
  }

  /** @param {string} title @param {string} message @param {string} text @param {string[]} [acts] */
  #show(title, message, text, acts = []) {
    this.#title.textContent = title;
    this.#message.textContent = message;
    this.#text.value = text;
    for (const [act, button] of this.#buttons) button.hidden = !acts.includes(act);
    if (!this.#dialog.open) this.#dialog.showModal();
    if (acts === LONG) return;
    this.#text.focus();
    this.#text.select();
  }
}

/** @param {string} text @returns {Promise<boolean>} whether it was copied */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no clipboard without https or permission
  }
}
