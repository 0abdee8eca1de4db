// How much of a reader's own file the page takes.

import { fixed } from "../language/language.js";

export const LIMITS = {
  bytes: 256 * 2 ** 20, // of the file
  numbers: 64 * 2 ** 20, // in all its arrays, unpacked
  arrays: 10_000,
  json: 64 * 2 ** 20, // bytes of a JSON file, which needs many times its size in memory
  texts: 8,
  tokens: 2048,
  characters: 20_000, // of a text, as the API has it
  heads: 4096, // in all layers
};

/** How much of it a page that is a file holds, in bytes. */
export const PAGE = {
  exact: 8 * 2 ** 20, // as float32
  bytes: 64 * 2 ** 20, // as server/pages/export/recorded.py has it
};

/** @param {number} bytes */
export const megabytes = (bytes) => `${fixed(bytes / 2 ** 20, bytes < 10 * 2 ** 20 ? 1 : 0)} MB`;

/** What to do about more tokens than are shown, whatever they are saved as. */
export const SHORTER = "Save a part of the text.";
/** What to do about a file that is too large. */
export const SMALLER =
  "Save fewer layers, heads or tokens; or save q, k and v instead of patterns, as float16.";
