// The thread in which the engine computes: a worker or, where none starts, the page itself. Both speak the messages of
// engine/serving.js.

import { isFile } from "../standalone/bar.js";
import { insideText } from "../standalone/inside.js";

/** @typedef {import("./engine.js").Reply} Reply */
/** @typedef {(port: MessagePort) => void} Serve */
/**
 * @typedef {object} Thread
 * @property {(message: object) => void} post
 * @property {(() => void) | null} stop null: it runs in the page, which nobody can stop
 */
/** @typedef {(reply: (reply: Reply) => void, lost: (reason: string) => void) => Promise<Thread>} OpenThread `lost`: it will answer nothing any more */

// Loaded only when they are needed: nothing imports them, and the packer leaves addresses alone.
const WORKER = "./engine-worker.js";
const HERE = "./engine-here.js";

/** @type {OpenThread} */
export async function inWorker(reply, lost) {
  const worker = isFile
    ? new Worker(await addressInside())
    : new Worker(new URL(WORKER, import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => reply(data));
  for (const kind of ["error", "messageerror"]) {
    worker.addEventListener(kind, (event) => {
      event.preventDefault(); // the page goes on without it, so it is no error of the page
      worker.terminate();
      lost(event instanceof ErrorEvent && event.message ? event.message : kind);
    });
  }
  return { post: (message) => worker.postMessage(message), stop: () => worker.terminate() };
}

/** The URL of the worker's script in a page that carries it. */
async function addressInside() {
  const text = await insideText("engine-worker.js");
  return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}

/** The engine, if the page's script holds it. @type {Serve | null} */
let held = null;
/** Give the page an engine, so that it need not be fetched. @param {Serve} serve */
export const hold = (serve) => {
  held = serve;
};

/** @type {OpenThread} */
export async function inPage(reply) {
  const serve = held ?? (await fetched());
  const { port1, port2 } = new MessageChannel();
  serve(port2);
  port1.addEventListener("message", ({ data }) => reply(data));
  port1.start();
  return { post: (message) => port1.postMessage(message), stop: null };
}

/** @returns {Promise<Serve>} */
const fetched = async () => (await import(new URL(HERE, import.meta.url).href)).serve;
