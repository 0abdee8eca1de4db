// Save: one menu for everything that can be saved, as pictures, numbers, a link or a program.

import { ApiError } from "../../api/api.js";
import { asPng, asSvg } from "../../dom/canvas.js";
import { download, need } from "../../dom/dom.js";
import { SLOTS } from "../../views/questions.js";
import { Copier, readView, share, viewFile } from "./link.js";
import { gridSubject, rightSubject } from "./panels.js";
import { headSubject, pythonIn } from "./subjects.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("../../types.d.ts").Boot} Boot */
/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("./subjects.js").Subject} Subject */
/** @typedef {import("../../views/view.js").Picture} Picture */

const EDGE = 8; // pixels between the menu and the edge of the window

/**
 * @param {Store} store
 * @param {Record<string, Picture>} pictures by view
 * @param {Boot} boot
 */
export function save(store, pictures, boot) {
  const menu = need("#save", HTMLElement);
  const title = need("#save-title", HTMLElement);
  const said = need("#save-status", HTMLElement);
  const file = need("#view-file", HTMLInputElement);
  /** @type {Record<string, Subject>} */
  const subjects = { head: headSubject(pictures), grid: gridSubject, right: rightSubject };
  let subject = subjects.head;

  const saveView = () => {
    const name = `${subjects.head.name(store.state)}.view.json`;
    put(viewFile(store.state), name);
    return `Saved ${name}.`;
  };
  const settled = settling(store);
  const copier = new Copier(saveView);
  share(store, copier);

  /** What each item does; it returns a message for the reader. @type {Record<string, (state: Readonly<State>) => Promise<string> | string>} */
  const items = {
    png: async (state) => keep(state, "png", await asPng(await subject.scene(state))),
    svg: async (state) => keep(state, "svg", asSvg(await subject.scene(state))),
    csv: async (state) =>
      keep(state, "csv", new Blob([await subject.csv(state)], { type: "text/csv" })),
    json: async (state) => keep(state, "json", await subject.file(state, "application/json")),
    safetensors: async (state) =>
      keep(state, "safetensors", await subject.file(state, "application/safetensors")),
    link: (state) => copier.link(state),
    python: (state) =>
      copier.text(pythonIn(state), "The program is copied.", "Copy the program from here"),
    view: saveView,
    open: () => {
      file.click();
      return "";
    },
  };

  /** @param {Readonly<State>} state @param {string} end @param {Blob} blob */
  const keep = (state, end, blob) => {
    const name = `${subject.name(state)}.${end}`;
    put(blob, name);
    return `Saved ${name}.`;
  };

  let turn = 0; // only the last chosen item may report
  menu.addEventListener("click", async ({ target }) => {
    const button = target instanceof Element ? target.closest("[data-export]") : null;
    const act = items[button?.getAttribute("data-export") ?? ""];
    if (!act) return;
    turn += 1;
    const mine = turn;
    said.textContent = "One moment …";
    menu.setAttribute("aria-busy", "true");
    let words = "";
    try {
      await settled();
      await pictures[store.state.view].drawn?.();
      words = await act(store.state);
    } catch (error) {
      const known = error instanceof ApiError || error instanceof Error;
      words = `Nothing was saved. ${known ? error.message : error}`;
    }
    if (mine !== turn) return;
    said.textContent = words;
    menu.setAttribute("aria-busy", "false");
  });

  for (const button of document.querySelectorAll("[data-save]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.setAttribute("aria-haspopup", "dialog");
    button.setAttribute("aria-expanded", "false");
    // pressing the button closes the popover by itself: the click must not open it again
    let was = false;
    button.addEventListener("pointerdown", () => {
      was = button.getAttribute("aria-expanded") === "true";
    });
    button.addEventListener("click", () => {
      const again = was;
      was = false;
      if (again) return;
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
    said.textContent = subject.head ? "In CSV, the field of a blocked cell is empty." : "";
    for (const part of menu.querySelectorAll("[data-of='head'], [data-export='safetensors']")) {
      if (part instanceof HTMLElement) part.hidden = !subject.head;
    }
    menu.showPopover();
    const at = button.getBoundingClientRect();
    const { width, height } = menu.getBoundingClientRect();
    const left = Math.min(Math.max(EDGE, at.right - width), innerWidth - width - EDGE);
    const below = at.bottom + height + EDGE <= innerHeight;
    const top = below ? at.bottom + 4 : Math.max(EDGE, at.top - height - 4);
    menu.style.left = `${left}px`;
    menu.style.top = `${top}px`;
    button.setAttribute("aria-expanded", "true");
    menu.querySelector("button")?.focus();
  };
  menu.addEventListener("toggle", (event) => {
    if (/** @type {ToggleEvent} */ (event).newState === "closed")
      opener?.setAttribute("aria-expanded", "false");
  });

  /** Open a saved view. @param {File | undefined} given */
  const show = async (given) => {
    if (!given) return;
    try {
      store.update(readView(await given.text(), store.state, boot));
      said.textContent = `The page shows ${given.name}.`;
    } catch (error) {
      if (!menu.matches(":popover-open")) {
        subject = subjects.head;
        open(need('[data-save="head"]', HTMLElement));
      }
      said.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  file.addEventListener("change", () => {
    show(file.files?.[0]);
    file.value = ""; // so that the same file can be opened again
  });
  drops(show);
}

/** Save a file. @param {Blob} blob @param {string} name */
function put(blob, name) {
  const address = URL.createObjectURL(blob);
  download(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // some browsers read it later
}

/** A saved view can be dropped anywhere on the page. @param {(file: File | undefined) => void} show */
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
function settling(store) {
  /** @type {(() => void)[]} */
  let waiting = [];
  store.watch(["status", ...SLOTS], () => {
    const others = waiting;
    waiting = [];
    for (const look of others) look();
  });
  return () =>
    new Promise((resolve, reject) => {
      const look = () => {
        const { status, problem } = store.state;
        const asked = SLOTS.some((slot) => store.state[slot]?.status === "loading");
        if (status === "error") {
          const words = problem?.message ?? "";
          reject(new Error(`The current view could not be computed: ${words}`));
        } else if (status === "loading" || asked) waiting.push(look);
        else resolve();
      };
      look();
    });
}
