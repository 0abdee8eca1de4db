// The thread in which something slow runs: a worker or, where none starts, the page itself.

import { isFile } from "../../standalone/bar.js";
import { insideText, runInside } from "../../standalone/carried.js";
import { begun } from "./begun.js";

/** @import { Serve, Task } from "./begun.js" */
/** @typedef {{id: number} & Record<string, any>} Message */
/**
 * @typedef {object} Thread
 * @property {(message: object) => void} post
 * @property {(() => void) | null} stop null: it runs in the page, which nobody can stop
 */
/** @typedef {(reply: (reply: any) => void, lost: (reason: string) => void) => Promise<Thread>} OpenThread `lost`: it will answer nothing any more */

// It is loaded only when it is needed: nothing imports it, and the packer leaves addresses alone.
const scriptOf = (/** @type {Task} */ task) => `${task}-worker.js`;
const addressOf = (/** @type {Task} */ task) => new URL(`./${scriptOf(task)}`, import.meta.url);

/** The threads that a task may run in, the best first. @param {Task} task @returns {OpenThread[]} */
export const threadsFor = (task) => [
  (reply, lost) => inWorker(task, reply, lost),
  (reply) => inPage(task, reply),
];

/**
 * The first thread that starts, which is one that answers to its first message.
 * @param {OpenThread[]} threads
 * @param {Message} first
 * @param {object} listeners
 * @param {(reply: any) => void} listeners.received to all later replies
 * @param {(reason: string) => void} listeners.lost it will answer nothing any more
 * @returns {Promise<{thread: Thread, reply: any}>} `reply`: to the first message
 * @throws {Error} none starts, for the reason given
 */
export async function started(threads, first, listeners) {
  let reason = "";
  for (const open of threads) {
    try {
      return await answering(open, first, listeners);
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
      console.info("A thread did not start:", reason);
    }
  }
  throw new Error(reason);
}

/**
 * @param {OpenThread} open
 * @param {Message} first
 * @param {Parameters<typeof started>[2]} listeners
 * @returns {ReturnType<typeof started>}
 */
function answering(open, first, { received, lost }) {
  let hasStarted = false;
  return new Promise((resolve, reject) => {
    const opening = open(
      (reply) => {
        if (hasStarted) return received(reply);
        hasStarted = true;
        opening.then((thread) => resolve({ thread, reply }));
      },
      (reason) => (hasStarted ? lost(reason) : reject(new Error(reason))),
    );
    opening.then((thread) => thread.post(first), reject);
  });
}

/** @param {Task} task @param {Parameters<OpenThread>[0]} reply @param {Parameters<OpenThread>[1]} lost @returns {Promise<Thread>} */
async function inWorker(task, reply, lost) {
  const worker = isFile
    ? new Worker(await addressInside(scriptOf(task)))
    : new Worker(addressOf(task), { type: "module" });
  worker.addEventListener("message", ({ data }) => reply(data));
  for (const kind of ["error", "messageerror"]) {
    worker.addEventListener(kind, (event) => {
      event.preventDefault(); // the page goes on without it, so this is not an error of the page
      worker.terminate();
      lost(event instanceof ErrorEvent && event.message ? event.message : kind);
    });
  }
  return { post: (message) => worker.postMessage(message), stop: () => worker.terminate() };
}

/** The URL of a worker's script in a page that carries it. @param {string} name */
async function addressInside(name) {
  const text = await insideText(name);
  return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}

/** What serves in this page: a script runs only once. @type {Map<Task, Promise<Serve>>} */
const served = new Map();

/** @param {Task} task @returns {Promise<Serve>} */
function servesHere(task) {
  const known = served.get(task);
  if (known) return known;
  const run = () => (isFile ? runInside(scriptOf(task)) : import(addressOf(task).href));
  const serve = begun(task, run);
  served.set(task, serve);
  serve.catch(() => served.delete(task)); // it may come next time
  return serve;
}

/** @param {Task} task @param {Parameters<OpenThread>[0]} reply @returns {Promise<Thread>} */
async function inPage(task, reply) {
  const serve = await servesHere(task);
  const { port1, port2 } = new MessageChannel();
  serve(port2);
  port1.addEventListener("message", ({ data }) => reply(data));
  port1.start();
  return { post: (message) => port1.postMessage(message), stop: null };
}
