// The engine behind a port, for a worker or for a page whose worker cannot start: one message asks, one answers, with the same id.
//
//     start   {sources: SourceData[], limits?}          the models, once; their files may be Blobs
//     add     {source: SourceData}                      the model that was added, or replaced
//     remove  {name}                                    null
//     models  {}                                        the models
//     trace   {request}                                 {trace, tensors: Map}, as read from the server's safetensors
//     stream  {request}                                 the document, with tensors as nested lists
//     file    {request, type}                           the bytes of a file, as an ArrayBuffer
//     heads   {model}                                   the probe
//     cancel  {cancels: id}                             no answer: what has not begun is dropped, and what runs cannot be stopped
//
// Replies are {id, answer}, {id, error: {code, message, field, limit, status}}, and before these {id, progress}.

import { createEngine } from "./engine.js";
import { HeadlightError, InputError } from "./errors.js";
import { opened } from "./sources/opening.js";

/** @import { Engine } from "./engine.js" */
/** @typedef {{id: number, kind: string} & Record<string, any>} Message */
/** @typedef {(progress: import("./answering/answers.js").Progress) => void} OnProgress */
/** @typedef {{answer: unknown, transfer?: Transferable[]}} Reply */

/** @type {Record<string, (engine: Engine, message: Message, onProgress: OnProgress) => Reply | Promise<Reply>>} */
const KINDS = {
  add: async (engine, { source }) => ({ answer: engine.add(await arrived(source)) }),
  remove(engine, { name }) {
    engine.remove(name);
    return { answer: null };
  },
  models: (engine) => ({ answer: engine.models() }),
  trace(engine, { request }, onProgress) {
    const answer = engine.trace(request, { onProgress });
    const buffers = Array.from(answer.tensors.values(), ({ data }) => data.buffer);
    return { answer, transfer: /** @type {ArrayBuffer[]} */ (buffers) };
  },
  stream: (engine, { request }, onProgress) => ({ answer: engine.stream(request, { onProgress }) }),
  file(engine, { request, type }) {
    const { buffer } = engine.file(request, type);
    return { answer: buffer, transfer: [buffer] };
  },
  heads: (engine, { model }, onProgress) => ({ answer: engine.heads(model, { onProgress }) }),
};

/** @param {Pick<MessagePort, "postMessage" | "addEventListener"> & {start?: () => void}} port the worker's own scope, or one end of a channel */
export function serve(port) {
  /** @type {Message[]} */
  const waiting = [];
  /** @type {Engine | null} */
  let engine = null;
  let isBusy = false;

  port.addEventListener("message", ({ data: message }) => {
    if (message.kind === "cancel") {
      const at = waiting.findIndex(({ id }) => id === message.cancels);
      if (at >= 0) waiting.splice(at, 1);
      return;
    }
    waiting.push(message);
    setTimeout(next); // a task of its own, so that a `cancel` that is already here comes first
  });
  port.start?.();

  async function next() {
    if (isBusy) return; // with a file that is being read: the next one follows
    const message = waiting.shift();
    if (!message) return;
    const { id } = message;
    isBusy = true;
    try {
      const { answer, transfer = [] } = await handled(message, (progress) =>
        port.postMessage({ id, progress }),
      );
      port.postMessage({ id, answer }, { transfer });
    } catch (error) {
      port.postMessage({ id, error: problemOf(error) });
    }
    isBusy = false;
    if (waiting.length > 0) setTimeout(next);
  }

  /** @param {Message} message @param {OnProgress} onProgress @returns {Promise<Reply>} */
  async function handled(message, onProgress) {
    if (message.kind === "start") {
      const sources = await Promise.all(message.sources.map(arrived));
      engine = createEngine({ sources, limits: message.limits });
      return { answer: engine.models() };
    }
    if (!engine) throw new InputError("The engine has no models yet.", { code: "not_started" });
    return KINDS[message.kind](engine, message, onProgress);
  }
}

/** A source from data whose files may be Blobs, which travel without a copy. @param {Record<string, unknown>} data */
async function arrived(data) {
  const read = Object.entries(data).map(async ([field, value]) => [
    field,
    value instanceof Blob ? await value.arrayBuffer() : value,
  ]);
  return opened(/** @type {any} */ (Object.fromEntries(await Promise.all(read))));
}

/** @param {unknown} error */
function problemOf(error) {
  if (error instanceof HeadlightError) {
    const { code, message, said, field, limit, status } = error;
    return { code, message, said, field, limit, status };
  }
  console.error(error);
  const message = `Something went wrong in this page: ${error instanceof Error ? error.message : error}`;
  return { code: "internal", message, field: null, limit: null, status: 500 };
}
