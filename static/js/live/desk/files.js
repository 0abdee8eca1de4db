// What is left after class: the report, its table, and the whole class as a file; and its end.

import { downloadBlob, need } from "../../dom/dom.js";

const NAMES = /** @type {Record<string, string>} */ ({ saved: "json" });

/**
 * @param {import("../types.d.ts").ClassApi} api
 * @param {(error: unknown) => void} fail
 */
export function files(api, fail) {
  for (const opener of document.querySelectorAll("button[data-file]")) {
    const { file = "" } = /** @type {HTMLElement} */ (opener).dataset;
    opener.addEventListener("click", async () => {
      try {
        const name = `class-${api.code}.${NAMES[file] ?? file.split(".")[1]}`;
        downloadBlob(await api.file(`/${file}`), name);
      } catch (error) {
        fail(error);
      }
    });
  }
  const dialog = need("#ending", HTMLDialogElement);
  need("#end", HTMLButtonElement).addEventListener("click", () => dialog.showModal());
  need("#end-not", HTMLButtonElement).addEventListener("click", () => dialog.close());
  need("#end-now", HTMLButtonElement).addEventListener("click", () => {
    dialog.close();
    api.end().catch(fail);
  });
}
