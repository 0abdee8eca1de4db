// What a frame and its host say to each other: docs/embed.md tells hosts. Pure.

import { EXPECTED, otherVersion, unfit, unknownType } from "./words.js";

export const VERSION = 1;
const MAX_QUERY = 200_000; // characters

/** @typedef {{type: string} & Record<string, unknown>} Message without its version */
/** @typedef {{expected: string, fits: (value: unknown) => boolean}} Field */

const SCHEMES = ["auto", "light", "dark"];

/** What the frame takes, and the fields of each. @type {Record<string, Record<string, Field>>} */
export const TAKEN = {
  "headlight.hello": {},
  "headlight.state": {
    query: {
      expected: EXPECTED.query(MAX_QUERY.toLocaleString("en")),
      fits: (value) => typeof value === "string" && value.length <= MAX_QUERY,
    },
  },
  "headlight.scheme": {
    scheme: {
      expected: EXPECTED.oneOf(SCHEMES),
      fits: (value) => SCHEMES.includes(/** @type {string} */ (value)),
    },
  },
};

/** What the frame says. */
export const SAID = /** @type {const} */ ({
  ready: "headlight.ready",
  height: "headlight.height",
  state: "headlight.state",
  selection: "headlight.selection",
  error: "headlight.error",
});

/**
 * Read what a host has sent.
 * @param {unknown} data
 * @returns {{message: Message} | {problem: string} | null} null: it is none of these, or what a frame says: a host that is a frame itself must get no
 *   answer to an answer
 */
export function readMessage(data) {
  const message = /** @type {Message | null} */ (typeof data === "object" ? data : null);
  if (typeof message?.type !== "string" || !message.type.startsWith("headlight.")) return null;
  if (Object.values(SAID).some((type) => type === message.type && !(type in TAKEN))) return null;
  const fields = Object.hasOwn(TAKEN, message.type) ? TAKEN[message.type] : null;
  const { type } = message;
  if (!fields) return { problem: unknownType(Object.keys(TAKEN)) };
  if (message.version !== VERSION) return { problem: otherVersion({ type, version: VERSION }) };
  for (const [name, { expected, fits }] of Object.entries(fields)) {
    if (!fits(message[name])) return { problem: unfit({ type, name, expected }) };
  }
  return { message };
}
