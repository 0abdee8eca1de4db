// The lines that put the current view into another page: docs/embed.md says what the frame does there.

import { backend } from "../../api/backend.js";
import { inChosenLanguage, isFile, linkTo } from "../../standalone/bar.js";
import { tells } from "../../state/quiz.js";
import { toQuery } from "../../state/url.js";
import { shorten } from "../../words/format.js";
import { headInText } from "../../words/heads.js";
import { FOLLOW, LINES } from "./words.js";

/** @import { State } from "../../types.d.ts" */

const TITLE = 60; // characters of the text
const LOOK = { loading: "lazy", width: "100%", height: "420", style: "border: 0" };
/** @type {Record<string, string>} */
const ESCAPED = { "&": "&amp;", '"': "&quot;" }; // what ends an attribute, and what escapes

/**
 * @param {Readonly<State>} state
 * @param {string[] | null} ancestors the origins whose pages the server lets frame it; null: this page is a file
 * @returns {import("../../panels/save/link.js").Embedding}
 */
export function embedding(state, ancestors) {
  const query = toQuery({ ...state, depth: "full" }, state.models, { shared: true });
  const text = shorten(state.texts[state.shown].trim(), TITLE);
  const title = tells(state) ? LINES.name({ head: headInText(state), text }) : LINES.quiz(text);
  const frame = Object.entries({ src: addressOf(query), title, ...LOOK })
    .map(([name, value]) => ` ${name}="${value.replace(/[&"]/g, (char) => ESCAPED[char])}"`)
    .join("");
  return {
    lines: `<iframe${frame}></iframe>\n<script>${FOLLOW}</script>`,
    message: backend.ownData(state.model) ? LINES.own : LINES.allowed(ancestors),
  };
}

/** @param {string} query with its "?" */
const addressOf = (query) =>
  isFile
    ? linkTo(`${query}&depth=embed`)
    : new URL(`/embed${inChosenLanguage(query)}`, location.href).href;
