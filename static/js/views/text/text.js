// The text itself is the picture: point at a token, and the text is coloured by where it looks, or by who looks at it.

import { make, write } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { DECADES } from "../../draw/color.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { detailOf } from "../../numbers/detail.js";
import { lastToken, seenAt, seenOf } from "../../numbers/units.js";
import { modelIn } from "../../state/choice.js";
import { toggled } from "../../state/overlay.js";
import { paragraph } from "./paragraph.js";
import { pointing, walking } from "./pointer.js";
import { save } from "./save.js";
import { textScene } from "./scene.js";
import { shadesOf } from "./tokens.js";
import { textTools } from "./tools.js";
import { headsOf, ofWords, textRequest, weightsIn } from "./weights.js";
import { notes, SCALE, sentence, TEXTS, titleOf } from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @import { Role } from "./weights.js" */
/** @typedef {import("../../numbers/units.js").Seen} Detail */
/** @typedef {{role: Role, place: number}} Pointed */

/**
 * @param {HTMLElement} panel
 * @param {import("../../state/store.js").Store} store
 * @param {import("../view.js").Page} page
 */
export function text(panel, store, { retry, onCell }) {
  panel.classList.add("text-view");
  const tools = make("div", { class: "text-tools" });
  tools.dataset.only = "full";
  const status = make("p", { class: "text-said" });
  status.setAttribute("role", "status");
  const body = make("div", { class: "text-body" });
  const about = make("p", { class: "text-about faint" });
  const low = make("span");
  const scale = make("p", { class: "text-scale faint" }, [
    document.createTextNode(SCALE.name),
    low,
    make("i"),
    document.createTextNode("1"),
  ]);
  panel.append(tools, status, body, scale, about);
  textTools(tools, store, retry);
  const sides = { query: paragraph(TEXTS.query.name), key: paragraph(TEXTS.key.name) };

  /** @type {ReturnType<typeof shown> | null} */
  let held = null; // as it is drawn

  /** What is drawn, and where its numbers come from. @param {Readonly<State>} state @param {Detail} detail */
  const shown = (state, detail) => {
    const heads = headsOf(state, modelIn(state));
    const seen = seenIn(state).detail ?? detail;
    return { detail: seen, heads, weights: ofWords(weightsIn(state, detail, heads), seen.words) };
  };

  /** Draw everything from the answers. */
  const draw = () => {
    const { state } = store;
    const detail = detailOf(state);
    if (state.view !== "text" || !detail) return;
    const waiting = state.text?.status !== "ready" && state.text?.status !== "error";
    if (waiting && textRequest(state, modelIn(state))) return; // keep the last picture
    held = shown(state, detail);
    const { queries, keys } = held.detail;
    const two = isTwo(detail);
    const all = two ? [sides.query, sides.key] : [sides.key];
    if (body.childElementCount !== all.length) body.replaceChildren(...all.map(({ root }) => root));
    sides.key.build(keys, two ? TEXTS.key.tokens : TEXTS.only, two);
    if (two) sides.query.build(queries, TEXTS.query.tokens, two);
    colour();
  };

  /** Draw what depends on the token that is pointed at or selected: colours and sentences. Nothing moves. */
  const colour = () => {
    const { state } = store;
    if (!held || state.view !== "text") return;
    const { detail, heads, weights } = held;
    const two = isTwo(detail);
    const { role, place } = pointed(detail);
    const shares = weights(role, place);
    const [own, other] = two
      ? [sides[role], sides[role === "query" ? "key" : "query"]]
      : [sides.key, sides.key];
    const look = { shades: shadesOf(palette(state.scheme).sequential), steps: state.steps };
    const { hatch } = palette(state.scheme);
    const block = detail.block?.[role === "query" ? "keys" : "queries"] ?? null;
    if (two) own.clear();
    other.colour(shares, { ...look, hatch, block });
    if (two) other.mark({ pointed: null, read: role === "query" ? null : detail.row });
    own.mark({ pointed: place, read: two && role === "key" ? null : detail.row });
    const [ownLabels, otherLabels] =
      role === "query"
        ? [detail.queryLabels, detail.keyLabels]
        : [detail.keyLabels, detail.queryLabels];
    write(status, sentence(role, place, ownLabels, otherLabels, shares));
    write(about, notes(state, detail, heads, shares));
  };

  /** The token that is pointed at, in any view; else the selected one. @param {Detail} detail @returns {Pointed} */
  const pointed = (detail) => {
    const { hover, role } = seenIn(store.state).state;
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
    const place = token && tokenAt(token);
    if (place === null ? !hover : hover?.axis === axis && hover.place === place) return;
    const role = isTwo(held.detail) && token ? token.side : store.state.role;
    store.update({ hover: place === null ? null : { axis, place, role } });
    onCell?.(place !== null && role === "query" ? [place, place] : null); // a long text needs the exact row
  };

  /** What the state counts, of what is drawn. @param {{side: "query" | "key", place: number}} token */
  const tokenAt = ({ side, place }) =>
    lastToken(held?.detail.words?.[side === "query" ? "queries" : "keys"], place);

  /** @param {{side: "query" | "key", place: number}} token */
  const read = (token) => {
    const place = tokenAt(token);
    const key = held && isTwo(held.detail) && token.side === "key"; // such a token looks at nothing
    store.update(key ? { key: place } : { query: place });
  };

  const tokenOf = (/** @type {EventTarget | null} */ target) => {
    const token = [
      { side: /** @type {const} */ ("query"), place: sides.query.placeOf(target) },
      { side: /** @type {const} */ ("key"), place: sides.key.placeOf(target) },
    ].find(({ place }) => place >= 0);
    return token ?? null;
  };
  pointing(body, tokenOf, point, read);
  walking(body, () => store.update({ hover: null, query: null }));

  const from = /** @type {const} */ (["detail", "text", "shown", "view", "segments", "scheme"]);
  store.watch([...from, "scale", "steps", "role", "over", "overlay", "muted", "units"], draw);
  store.watch(["steps"], ({ steps }) => {
    low.textContent = steps === "log" ? SCALE.orLess(10 ** -DECADES) : "0";
  });
  store.watch(["hover", "query", "next"], () => {
    const { detail } = seenIn(store.state);
    if (held && detail?.site === held.detail.site) held = { ...held, detail }; // which has the row of the query
    colour();
  });

  let revealed = store.state.query;
  store.watch(["query", "detail", "view"], ({ query, hover, view }) => {
    if (query === revealed || !held || view !== "text") return;
    revealed = query;
    if (query === null || hover) return;
    const [place] = seenAt(held.detail, [query, query]);
    sides[isTwo(held.detail) ? "query" : "key"].reveal(place);
  });

  return {
    drawn: () => Promise.resolve(), // the view draws at once
    /** The picture for a file; null if there is none yet. @param {import("../../draw/pictures/look.js").Look} [look] */
    scene: ({ scheme, width, bar } = LIGHT) => {
      if (!held || store.state.view !== "text") return null;
      const { detail, heads, weights } = held;
      const { role, place } = pointed(detail);
      const { state } = store;
      const shares = weights(role, place);
      const sentences = [status.textContent ?? "", notes(state, detail, heads, shares)];
      const title = titleOf(state, detail.site, detail.head, heads);
      const of = { detail, two: isTwo(detail), role, place, weights: shares, steps: state.steps };
      return textScene({
        ...of,
        title,
        about: sentences,
        colours: palette(scheme),
        room: width,
        bar,
      });
    },
  };
}

/** The pattern, from word to word or from token to token. @param {Readonly<State>} state */
const seenIn = (state) => seenOf({ ...state, matrix: "pattern" }, { whole: true });

/** Whether queries and keys come from two texts. @param {Detail} detail */
const isTwo = ({ site }) => site.kind === "cross";

/** @type {import("../view.js").Keys} */
export const keys = {
  h: ({ overlay, layer, head }) => ({ overlay: toggled(overlay, [layer, head]) }),
};
export { save, text as make };
