// Opens a reader's own file behind a port, for a worker or for a page whose worker cannot start: one message asks, one answers, with the
// same id. It keeps the file that was opened last, and makes recordings of it.
//
//     start   {}                      null: it is there
//     open    {file: Blob}            what the file holds: Opened
//     build   {name, settings}        {recording: Blob, remarks}: a file that engine/sources/recorded.js reads
//     pack    {recording: Blob}       {text: Blob, rounded}: the same, for a page to carry
//
// Replies are {id, answer} or {id, problem, known}; `known`: the problem is with the file.

import { FileError } from "../files/errors.js";
import { openFile } from "./open.js";
import { packedRecording, recordingFile } from "./recording.js";

/** @typedef {{id: number, kind: string} & Record<string, any>} Message */

/** @param {Pick<MessagePort, "postMessage" | "addEventListener"> & {start?: () => void}} port the worker's own scope, or one end of a channel */
export function serve(port) {
  /** @type {Awaited<ReturnType<typeof openFile>> | null} */
  let file = null;

  /** @type {Record<string, (message: Message) => unknown>} */
  const kinds = {
    start: () => null,
    async open(message) {
      file = null; // so that its memory is free for the next one
      file = await openFile(message.file);
      return file.opened;
    },
    build({ name, settings }) {
      if (!file) throw new FileError("No file is open.");
      const { recording, remarks } = file.recording(name, settings);
      return { recording: recordingFile(recording), remarks };
    },
    pack: ({ recording }) => packedRecording(recording),
  };

  port.addEventListener("message", async ({ data: message }) => {
    const { id, kind } = message;
    try {
      port.postMessage({ id, answer: await kinds[kind](message) });
    } catch (error) {
      const known = error instanceof FileError;
      const problem = error instanceof Error ? error.message : String(error);
      port.postMessage({ id, problem, known });
    }
  });
  port.start?.();
}
