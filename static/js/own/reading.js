// The page's side of own-worker.js: opens a file off the main thread, so that a large or broken one never freezes the page.

import { FileError } from "../files/errors.js";

/** @typedef {import("../engine/sources/recorded.js").Recording} Recording */
/** @typedef {import("./guess.js").Settings} Settings */
/** @typedef {import("./open.js").Opened} Opened */
/** @typedef {{resolve: (answer: any) => void, reject: (error: Error) => void}} Waiting */

/** What a reader sees when the file itself is not at fault. @param {string} reason */
const unforeseen = (reason) => new FileError(`The file could not be opened: ${reason}`);

/** `close` frees the memory of the file. @returns {{close: () => void, open: (file: Blob) => Promise<Opened>, build: (name: string, settings: Settings | null) => Promise<{recording: Recording, remarks: string[]}>}} */
export function fileReader() {
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Map<number, Waiting>} */
  const waiting = new Map();
  let last = 0;

  /** Give up what is still being read. @param {Error} error */
  const stop = (error) => {
    worker?.terminate();
    worker = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };

  const start = () => {
    const reader = new Worker(new URL("./own-worker.js", import.meta.url), { type: "module" });
    reader.addEventListener("message", ({ data: { id, answer, problem, known } }) => {
      const one = waiting.get(id);
      waiting.delete(id);
      if (problem === undefined) one?.resolve(answer);
      else one?.reject(known ? new FileError(problem) : unforeseen(problem));
    });
    reader.addEventListener("error", ({ message }) =>
      stop(unforeseen(message || "the page ran out of memory, or its files are not reachable.")),
    );
    return reader;
  };

  /** @param {object} asked */
  const ask = (asked) =>
    new Promise((resolve, reject) => {
      worker ??= start();
      last += 1;
      waiting.set(last, { resolve, reject });
      worker.postMessage({ id: last, ...asked });
    });

  return {
    open: (file) => {
      stop(new FileError("Another file was opened.")); // the last one may be large
      return ask({ kind: "open", file });
    },
    close: () => stop(new FileError("The file was closed.")),
    build: (name, settings) => ask({ kind: "build", name, settings }),
  };
}
