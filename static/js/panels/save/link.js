// Copies a link to the current view, or a program; if the browser does not allow copying, a dialog shows the text. A view too
// long for a link can be saved as a file and opened again.

import { need } from "../../dom/dom.js";
import { fromQuery, toQuery } from "../../state/url.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").Boot} Boot */
/** @typedef {import("../../types.d.ts").State} State */

export const MAX_LINK = 8000; // characters: proxies and chat programs may cut longer addresses
const KIND = "headlight view"; // marks a file as a saved view

/** @param {Readonly<State>} state */
const linkOf = (state) => location.origin + location.pathname + toQuery(state, state.models);

/** A view as a file. @param {Readonly<State>} state */
export function viewFile(state) {
  const { weights } = state.scratch; // too long for a link
  const held = { kind: KIND, query: toQuery(state, state.models), ...(weights ? { weights } : {}) };
  return new Blob([`${JSON.stringify(held, null, 2)}\n`], { type: "application/json" });
}

/**
 * Read a saved view, as a change of the state.
 * @param {string} text
 * @param {Readonly<State>} state
 * @param {Boot} boot
 * @throws {Error} if it is not a saved view
 */
export function readView(text, { models }, boot) {
  let held = null;
  try {
    held = JSON.parse(text);
  } catch {
    // not JSON: the error below explains
  }
  if (held?.kind !== KIND || typeof held.query !== "string") {
    throw new Error(
      "This file is not a saved view. Choose one that was saved with “View: as a file”.",
    );
  }
  const example = { texts: [""], layer: 0, head: 0, query: null };
  const found = fromQuery(held.query, models, example, boot.limits.texts);
  if (typeof held.weights !== "string") return found;
  return { ...found, scratch: { ...found.scratch, weights: held.weights } };
}

export class Copier {
  #dialog = need("#copy", HTMLDialogElement);
  #title = need("#copy-title", HTMLElement);
  #words = need("#copy-words", HTMLElement);
  #text = need("#copy-text", HTMLTextAreaElement);
  #anyway = need("#copy-anyway", HTMLButtonElement);
  #file = need("#copy-file", HTMLButtonElement);

  /** @param {() => void} save saves the view as a file */
  constructor(save) {
    this.#anyway.addEventListener("click", async () => {
      const copied = await put(this.#text.value);
      if (copied) this.#dialog.close();
      else this.#show("Copy it from here", FORBIDDEN, this.#text.value, false);
    });
    this.#file.addEventListener("click", () => {
      save();
      this.#dialog.close();
    });
  }

  /** @param {Readonly<State>} state @returns {Promise<string>} a message for the reader */
  async link(state) {
    const link = linkOf(state);
    try {
      history.replaceState(null, "", link); // the address may lag behind
    } catch {
      // browsers limit how often it may change
    }
    if (link.length <= MAX_LINK)
      return this.text(link, "The link is copied.", "Copy the link from here");
    const n = link.length.toLocaleString("en");
    const words = `This link has ${n} characters. Proxies and chat programs cut or refuse links of more than ${MAX_LINK.toLocaleString("en")}, so it may not arrive. Shorten the text or clear painted cells; or save the view as a file and send that. Whoever drops the file on this page sees the same view.`;
    this.#show("The link is too long", words, link, true);
    return `The link is too long: ${n} characters.`;
  }

  /**
   * @param {string} text
   * @param {string} done the message after copying
   * @param {string} title the title of the dialog, if copying fails
   */
  async text(text, done, title) {
    if (await put(text)) return done;
    this.#show(title, FORBIDDEN, text, false);
    return "The browser does not allow this page to copy.";
  }

  /** @param {string} title @param {string} words @param {string} text @param {boolean} long */
  #show(title, words, text, long) {
    this.#title.textContent = title;
    this.#words.textContent = words;
    this.#text.value = text;
    this.#anyway.hidden = this.#file.hidden = !long;
    if (!this.#dialog.open) this.#dialog.showModal();
    if (long) return;
    this.#text.focus();
    this.#text.select();
  }
}

const FORBIDDEN =
  "The browser does not allow this page to copy: it has no permission, or the connection is not https. The text below is selected; press Ctrl+C (⌘C).";

/** @param {string} text @returns {Promise<boolean>} whether it was copied */
async function put(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no clipboard without https or permission
  }
}

/**
 * The button in the bar.
 * @param {Store} store
 * @param {Copier} copier
 */
export function share(store, copier) {
  const button = need("#share", HTMLButtonElement);
  const name = button.textContent;
  button.addEventListener("click", async () => {
    const message = await copier.link(store.state);
    button.textContent = message.startsWith("The link is copied") ? "Link copied" : name;
    setTimeout(() => {
      button.textContent = name;
    }, 2000);
  });
}
