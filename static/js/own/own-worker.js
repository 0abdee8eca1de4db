// The worker that opens a reader's own file: it keeps the file that was opened last, and makes recordings of it.

import { FileError } from "../files/errors.js";
import { openFile } from "./open.js";

/** @type {Awaited<ReturnType<typeof openFile>> | null} */
let file = null;

/** @param {{kind: "open", file: Blob} | {kind: "build", name: string, settings: import("./guess.js").Settings | null}} asked */
async function answer(asked) {
  if (asked.kind === "open") {
    file = null; // so that its memory is free for the next one
    file = await openFile(asked.file);
    return file.opened;
  }
  if (!file) throw new FileError("No file is open.");
  return file.recording(asked.name, asked.settings);
}

addEventListener("message", async ({ data: { id, ...asked } }) => {
  try {
    postMessage({ id, answer: await answer(asked) });
  } catch (error) {
    const known = error instanceof FileError;
    const message = error instanceof Error ? error.message : String(error);
    postMessage({ id, problem: message, known });
  }
});
