// The page around the frame. The frame talks to no other window, and only if the server's settings name the origin of that page.

import { readMessage, SAID, VERSION } from "./messages.js";

/** @import { Message } from "./messages.js" */

/**
 * @param {string[] | null} origins of the pages that may talk; null: all may, since the page is a file, which has no settings and keeps nothing
 * @param {Window} frame
 */
export function hostOf(origins, frame = window) {
  const known = originOf(frame);
  const may = (/** @type {string} */ origin) => origins === null || origins.includes(origin);
  const isFramed = frame.parent !== frame;
  // a browser delivers a message only to the origin that it is for, so it is safe to try all of them
  let targets = origins === null ? ["*"] : known === null ? origins : [known].filter(may);

  /** @param {Message} message */
  const send = (message) => {
    for (const target of isFramed ? targets : [])
      frame.parent.postMessage({ ...message, version: VERSION }, target);
  };
  return {
    send,
    /** @param {(message: Message) => void} act */
    listen: (act) => {
      frame.addEventListener("message", ({ source, origin, data }) => {
        if (!isFramed || source !== frame.parent || !may(origin)) return;
        const read = readMessage(data);
        if (!read) return;
        if (origins !== null) targets = [origin];
        if ("message" in read) act(read.message);
        else send({ type: SAID.error, message: read.problem });
      });
    },
  };
}

/** The origin of the page around the frame; null if the browser does not tell. @param {Window} frame */
function originOf({ location, document }) {
  if (location.ancestorOrigins?.length) return location.ancestorOrigins[0];
  try {
    return new URL(document.referrer).origin;
  } catch {
    return null; // no referrer
  }
}
