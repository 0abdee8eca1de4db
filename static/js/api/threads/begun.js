// How a script of this folder begins: in a worker it serves the page; where none starts, the page runs it, and is given what serves.

/** @typedef {"engine" | "own"} Task what runs: the engine, or what opens a reader's own file */
/** @typedef {(port: MessagePort) => void} Serve */

/** @param {Task} task */
const eventOf = (task) => `headlight-serves-${task}`;

/** @param {Task} task @param {Serve} serve */
export function begin(task, serve) {
  if (typeof document === "undefined")
    serve(/** @type {any} */ (self)); // its types are those of a window
  else document.dispatchEvent(new CustomEvent(eventOf(task), { detail: serve }));
}

/**
 * What serves, from a task's script that runs in this page.
 * @param {Task} task
 * @param {() => Promise<unknown>} run
 * @returns {Promise<Serve>}
 * @throws whatever `run` throws
 */
export function begun(task, run) {
  return new Promise((resolve, reject) => {
    const received = (/** @type {Event} */ event) =>
      resolve(/** @type {CustomEvent<Serve>} */ (event).detail);
    document.addEventListener(eventOf(task), received, { once: true });
    run().catch(reject);
  });
}
