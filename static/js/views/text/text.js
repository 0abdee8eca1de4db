// The sentence itself is the picture: point at a token, and the text is coloured by where it looks, or by who looks at it.

import { make } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { DECADES } from "../../draw/color.js";
import { detailOf } from "../../numbers/detail.js";
import { modelIn } from "../../state/choice.js";
import { paragraph } from "./paragraph.js";
import { pointing, walking } from "./pointer.js";
import { textScene } from "./scene.js";
import { shadesOf } from "./tokens.js";
import { textTools } from "./tools.js";
import { headsOf, textRequest, weightsIn } from "./weights.js";
import { notes, sentence, titleOf } from "./words.js";

/** @typedef {import("../../types.d.ts").State} State */
/** @typedef {import("./weights.js").Role} Role */
/** @typedef {NonNullable<ReturnType<typeof detailOf>>} Detail */
/** @typedef {{role: Role, place: number}} Pointed */

/**
 * @param {HTMLElement} panel
 * @param {import("../../state/store.js").Store} store
 * @param {import("../view.js").Page} page
 */
export function text(panel, store, { retry, onCell }) {
  panel.classList.add("text-view");
  const tools = make("div", { class: "text-tools" });
  const said = make("p", { class: "text-said" });
  said.setAttribute("role", "status");
  const body = make("div", { class: "text-body" });
  const about = make("p", { class: "text-about faint" });
  const low = make("span");
  const scale = make("p", { class: "text-scale faint" }, [
    ...[document.createTextNode("weight"), low, make("i"), document.createTextNode("1")],
  ]);
  panel.append(tools, said, body, scale, about);
  textTools(tools, store, retry);
  const sides = { query: paragraph("target"), key: paragraph("source") };

  /** @type {ReturnType<typeof shown> | null} */
  let held = null;

  /** What stands there now, and where it comes from. @param {Readonly<State>} state @param {Detail} detail */
  const shown = (state, detail) => {
    const heads = headsOf(state, modelIn(state));
    return { detail, heads, weights: weightsIn(state, detail, heads) };
  };

  /** Everything, from the answers. */
  const draw = () => {
    const { state } = store;
    const detail = detailOf(state);
    if (state.view !== "text" || !detail) return;
    const waiting = state.text?.status !== "ready" && state.text?.status !== "error";
    if (waiting && textRequest(state, modelIn(state))) return; // the last picture stays
    held = shown(state, detail);
    const two = isTwo(detail);
    const all = two ? [sides.query, sides.key] : [sides.key];
    if (body.childElementCount !== all.length) body.replaceChildren(...all.map(({ root }) => root));
    sides.key.build(detail.keys, two ? "Tokens of the source" : "Tokens of the text", two);
    if (two) sides.query.build(detail.queries, "Tokens of the target", two);
    colour();
  };

  /** What a token that is pointed at, or read, changes: colours and words, and no size of anything. */
  const colour = () => {
    const { state } = store;
    if (!held || state.view !== "text") return;
    const { detail, heads, weights } = held;
    const two = isTwo(detail);
    const { role, place } = pointed(detail);
    const found = weights(role, place);
    const [own, other] = two
      ? [sides[role], sides[role === "query" ? "key" : "query"]]
      : [sides.key, sides.key];
    const look = { shades: shadesOf(palette(state.scheme).sequential), log: state.log };
    const { hatch } = palette(state.scheme);
    const block = detail.block?.[role === "query" ? "keys" : "queries"] ?? null;
    if (two) own.clear();
    other.colour(found, { ...look, hatch, block });
    if (two) other.mark({ pointed: null, read: role === "query" ? null : detail.row });
    own.mark({ pointed: place, read: two && role === "key" ? null : detail.row });
    const [ownLabels, otherLabels] =
      role === "query"
        ? [detail.queryLabels, detail.keyLabels]
        : [detail.keyLabels, detail.queryLabels];
    said.textContent = sentence(role, place, ownLabels, otherLabels, found);
    about.textContent = notes(state, detail, heads, found);
  };

  /** The token that is pointed at, in any view; else the one that is read. @param {Detail} detail @returns {Pointed} */
  const pointed = (detail) => {
    const { hover, role } = store.state;
    const { site, queries, keys, row } = detail;
    const two = isTwo(detail);
    if (hover && two && hover.axis === site.key_tokens && hover.place < keys.length)
      return { role: "key", place: hover.place };
    const here = hover?.axis === site.query_tokens && hover.place < queries.length;
    return { role: two ? "query" : role, place: here ? hover.place : row };
  };

  /** @param {{side: "query" | "key", place: number} | null} token of a paragraph */
  const point = (token) => {
    if (!held) return;
    const { site } = held.detail;
    const axis = token?.side === "query" ? site.query_tokens : site.key_tokens;
    const { hover } = store.state;
    if (token ? hover?.axis === axis && hover.place === token.place : !hover) return;
    store.update({ hover: token && { axis, place: token.place } });
    const { role, place } = pointed(held.detail);
    onCell?.(token && role === "query" ? [place, place] : null); // of a long text its exact row comes
  };

  /** @param {{side: "query" | "key", place: number}} token */
  const read = ({ side, place }) => {
    const key = held && isTwo(held.detail) && side === "key"; // which looks at nothing itself
    store.update(key ? { key: place } : { query: place });
  };

  const tokenOf = (/** @type {EventTarget | null} */ target) => {
    const found = [
      { side: /** @type {const} */ ("query"), place: sides.query.placeOf(target) },
      { side: /** @type {const} */ ("key"), place: sides.key.placeOf(target) },
    ].find(({ place }) => place >= 0);
    return found ?? null;
  };
  pointing(body, tokenOf, point, read);
  walking(body, () => store.update({ hover: null, query: null }));

  const from = /** @type {const} */ (["detail", "text", "shown", "view", "segments", "scheme"]);
  store.watch([...from, "scale", "log", "role", "over", "overlay", "muted"], draw);
  store.watch(["log"], ({ log }) => {
    low.textContent = log ? `${10 ** -DECADES} or less` : "0";
  });
  store.watch(["hover", "query"], () => {
    const detail = detailOf(store.state);
    if (held && detail?.site === held.detail.site) held = { ...held, detail }; // the row that is read is of the query
    colour();
  });

  return {
    drawn: () => Promise.resolve(), // it is drawn at once
    /** The picture as a file has it; null while there is none. */
    scene: () => {
      if (!held || store.state.view !== "text") return null;
      const { detail, heads, weights } = held;
      const { role, place } = pointed(detail);
      const { state } = store;
      const found = weights(role, place);
      const words = [said.textContent ?? "", notes(state, detail, heads, found)];
      const title = titleOf(state, detail.site, detail.head, heads);
      const of = { detail, two: isTwo(detail), role, place, weights: found, log: state.log };
      return textScene({ ...of, title, about: words, colours: palette("light") }); // papers are white
    },
  };
}

/** Whether queries and keys are of two texts. @param {Detail} detail */
const isTwo = ({ site }) => site.kind === "cross";
