// A map of the whole model: where the selected head stands, what the page reads, and the path of the selected token.

import { make } from "../../dom/dom.js";
import { palette } from "../../dom/palette.js";
import { layoutOf } from "../../draw/map/layout.js";
import { looksOf } from "../../draw/map/looks.js";
import { neighbour } from "../../draw/map/neighbour.js";
import { mapScene } from "../../draw/map/paper.js";
import { LIGHT } from "../../draw/pictures/look.js";
import { detailOf } from "../../numbers/detail.js";
import { isMuted, modelIn, queryAxis, selectKind, sitesOf } from "../../state/choice.js";
import { VIEWS } from "../../state/views.js";
import { aboutPanel } from "./about.js";
import { arcsPart } from "./arcs.js";
import { givenBy, idOf, readingHead } from "./given.js";
import { legend } from "./legend.js";
import { pictureOf } from "./picture.js";
import { player } from "./player.js";
import { rowOf } from "./reading.js";
import { isRead } from "./reads.js";
import { save } from "./save.js";
import { attentionSentences, detailsOf, sentencesOf } from "./sentences.js";
import * as words from "./words.js";

/** @import { ModelInfo as Model, State } from "../../types.d.ts" */
/** @import { Layout, Place, Stage } from "../../draw/map/layout.js" */
/** @typedef {NonNullable<ReturnType<typeof detailOf>>} Detail */

const BESIDE = 300; // pixels for what is said beside the map
const WIDE = 700; // the sentences stand beside the map, not above it
const PAPER = 680;
const MARGIN = 64; // pixels at the edges of the window, where other things may cover the map

/**
 * @param {HTMLElement} root
 * @param {import("../../state/store.js").Store} store
 * @param {import("../view.js").Page} page
 */
export function map(root, store, { go, retry, inText = false, before: earlier = VIEWS[0].name }) {
  root.classList.add("map-view");
  const panel = make("div", { class: "map-picture" });
  const about = aboutPanel({ open: (view) => store.update({ view }), go });
  const path = player({ length: () => stages().length, show: () => mark(true) });
  const key = legend();
  const arcs = arcsPart(store, { panel, retry });
  about.insert(arcs.below);
  const body = make("div", { class: "map-body" }, [panel, about.root]);
  const hint = make("p", { class: "faint", text: words.TOOLS.hint });
  hint.dataset.only = "full";
  root.append(make("div", { class: "map-tools" }, [path.root, hint]), arcs.tools, body, key.root);

  /** @type {{model: Model, detail: Detail | null, layout: Layout, picture: ReturnType<typeof pictureOf>, of: string} | null} */
  let held = null;
  /** The place that the keys are at. */
  let current = "";
  /** The last view of a head, before this one. @type {State["view"]} */
  let before = earlier;
  let width = 0;

  const selected = () => idOf(store.state, held?.layout.places ?? []);
  /** The path of the selected token. @returns {Stage[]} */
  const stages = () => {
    const axis = queryAxis(store.state.kind);
    return held?.layout.paths.find((one) => one.axis === axis)?.stages ?? [];
  };
  /** @returns {Place | null} */
  const placeAt = (/** @type {string} */ id) =>
    held?.layout.places.find((place) => place.id === id) ?? null;

  /** Draw the model, if it or anything that moves its parts has changed. */
  function draw() {
    const { state } = store;
    const model = modelIn(state);
    if (state.view !== "map" || width === 0 || model.state !== "ready") return;
    const detail = detailOf(state);
    const given = givenBy(state, model, detail, width < WIDE ? width : width - BESIDE);
    const of = JSON.stringify([model.name, given, state.kind, state.layer]);
    if (held?.of !== of) {
      const layout = layoutOf(given);
      const picture = pictureOf(layout, words.mapLabel(model));
      const hadFocus = panel.contains(document.activeElement);
      panel.replaceChildren(picture.root);
      held = { model, detail, layout, picture, of };
      path.stop();
      if (hadFocus) picture.element(placeAt(current) ? current : selected())?.focus();
    }
    held = { ...held, model, detail };
    body.classList.toggle("wide", width >= WIDE);
    mark();
  }

  /** Mark what is selected, muted, read, and where the token is. @param {boolean} [follow] whether to scroll to it */
  function mark(follow = false) {
    const { state } = store;
    if (!held || state.view !== "map") return;
    const { model, detail, layout, picture } = held;
    const at = path.step();
    const stage = at === null ? null : (stages()[at] ?? null);
    const head = readingHead(state, model, detail, stage);
    const row = detail && head ? rowOf(state, detail, head) : null;
    if (!placeAt(current)) current = selected();
    const reading = { view: before, tab: inText || !model.predicts ? null : state.right };
    const axis = detail?.site.key_tokens;
    const share = (/** @type {Place} */ { kind, axis: of, at: place }) =>
      row && kind === "token" && of === axis ? (row.shares[place] ?? 0) : 0;
    picture.mark({
      selected: selected(),
      current,
      share,
      muted: (place) =>
        place.kind === "head" && isMuted(state.muted, place.site, place.at, place.head),
      reads: (place) => isRead(state, reading, place),
      lit: new Set(stage?.places ?? []),
      dot: stage && { x: stage.x, y: stage.y },
      looks:
        head && (stage || state.arcs === "off")
          ? looksOf(layout, idOf(head, layout.places), share)
          : [],
      path: (place) =>
        place.kind === "token" &&
        place.axis === detail?.site.query_tokens &&
        place.at === detail.row,
    });
    arcs.draw(model, layout.places, picture);
    key.show(model, reading, store.state.arcs !== "off");
    say(stage);
    if (follow && stage) reveal(picture.element(stage.places[0]));
  }

  /** Say what the token meets at this step, or what the current place is. @param {Stage | null} stage */
  function say(stage) {
    const { state } = store;
    const place = placeAt(stage?.places[0] ?? current);
    if (!held?.detail || !place) return;
    const { model, detail } = held;
    const { matrix } = state;
    const attention = stage?.kind === "attention";
    const sentences = attention
      ? attentionSentences(state, model, detail, { kind: stage.site, layer: stage.layer })
      : sentencesOf(state, model, detail, place);
    const title = words.titleOf(attention ? { ...place, kind: "heads" } : place);
    const sizes = stage ? [] : detailsOf(model, place);
    const said = sentences.length > 0 ? sentences : sizes; // something in every depth
    const details = said === sizes ? [] : sizes;
    about.show({
      title,
      sentences: said,
      details,
      kind: stage ? null : place.kind,
      matrix,
      before,
    });
  }

  /** @param {Place} place */
  function visit(place) {
    const { state } = store;
    const { kind, axis, site, at, head } = place;
    current = place.id;
    path.stop();
    if (kind === "head" || kind === "heads") {
      const change = site === state.kind ? {} : selectKind(state, site, modelIn(state));
      const n = sitesOf(modelIn(state), site)[at]?.n_heads ?? 1;
      store.update({
        ...change,
        layer: at,
        head: kind === "head" ? head : Math.min(state.head, n - 1),
      });
      current = selected();
    } else if (kind === "token") {
      store.update(axis === queryAxis(state.kind) ? { query: at } : { key: at });
    } else if (kind === "prediction") store.update({ right: "next" });
    mark();
    picture()?.element(current)?.focus({ preventScroll: true });
    if (kind === "sentence" || kind === "prediction") go?.(kind);
  }
  const picture = () => held?.picture;

  /** @param {Event} event */
  const placeOf = ({ target }) => {
    const element = target instanceof Element ? target.closest("[data-place]") : null;
    return element ? placeAt(element.getAttribute("data-place") ?? "") : null;
  };
  panel.addEventListener("click", (event) => {
    const place = placeOf(event);
    if (place) visit(place);
  });
  panel.addEventListener("focusin", (event) => {
    const place = placeOf(event);
    if (!place || place.id === current) return;
    current = place.id;
    mark();
  });
  panel.addEventListener("keydown", (event) => {
    const place = placeOf(event);
    const { key, ctrlKey, metaKey, altKey } = event;
    if (!place || !held || ctrlKey || metaKey || altKey) return;
    if (key.startsWith("Arrow")) {
      picture()
        ?.element(neighbour(held.layout.places, place.id, key))
        ?.focus();
    } else if (key === "Enter") visit(place);
    else if (key === " ") path.toggle();
    else if (key === "," || key === ".") path.move(key === "." ? 1 : -1);
    else if (key !== "Escape" || !path.stop()) return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere, these keys move between heads
  });

  store.watch(["view"], ({ view }) => {
    if (view === "map") return;
    before = view;
    path.stop();
  });
  store.watch(["layer", "head", "kind"], () => {
    if (!panel.contains(document.activeElement)) current = selected();
  });
  const from = /** @type {const} */ ([
    "detail",
    "next",
    "grid",
    "shown",
    "query",
    "muted",
    "models",
    "answer",
  ]);
  store.watch(
    [
      ...from,
      "composition",
      "arcs",
      "measured",
      "view",
      "right",
      "matrix",
      "layer",
      "head",
      "kind",
    ],
    draw,
  );
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === width) return;
    width = contentRect.width;
    draw();
  }).observe(root);

  return {
    drawn: () => Promise.resolve(), // the view draws at once
    /** The picture for a file; null if there is none yet. @param {import("../../draw/pictures/look.js").Look} [look] */
    scene: ({ scheme, width = PAPER } = LIGHT) => {
      const { state } = store;
      if (!held || state.view !== "map") return null;
      const { model, detail } = held;
      const layout = layoutOf(givenBy(state, model, detail, width));
      const row = detail && rowOf(state, detail, state);
      const axis = detail?.site.key_tokens;
      const looks = {
        selected: idOf(state, layout.places),
        muted: (/** @type {Place} */ { kind, site, at, head }) =>
          kind === "head" && isMuted(state.muted, site, at, head),
        share: (/** @type {Place} */ { kind, axis: of, at }) =>
          row && kind === "token" && of === axis ? (row.shares[at] ?? 0) : 0,
        arcs: arcs.drawnIn(model, layout.places),
      };
      return mapScene(layout, looks, words.mapLabel(model), palette(scheme));
    },
  };
}

/** Scroll to a place near an edge of the window. @param {Element | null} element */
function reveal(element) {
  const { top, bottom } = element?.getBoundingClientRect() ?? { top: MARGIN, bottom: MARGIN };
  if (top < MARGIN || bottom > innerHeight - MARGIN) element?.scrollIntoView({ block: "center" });
}

export { map as make, save };
