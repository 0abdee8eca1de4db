// What the pages of a class ask the server (docs/class.md).

import { ApiError } from "../api/errors.js";
import { reach } from "../api/reach.js";
import { NO_ANSWER } from "./words.js";

export const HEADER = "X-Headlight-Class";

/** Whether the server said no. Otherwise the request may have been carried out, and only its answer is lost. @param {unknown} error */
export const isCertain = (error) =>
  error instanceof ApiError && error.status !== null && error.status < 500;

/** Whether there is no such class any more. @param {unknown} error */
export const isGone = (error) => error instanceof ApiError && error.code === "no_class";

/** Whether the class has been shown something else since the choice that a change was to replace. @param {unknown} error */
export const isOvertaken = (error) => error instanceof ApiError && error.code === "overtaken";

/**
 * @param {string} code of the class
 * @param {string} token
 * @param {typeof globalThis.fetch} [fetch]
 */
export function classApi(code, token, fetch) {
  const base = `/api/classes/${code}`;
  /** @param {string} method @param {string} path @param {object} [body] @param {AbortSignal} [signal] */
  const ask = async (method, path, body, signal) => {
    /** @type {Record<string, string>} */
    const headers = { [HEADER]: token };
    if (body) headers["Content-Type"] = "application/json";
    const sent = body ? JSON.stringify(body) : undefined;
    return answered(base + path, { method, headers, body: sent, signal }, fetch);
  };
  /** @param {string} method @param {string} path @param {object} [body] */
  const json = async (method, path, body) => {
    const response = await ask(method, path, body);
    return response.status === 204 ? null : response.json();
  };
  return {
    code,
    /** The whole document; null if there is nothing after that revision. @param {{after?: number, desk?: boolean}} [options] */
    document: ({ after, desk } = {}) =>
      json("GET", `?${after === undefined ? "" : `after=${after}&`}${desk ? "desk=1" : ""}`),
    /** The stream of events. @param {AbortSignal} signal @param {boolean} [desk] */
    events: (signal, desk) => ask("GET", `/events${desk ? "?desk=1" : ""}`, undefined, signal),
    /** @param {object} changes */
    patch: (changes) => json("PATCH", "", changes),
    /** @param {string} kind @param {object} question */
    start: (kind, question) => json("POST", "/activities", { kind, question }),
    /** @param {string} id @param {{phase?: string, round?: number}} changes */
    advance: (id, changes) => json("PATCH", `/activities/${id}`, changes),
    /** @param {string} id */
    putAway: (id) => json("DELETE", `/activities/${id}`),
    /** @param {string} id @param {string} item @param {object | null} answer null: takes it back */
    answer: (id, item, answer) =>
      answer
        ? json("PUT", `/answers/${id}/${item}`, answer)
        : json("DELETE", `/answers/${id}/${item}`),
    work: async () => (await json("GET", "/work")).work,
    sendAway: () => json("DELETE", "/people"),
    people: async () => (await json("GET", "/people")).people,
    /** @param {string} person @param {{hidden?: boolean, removed?: boolean}} changes */
    moderate: (person, changes) => json("PATCH", `/people/${person}`, changes),
    /** @param {string} id @param {string} person @param {string} item @param {boolean} hidden */
    hide: (id, person, item, hidden) =>
      json("PATCH", `/answers/${id}/${person}/${item}`, { hidden }),
    plans: async () => (await json("GET", "/plans")).plans,
    /** @param {any} document */
    plan: (document) => json("PUT", "/plan", document),
    ready: async () => (await json("GET", "/ready")).ready,
    /** A file for the teacher to keep. @param {string} path @returns {Promise<Blob>} */
    file: async (path) => (await ask("GET", path)).blob(),
    end: () => json("DELETE", ""),
  };
}

/**
 * Join a class: the same token is the same person.
 * @param {string} code
 * @param {{nickname: string | null, again: string}} who
 * @param {typeof globalThis.fetch} [fetch]
 * @returns {Promise<{token: string, nickname: string | null}>}
 */
export const join = (code, who, fetch) => posted(`/api/classes/${code}/participants`, who, fetch);

/** Open a class, where anyone may. @returns {Promise<{code: string, secret: string}>} */
export const open = () => posted("/api/classes", {});

/** @param {string} path @param {object} body @param {typeof globalThis.fetch} [fetch] */
async function posted(path, body, fetch) {
  const headers = { "Content-Type": "application/json" };
  const sent = JSON.stringify(body);
  const response = await answered(path, { method: "POST", headers, body: sent }, fetch);
  return response.json();
}

/** @type {typeof reach} */
const answered = (path, options, fetch) =>
  reach(path, options, fetch).catch((error) => {
    if (error instanceof ApiError && error.status === null) error.message = NO_ANSWER;
    throw error;
  });
