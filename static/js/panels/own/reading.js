// Opens a reader's own file off the main thread, so that a large or broken one never freezes the page.

import { started, threadsFor } from "../../api/threads/thread.js";
import { FileError } from "../../files/errors.js";
import * as words from "./words.js";

/** @import { Settings } from "../../own/guess.js" */
/** @import { Opened } from "../../own/open.js" */
/** @typedef {{resolve: (answer: any) => void, reject: (error: Error) => void}} Waiting */

/** What a reader sees when the file itself is not at fault. @param {string} reason */
const unforeseen = (reason) => new FileError(words.unforeseen(reason));

/**
 * What own/serving.js does, as functions; `close` frees the memory of the file.
 * @typedef {object} FileReader
 * @property {() => void} close
 * @property {(file: Blob) => Promise<Opened>} open
 * @property {(name: string, settings: Settings | null) => Promise<{recording: Blob, remarks: string[]}>} build
 * @property {(recording: Blob) => Promise<{text: Blob, rounded: boolean}>} pack
 */

/** @param {import("../../api/threads/thread.js").OpenThread[]} [threads] replaced in tests @returns {FileReader} */
export function fileReader(threads = threadsFor("own")) {
  /** @type {Promise<import("../../api/threads/thread.js").Thread> | null} */
  let running = null;
  /** @type {Map<number, Waiting>} */
  const waiting = new Map();
  let last = 0;

  /** Give up what is still being read. @param {Error} error */
  const stop = (error) => {
    running?.then(({ stop }) => stop?.()).catch(() => {}); // it has not even started
    running = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };

  /** @param {{id: number, answer?: any, problem?: string, known?: boolean}} reply */
  const received = ({ id, answer, problem, known }) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (problem === undefined) one?.resolve(answer);
    else one?.reject(known ? new FileError(problem) : unforeseen(problem));
  };

  const start = async () => {
    last += 1;
    const lost = (/** @type {string} */ reason) => stop(unforeseen(reason));
    return (await started(threads, { id: last, kind: "start" }, { received, lost })).thread;
  };

  /** @param {object} asked @returns {Promise<any>} */
  const ask = (asked) =>
    new Promise((resolve, reject) => {
      last += 1;
      const id = last;
      waiting.set(id, { resolve, reject });
      running ??= start();
      running.then(
        ({ post }) => waiting.has(id) && post({ id, ...asked }),
        ({ message }) => stop(unforeseen(message)),
      );
    });

  return {
    open: (file) => {
      stop(new FileError(words.ANOTHER)); // the last one may be large
      return ask({ kind: "open", file });
    },
    close: () => stop(new FileError(words.CLOSED)),
    build: (name, settings) => ask({ kind: "build", name, settings }),
    pack: (recording) => ask({ kind: "pack", recording }),
  };
}
