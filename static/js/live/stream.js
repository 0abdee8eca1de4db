// Keeps the document of a class as it is on the server: by a stream of events, or, where none gets through, by asking every two seconds.
// What was missed is healed by the revision: a change that does not begin at ours makes us ask for the whole.

import { ApiError } from "../api/errors.js";
import { eventsOf } from "../api/events.js";
import { pause as wait } from "../api/pauses.js";

/** @import { ClassDocument, Connection } from "./types.d.ts" */

export const SILENT_S = 5; // without an event for so long, a proxy holds the stream back
export const POLL_S = 2;
const AGAIN_S = 60; // until a silent stream is tried again
const WAITS_S = [0.5, 1, 2, 4, 8]; // after a stream that broke; each longer by up to a half, so that a class does not come back at once
/** Refusals that no repeating changes. @type {Record<string, Connection>} */
const FINAL = { no_class: "ended", no_classes: "ended", not_in_class: "out", removed: "out" };

/**
 * @param {import("./types.d.ts").ClassApi} api
 * @param {object} page
 * @param {boolean} [page.desk] whether the desk's part is wanted, too
 * @param {(document: ClassDocument) => void} page.onDocument called with every new one
 * @param {(connection: Connection, why?: string) => void} page.onConnection
 * @param {{pause: (seconds: number) => Promise<void>, random: () => number}} [clock]
 */
export function follow(
  api,
  { desk = false, onDocument, onConnection },
  { pause, random } = { pause: wait, random: Math.random },
) {
  /** @type {ClassDocument | null} */
  let doc = null;
  /** @type {Connection} */
  let connection = "connecting";
  let stopped = false;
  let streams = false;
  let polling = false;
  /** @type {AbortController | null} */
  let stream = null;

  /** @param {Connection} now @param {string} [why] */
  const tell = (now, why) => {
    if (now === connection) return;
    connection = now;
    onConnection(now, why);
  };
  /** @param {ClassDocument} next */
  const take = (next) => {
    if (doc && next.revision < doc.revision) return; // an older answer came late
    doc = next;
    onDocument(next);
  };
  /** @param {unknown} error */
  const isOver = (error) => {
    const final = error instanceof ApiError ? FINAL[error.code ?? ""] : undefined;
    if (!final) return false;
    stop();
    tell(final, error instanceof Error ? error.message : undefined);
    return true;
  };
  const heal = async () => {
    try {
      take(await api.document({ desk }));
    } catch (error) {
      isOver(error); // else the next beat heals it
    }
  };

  /** @type {Record<string, (data: any) => void>} */
  const events = {
    state: take,
    change: ({ from, revision, set }) => {
      if (!doc || from > doc.revision) return void heal();
      if (revision >= doc.revision) take({ ...doc, ...set, revision });
    },
    beat: ({ revision, people }) => {
      if (doc && revision > doc.revision) return void heal();
      if (doc && people !== doc.people) take({ ...doc, people });
    },
    desk: (part) => {
      if (doc) take({ ...doc, ...part });
    },
    end: () => {
      stop();
      tell("ended");
    },
  };

  /** One connection, until it ends, breaks or falls silent. @returns {Promise<"silent" | "broken">} */
  async function listen() {
    const controller = new AbortController();
    stream = controller;
    let heard = 0;
    let isSilent = false;
    const watch = async () => {
      for (let last = -1; last !== heard && !controller.signal.aborted; ) {
        last = heard;
        await pause(SILENT_S);
      }
      isSilent = !controller.signal.aborted;
      controller.abort();
    };
    void watch();
    try {
      const { body } = await api.events(controller.signal, desk);
      for await (const { name, data } of eventsOf(
        /** @type {ReadableStream<Uint8Array>} */ (body),
      )) {
        if (stopped) break;
        heard += 1;
        streams = true;
        tell("live");
        events[name]?.(JSON.parse(data));
      }
    } catch (error) {
      isOver(error);
    }
    controller.abort();
    streams = false;
    return isSilent ? "silent" : "broken";
  }

  async function keepListening() {
    let failures = 0;
    while (!stopped) {
      const end = await listen();
      if (stopped) return;
      if (connection === "live") failures = 0; // it had worked
      void poll();
      if (end === "silent") await pause(AGAIN_S);
      else {
        const seconds = WAITS_S[Math.min(failures, WAITS_S.length - 1)];
        await pause(seconds * (1 + random() / 2));
      }
      failures += 1;
    }
  }

  /** While there is no stream. */
  async function poll() {
    if (polling) return;
    polling = true;
    while (!stopped && !streams) {
      try {
        const next = await api.document({ desk, after: desk ? undefined : doc?.revision });
        if (streams || stopped) break;
        tell("polling");
        if (next) take(next);
      } catch (error) {
        if (isOver(error)) break;
        tell("broken");
      }
      await pause(POLL_S * (0.9 + random() / 5));
    }
    polling = false;
  }

  function stop() {
    stopped = true;
    stream?.abort();
  }

  void keepListening();
  return { stop, heal };
}
