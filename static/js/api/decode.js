// Reads answers: large ones in a worker, so that the page stays responsive; small ones here.

import { readSafetensors } from "../files/safetensors.js";

/** @typedef {ReturnType<typeof readSafetensors>} Read */
/** @typedef {{resolve: (found: Read) => void, reject: (error: Error) => void}} Waiting */

const LARGE = 256 * 1024; // bytes: reading less takes no longer than handing it to a worker

/** @type {Map<number, Waiting>} */
const waiting = new Map();
/** Null: there is no worker, and answers are read here. Undefined: not started yet. @type {Worker | null | undefined} */
let worker;
let last = 0;

/**
 * @param {ArrayBuffer} buffer transferred: it is empty afterwards
 * @returns {Promise<Read>}
 * @throws {Error} when it cannot be read
 */
export async function decode(buffer) {
  if (buffer.byteLength < LARGE) return readSafetensors(buffer);
  if (worker === undefined) worker = started();
  const reader = worker;
  if (!reader) return readSafetensors(buffer);
  last += 1;
  const id = last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    reader.postMessage({ id, buffer }, [buffer]);
  });
}

/** @returns {Worker | null} */
function started() {
  if (typeof Worker === "undefined") return null;
  const reader = new Worker(new URL("./decode-worker.js", import.meta.url), { type: "module" });
  reader.addEventListener("message", ({ data: { id, found, problem } }) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (problem === undefined) one?.resolve(found);
    else one?.reject(new Error(problem));
  });
  // it could not be loaded, or crashed: fail what it was reading, and read later answers here
  reader.addEventListener("error", ({ message }) => {
    console.error("The worker that reads answers stopped:", message);
    worker = null;
    for (const { reject } of waiting.values()) {
      reject(new Error("The worker that reads answers stopped. Try again."));
    }
    waiting.clear();
  });
  return reader;
}
