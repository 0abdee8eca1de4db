// Save: one menu for everything that can be saved, as pictures, numbers, a link or a program.

import { asPng, asSvg } from "../../dom/canvas.js";
import { coming } from "../../dom/coming.js";
import { downloadBlob, need } from "../../dom/dom.js";
import { modelIn } from "../../state/choice.js";
import { PROMPT } from "../questions.js";
import { Copier, isView, readView, viewFile } from "./link.js";
import { gridSubject, rightSubject } from "./lists.js";
import { pageOf } from "./page.js";
import { besideButton } from "./place.js";
import { share } from "./share.js";
import { headSubject } from "./subjects.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Boot, State } from "../../types.d.ts" */
/** @import { Subject } from "./subjects.js" */
/** @import { Picture } from "../../views/view.js" */

const PROGRAM = coming(() => import("./program.js"));
const PICTURE = coming(() => import("../figure/dialog.js"));
const BOM = "\ufeff"; // by which Excel knows UTF-8

/**
 * @param {object} elements
 * @param {HTMLElement} elements.menu
 * @param {HTMLDialogElement} elements.dialog shows what cannot be copied
 * @param {HTMLDialogElement} elements.picture the options of a picture
 * @param {HTMLButtonElement} elements.shareButton
 * @param {HTMLElement} elements.shared what else can be done once the link is copied
 * @param {HTMLButtonElement[]} elements.openers the buttons that open the menu; `data-save` says for what
 * @param {Store} store
 * @param {Record<string, Picture>} pictures by view
 * @param {Boot} boot
 * @param {object} others
 * @param {(file: File) => void} others.openOther opens a file that was dropped and is not a saved view
 * @param {(state: Readonly<State>) => import("./link.js").Embedding} others.embedding
 */
export function save(elements, store, pictures, boot, { openOther, embedding }) {
  const { menu, dialog, picture, shareButton, shared, openers } = elements;
  const title = need("p", HTMLElement, menu);
  const status = need("[role=status]", HTMLElement, menu);
  const file = need("input[type=file]", HTMLInputElement, menu);
  /** @type {Record<string, Subject>} */
  const subjects = { head: headSubject(pictures), grid: gridSubject, right: rightSubject };
  let subject = subjects.head;

  /** @type {ReturnType<typeof import("../figure/dialog.js").pictureDialog> | null} */
  let openPicture = null;
  const saveView = () => {
    const name = `${subjects.head.name(store.state)}.view.json`;
    downloadBlob(viewFile(store.state), name);
    return words.saved(name);
  };
  const answered = waitForAnswers(store);
  const copier = new Copier(dialog, {
    save: saveView,
    embed: () => embedding(store.state),
  });
  share(shareButton, shared, store, copier);

  /** What each item does; it returns a message for the reader. @type {Record<string, (state: Readonly<State>) => Promise<string> | string>} */
  const items = {
    png: async (state) => saveAs(state, "png", await asPng(await subject.scene(state))),
    svg: async (state) => {
      const { blob, pixels } = asSvg(await subject.scene(state));
      const said = saveAs(state, "svg", blob);
      return pixels ? words.withPixels(said) : said;
    },
    picture: async (state) => {
      const { pictureDialog } = await PICTURE.come();
      openPicture ??= pictureDialog(picture, downloadBlob);
      menu.hidePopover();
      await openPicture(subject, state);
      return "";
    },
    csv: async (state) =>
      saveAs(state, "csv", new Blob([BOM, await subject.csv(state)], { type: "text/csv" })),
    json: async (state) => saveAs(state, "json", await subject.file(state, "application/json")),
    safetensors: async (state) =>
      saveAs(state, "safetensors", await subject.file(state, "application/safetensors")),
    link: (state) => copier.link(state),
    python: async (state) => {
      if (modelIn(state).recorded) return words.OWN_PROGRAM;
      const { pythonIn } = await PROGRAM.come();
      return copier.text(pythonIn(state), words.PROGRAM);
    },
    view: saveView,
    page: async (state) => saveAs(state, "html", await pageOf(state)),
    open: () => {
      file.click();
      return "";
    },
  };

  /** @param {Readonly<State>} state @param {string} extension @param {Blob} blob */
  const saveAs = (state, extension, blob) => {
    const name = `${subject.name(state)}.${extension}`;
    downloadBlob(blob, name);
    return words.saved(name);
  };

  let latest = 0; // only the item that was chosen last may report
  menu.addEventListener("click", async ({ target }) => {
    const button = target instanceof Element ? target.closest("[data-export]") : null;
    const act = items[button?.getAttribute("data-export") ?? ""];
    if (!act) return;
    latest += 1;
    const turn = latest;
    status.textContent = words.ONE_MOMENT;
    menu.setAttribute("aria-busy", "true");
    let message = "";
    try {
      await answered();
      await pictures[store.state.view].drawn?.();
      message = await act(store.state);
    } catch (error) {
      message = words.notSaved(error instanceof Error ? error.message : String(error));
    }
    if (turn !== latest) return;
    status.textContent = message;
    menu.setAttribute("aria-busy", "false");
  });

  for (const button of openers) {
    button.setAttribute("aria-haspopup", "dialog");
    button.setAttribute("aria-expanded", "false");
    // pressing the button of an open menu closes it by itself: the click must not open it again
    let wasOpen = false;
    button.addEventListener("pointerdown", () => {
      wasOpen = button.getAttribute("aria-expanded") === "true";
    });
    button.addEventListener("click", () => {
      const closes = wasOpen;
      wasOpen = false;
      if (closes) return;
      subject = subjects[button.dataset.save ?? ""];
      open(button);
    });
  }

  /** @type {HTMLElement | null} */
  let opener = null;
  /** @param {HTMLElement} button */
  const open = (button) => {
    opener?.setAttribute("aria-expanded", "false");
    opener = button;
    title.textContent = subject.title;
    status.textContent = subject.head ? words.EMPTY_FIELDS : "";
    for (const part of menu.querySelectorAll("[data-of='head'], [data-export='safetensors']")) {
      if (part instanceof HTMLElement) part.hidden = !subject.head;
    }
    menu.showPopover();
    besideButton(menu, button);
    button.setAttribute("aria-expanded", "true");
    menu.querySelector("button")?.focus();
  };
  menu.addEventListener("toggle", (event) => {
    if (/** @type {ToggleEvent} */ (event).newState === "closed")
      opener?.setAttribute("aria-expanded", "false");
  });

  /** Open a saved view. @param {File | undefined} view */
  const show = async (view) => {
    if (!view) return;
    try {
      store.update(readView(await view.text(), store.state, boot));
      status.textContent = words.opened(view.name);
    } catch (error) {
      const opener = openers.find((button) => button.dataset.save === "head");
      if (!menu.matches(":popover-open") && opener) {
        subject = subjects.head;
        open(opener);
      }
      status.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  file.addEventListener("change", () => {
    show(file.files?.[0]);
    file.value = ""; // so that the same file can be opened again
  });
  drops(async (file) => {
    if (store.state.depth === "embed") return; // a view takes nothing
    if (file && !(await isView(file))) openOther(file);
    else show(file);
  });
}

/** A file can be dropped anywhere on the page. @param {(file: File | undefined) => void} show */
function drops(show) {
  const root = document.documentElement;
  /** @param {DragEvent} event */
  const isFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    root.classList.add("dropping");
  });
  for (const end of /** @type {const} */ (["dragleave", "drop"])) {
    addEventListener(end, () => root.classList.remove("dropping"));
  }
  addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    show(event.dataTransfer?.files[0]);
  });
}

/**
 * Wait until every request is answered, so that the picture shows the current choice.
 * @param {Store} store
 * @returns {() => Promise<void>} rejects if it could not be computed
 */
function waitForAnswers(store) {
  /** @type {(() => void)[]} */
  let waiting = [];
  store.watch(["status", ...PROMPT], () => {
    const callbacks = waiting;
    waiting = [];
    for (const check of callbacks) check();
  });
  return () =>
    new Promise((resolve, reject) => {
      const check = () => {
        const { status, problem } = store.state;
        const pending = PROMPT.some((slot) => store.state[slot]?.status === "loading");
        if (status === "error") reject(new Error(words.notComputed(problem?.message ?? "")));
        else if (status === "loading" || pending) waiting.push(check);
        else resolve();
      };
      check();
    });
}
