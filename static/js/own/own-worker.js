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

/** The numbers of a recording, which travel without a copy. @param {{recording: import("../engine/sources/recorded.js").Recording}} built */
const buffersOf = ({ recording }) => [
  ...new Set(
    Array.from(recording.tensors.values(), ({ data }) => /** @type {ArrayBuffer} */ (data.buffer)),
  ),
];

addEventListener("message", async ({ data: { id, ...asked } }) => {
  try {
    const found = await answer(asked);
    postMessage({ id, answer: found }, { transfer: "recording" in found ? buffersOf(found) : [] });
  } catch (error) {
    const known = error instanceof FileError;
    const message = error instanceof Error ? error.message : String(error);
    postMessage({ id, problem: message, known });
  }
});
