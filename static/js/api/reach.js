// Reaches the server. The only module that fetches.

import { LANGUAGE } from "../language/language.js";
import { refusal, unreachable } from "./errors.js";
import { LONGEST_S } from "./pauses.js";

/**
 * @param {string} path
 * @param {RequestInit} options
 * @param {typeof globalThis.fetch} [fetch] replaced in tests
 * @returns {Promise<Response>} one that says yes
 * @throws {import("./errors.js").ApiError} there was no answer, or a refusal
 */
export async function reach(path, options, fetch = globalThis.fetch.bind(globalThis)) {
  let response;
  const headers = { "Accept-Language": LANGUAGE, ...options.headers }; // that of the page, not the browser's
  try {
    response = await fetch(path, { ...options, headers });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw unreachable();
  }
  if (response.ok) return response;
  const after = secondsOf(response.headers.get("Retry-After"));
  let error = null;
  try {
    error = (await response.json()).error;
  } catch {
    // not JSON: from a proxy, or cut short
  }
  throw refusal(response.status, error ?? null, after);
}

/** The seconds of a Retry-After header, which is a number or, from a proxy, a date. @param {string | null} text */
function secondsOf(text) {
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return seconds > 0 ? Math.min(seconds, LONGEST_S) : null;
}
