// The path map: the strongest routes from tokens to a logit, each edge cut in a run of its own.

import { busyWith } from "../../dom/busy.js";
import { make, write } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { tryAgain } from "../../dom/problem.js";
import { layoutOf } from "../../draw/paths/layout.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { modelIn } from "../../state/choice.js";
import { label, quoteAt, shorten } from "../../words/format.js";
import { compositionPart } from "./composition.js";
import { drawnIn, idOf, largest, nodesOf } from "./graph.js";
import { pictureOf } from "./picture.js";
import { lacks, mapIn } from "./request.js";
import { save } from "./save.js";
import { pathsScene } from "./scene.js";
import { tableOf } from "./table.js";
import { pathsTools } from "./tools.js";
import * as words from "./words.js";

/** @import { PathEdge, State } from "../../types.d.ts" */
/** @typedef {NonNullable<ReturnType<typeof mapIn>>} Map */

const ALL = 14; // tokens of a text that are all drawn; of a longer one only those that routes touch

/**
 * @param {HTMLElement} root
 * @param {import("../../state/store.js").Store} store
 * @param {import("../view.js").Page} page
 */
export function paths(root, store, { retry }) {
  root.classList.add("paths-view");
  const tools = pathsTools(store);
  const title = make("h3", { class: "paths-title" });
  const said = make("p", { class: "paths-said" });
  said.setAttribute("role", "status");
  const again = tryAgain(retry);
  const panel = make("div", { class: "paths-picture" });
  const wide = make("p", { class: "paths-wide faint", text: words.SIDEWAYS });
  wide.hidden = true;
  const key = make(
    "ul",
    { class: "paths-key" },
    words.LEGEND.map(([name, text]) =>
      make("li", {}, [make("i", { class: `through-${name}` }), make("span", { text })]),
    ),
  );
  const about = make("p", { class: "faint" });
  const list = make("div", { class: "paths-list" });
  const body = make("div", { class: "paths-body" }, [wide, panel, key, list, about]);
  root.append(tools, title, said, again, body, compositionPart(store));

  /** @type {{map: Map, edges: PathEdge[], layout: import("./scene.js").Layout, rows: string[]} | null} */
  let held = null;
  let width = 0;
  let resting = "";

  /** Draw everything from the answer. */
  function draw() {
    const { state } = store;
    if (state.view !== "paths" || width === 0) return;
    const { paths: asked } = state;
    again.hidden = !asked?.problem?.retry;
    tools.hidden = lacks(modelIn(state)) !== "";
    const map = mapIn(state);
    body.hidden = title.hidden = !map || asked?.status === "error";
    if (!map || asked?.status === "error") {
      held = null;
      write(said, reasonOf(state));
      return;
    }
    const { found, tokens } = map;
    const edges = drawnIn(found, state.weakest);
    const { nodes, names } = nodesOf(edges, found.position);
    const used = new Set(nodes.map(({ column }) => column));
    const upTo = tokens.map((_, index) => index).filter((place) => place <= Math.max(...used));
    const ends = edges.map(({ sender, receiver, through }) => ({
      from: idOf(sender),
      to: idOf(receiver),
      through,
    }));
    const laid = (/** @type {number[]} */ places) => {
      const labels = places.map((place) => shorten(label(tokens[place]), 12));
      return layoutOf({ nodes, columns: places, labels, room: width, edges: ends });
    };
    const touched = upTo.filter((place) => used.has(place));
    const whole = upTo.length <= ALL ? laid(upTo) : null;
    const fits = whole !== null && whole.width <= width;
    const columns = fits ? upTo : touched;
    const layout = fits ? whole : laid(touched);
    held = { map, edges, layout, rows: names };
    const answer = answerOf(map);
    const heads = new Map(
      nodes.filter(({ node }) => node.part?.kind === "head").map(({ id, node }) => [id, node]),
    );
    const nameOf = (/** @type {string} */ id) => {
      const node = heads.get(id);
      return node ? words.headLabel(node, tokens) : null;
    };
    write(title, words.title({ ...answer, fills: map.fills, logit: found.logit }));
    panel.replaceChildren(
      pictureOf(layout, edges, {
        most: largest(found.edges),
        nameOf,
        rows: names,
        label: words.pictureLabel(answer.token, edges.length),
      }),
    );
    wide.hidden = layout.width <= width;
    keepLabels();
    panel.scrollLeft = panel.scrollWidth; // in little room, the answer is what to see first
    list.replaceChildren(...(edges.length > 0 ? [tableOf(edges, tokens, point)] : []));
    const denied = edges.filter(({ verdict }) => verdict === "denied").length;
    const opaque = found.opaque.map(({ layer }) => words.NAMES.feed(layer ?? 0));
    resting =
      edges.length === 0
        ? words.NO_EDGES
        : `${words.countSentence(edges.length, denied, found.left_out)} ${words.HINT}`;
    write(said, resting);
    write(
      about,
      [
        words.WIDTH,
        words.ABOUT,
        ...(columns.length < upTo.length ? [words.ONLY_USED] : []),
        ...(opaque.length > 0 ? [words.opaqueSentence(opaque)] : []),
      ].join(" "),
    );
    mark();
  }

  /** Keep the names of the layers at the left while the map scrolls under them. */
  function keepLabels() {
    panel.style.setProperty("--scrolled", `${panel.scrollLeft}px`);
  }
  panel.addEventListener("scroll", keepLabels, { passive: true });

  /** Mark the selected head. */
  function mark() {
    const { layer, head } = store.state;
    for (const box of panel.querySelectorAll(".paths-head")) {
      const [kind, , ofLayer, ofHead] = (box.getAttribute("data-node") ?? "").split(":");
      const here = kind === "head" && ofLayer === String(layer) && ofHead === String(head);
      box.classList.toggle("selected", here);
    }
  }

  /** Say what an edge does, and light it up. @param {number | null} place null: none */
  function point(place) {
    const edge = place === null ? null : held?.edges[place];
    for (const each of root.querySelectorAll("[data-edge]"))
      each.classList.toggle("lit", edge !== null && each.getAttribute("data-edge") === `${place}`);
    panel.classList.toggle("pointed", Boolean(edge));
    if (!held) return;
    const { map } = held;
    const told = edge && words.edgeSentence(edge, map.tokens, words.answerInText(answerOf(map)));
    const text = told || resting;
    write(said, text);
  }

  /** @param {EventTarget | null} target */
  const edgeAt = (target) => {
    const found = target instanceof Element ? target.closest("[data-edge]") : null;
    return found ? Number(found.getAttribute("data-edge")) : null;
  };
  body.addEventListener("pointerover", ({ target }) => {
    const place = edgeAt(target);
    if (place !== null) point(place);
  });
  body.addEventListener("pointerleave", () => point(null));

  /** @param {EventTarget | null} target */
  const visit = (target) => {
    const box = target instanceof Element ? target.closest(".paths-head") : null;
    const [, , layer, head] = (box?.getAttribute("data-node") ?? "").split(":");
    if (box) store.update({ layer: Number(layer), head: Number(head) });
  };
  panel.addEventListener("click", ({ target }) => visit(target));
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    visit(event.target);
  });

  busyWith(root, store, ["paths"]);
  store.watch(["paths", "view", "shown", "weakest", "model", "models", "answer", "lacks"], draw);
  store.watch(["layer", "head"], mark);
  new ResizeObserver(([entry]) => {
    const next = Math.round(entry.contentRect.width);
    if (next === 0 || next === width) return;
    width = next;
    draw();
  }).observe(root);

  return {
    drawn: () => Promise.resolve(),
    /** The picture for a file; null if there is none yet. @param {import("../../draw/pictures/look.js").Look} [look] */
    scene: ({ scheme, bare } = LIGHT) => {
      if (!held || held.edges.length === 0 || store.state.view !== "paths") return null;
      const { map, edges, layout, rows } = held;
      const { found, fills } = map;
      const title = words.title({ ...answerOf(map), fills, logit: found.logit });
      const about = bare ? [] : [words.WIDTH, words.ABOUT];
      const most = largest(found.edges);
      return pathsScene(layout, edges, { most, rows, title, about }, palette(scheme));
    },
  };
}

/** The names of the answer. @param {Map} map */
function answerOf({ found, tokens }) {
  const named = (/** @type {import("../../types.d.ts").Prediction} */ token) =>
    shorten(label(token), 16);
  return {
    token: named(found.token),
    against: found.against && named(found.against),
    read: quoteAt(tokens.map(label), found.position),
  };
}

/** Why there is nothing to draw. @param {Readonly<State>} state */
const reasonOf = (state) =>
  lacks(modelIn(state)) || (state.paths?.problem?.message ?? words.COMPUTING);

export { paths as make, save };
