// The thread in which the engine computes: a worker or, where none starts, the page itself. Both speak the messages of
// engine/host.js.

/** @typedef {import("./engine.js").Reply} Reply */
/** @typedef {{receive: (message: object) => void}} Host */
/** @typedef {(post: (reply: Reply, transfer?: Transferable[]) => void) => Host} CreateHost */
/**
 * @typedef {object} Thread
 * @property {(message: object) => void} post
 * @property {(() => void) | null} stop null: it runs in the page, which nobody can stop
 */
/** @typedef {(reply: (reply: Reply) => void, lost: (reason: string) => void) => Promise<Thread>} OpenThread `lost`: it will answer nothing any more */

/** @type {OpenThread} */
export async function inWorker(reply, lost) {
  const url = new URL("./engine-worker.js", import.meta.url);
  const worker = new Worker(url, { type: "module" });
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

/** The engine, if the page's script holds it. @type {CreateHost | null} */
let held = null;
/** Give the page an engine, so that it need not be fetched. @param {CreateHost} createHost */
export const hold = (createHost) => {
  held = createHost;
};

/** @type {OpenThread} */
export async function inPage(reply) {
  const createHost = held ?? (await fetched());
  const host = createHost((answer) => queueMicrotask(() => reply(answer)));
  return { post: (message) => host.receive(message), stop: null };
}

/** @returns {Promise<CreateHost>} */
async function fetched() {
  // written so that the packer leaves it alone: the engine is loaded only when it is needed
  const url = new URL("./engine-host.js", import.meta.url).href;
  return (await import(url)).createHost;
}
