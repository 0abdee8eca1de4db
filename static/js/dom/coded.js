// A sentence in which `names in backticks` are shown as code, as the server's messages write them.

import { make } from "./dom.js";

/** @param {string} text @returns {(string | HTMLElement)[]} */
export const coded = (text) =>
  text
    .split(/`([^`]+)`/)
    .flatMap((part, place) =>
      part === "" ? [] : [place % 2 === 1 ? make("code", { text: part }) : part],
    );
