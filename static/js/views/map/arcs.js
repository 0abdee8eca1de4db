// Composition on the map: what chooses it, the arcs, and the same as a list, with which keys and touch reach each of them.

import { button, check, make, radio, write } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { arcOf } from "../../draw/map/arcs.js";
import { ABOUT, CHOICES } from "../../numbers/composition/words.js";
import { modelIn, selectKind } from "../../state/choice.js";
import { linksIn, MAX_LINKS, OWN } from "./links.js";
import { ARCS } from "./words.js";

/** @import { ModelInfo as Model, State } from "../../types.d.ts" */
/** @import { Place } from "../../draw/map/layout.js" */
/** @import { Link } from "./links.js" */
/** @typedef {ReturnType<typeof import("./picture.js").pictureOf>} Picture */

/**
 * @param {import("../../state/store.js").Store} store
 * @param {{panel: HTMLElement, retry: () => void}} page `panel`: where the map is drawn
 */
export function arcsPart(store, { panel, retry }) {
  const through = chooser("arcs", ARCS.through, ARCS.throughs);
  const measured = chooser("arcs-measured", CHOICES.measured, CHOICES.measures);
  const said = make("p", { class: "map-arcs-said" });
  said.setAttribute("role", "status");
  const again = tryAgain(retry);
  const tools = make("div", { class: "map-arcs-tools" }, [through, measured, said, again]);
  tools.dataset.only = "full";
  const list = make("ol", { class: "map-arcs-list" });
  const matrix = button(ARCS.matrix, () => {
    const { arcs } = store.state;
    store.update({ view: "paths", ...(arcs === "off" ? {} : { composed: arcs }) });
  });
  matrix.dataset.only = "full";
  const about = make("p", { class: "faint" });
  const title = make("h3", { class: "map-title", text: ARCS.title });
  const below = make("section", { class: "map-arcs" }, [title, list, about, matrix]);

  /** @type {{links: Link[] | null, of: unknown[], picture: Picture} | null} */
  let held = null;
  /** @type {Link | null} */
  let pointed = null;
  let resting = "";

  tools.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const { name, value } = target;
    const chosen = ARCS.throughs.find(([one]) => one === value)?.[0];
    if (name === "arcs" && chosen) store.update({ arcs: chosen });
    if (name === "arcs-measured")
      store.update({ measured: value === "weights" ? "weights" : "text" });
  });

  /** Light an arc up, and say what it is. @param {Link | null} link */
  function point(link) {
    if (pointed === link) return;
    pointed = link;
    held?.picture.light(link && held.links ? held.links.indexOf(link) : -1);
    said.replaceChildren(...(link ? [make("b", { text: link.name }), " ", link.told] : [resting]));
  }

  /** Choose the later head. @param {Link} link */
  function visit({ site: { kind, layer }, head }) {
    const { state } = store;
    const change = kind === state.kind ? {} : selectKind(state, kind, modelIn(state));
    store.update({ ...change, layer, head });
  }

  const linkAt = (/** @type {Event} */ { target }) => {
    const arc = target instanceof Element ? target.closest("[data-arc]") : null;
    return arc ? (held?.links?.[Number(arc.getAttribute("data-arc"))] ?? null) : null;
  };
  panel.addEventListener("pointerover", (event) => point(linkAt(event)));
  panel.addEventListener("pointerleave", () => point(null));
  panel.addEventListener("click", (event) => {
    const link = linkAt(event);
    if (link) visit(link);
  });
  list.addEventListener("pointerover", (event) => point(linkAt(event)));
  list.addEventListener("pointerleave", () => point(null));
  list.addEventListener("focusin", (event) => point(linkAt(event)));
  list.addEventListener("focusout", () => point(null));

  store.watch(["arcs", "measured"], (state) => {
    check("arcs", state.arcs, through);
    check("arcs-measured", state.measured, measured);
  });

  /** @param {Link[]} links */
  function fill(links) {
    const { activeElement } = document;
    const focused = list.contains(activeElement) ? activeElement?.textContent : null;
    const items = links.map((link, index) => {
      const item = button(link.name, () => visit(link), { class: "quiet" });
      item.dataset.arc = String(index);
      item.title = link.told;
      if (link.isOwn) item.classList.add("own");
      return make("li", {}, [item]);
    });
    list.replaceChildren(...items);
    items
      .find(({ textContent }) => textContent === focused)
      ?.querySelector("button")
      ?.focus();
  }

  return {
    tools,
    below,
    /** Draw the arcs of the state. @param {Model} model @param {Place[]} places @param {Picture} picture */
    draw(model, places, picture) {
      const { state } = store;
      const { arcs, composition, measured: by, shown, kind, layer, head } = state;
      const of = [places, model, composition, arcs, by, shown, kind, layer, head];
      if (held?.picture === picture && of.every((one, index) => one === held?.of[index])) return;
      const links = linksIn(state, model, places);
      held = { links, of, picture };
      pointed = null;
      picture.arcs(
        (links ?? []).map((link) => ({ ...link, ...arcOf(link.from, link.to, link.strength) })),
      );
      measured.hidden = arcs === "off";
      below.hidden = !links?.length;
      again.hidden = arcs === "off" || !composition?.problem?.retry;
      resting = saidOf(state, model, links);
      write(said, resting);
      write(about, ABOUT[by]);
      fill(links ?? []);
    },
    /** The arcs in another drawing of the map. @param {Model} model @param {Place[]} places */
    drawnIn: (model, places) =>
      (linksIn(store.state, model, places) ?? []).map(({ from, to, strength }) => ({
        ...arcOf(from, to, strength),
        strength,
      })),
  };
}

/** What is drawn, or why nothing is. @param {Readonly<State>} state @param {Model} model @param {Link[] | null} links */
function saidOf({ arcs, composition }, model, links) {
  if (arcs === "off") return "";
  if (model.lacks) return ARCS.unknown(model.name);
  if (composition?.problem) return composition.problem.message;
  if (!links) return ARCS.computing;
  const dashed = links.some(({ strength }) => strength < 0);
  return links.length === 0 ? ARCS.none : ARCS.drawn(MAX_LINKS, OWN, dashed);
}

/** @param {string} name @param {string} legend @param {readonly (readonly [string, string, string])[]} choices */
const chooser = (name, legend, choices) =>
  make("fieldset", { class: "segments" }, [
    make("legend", { text: legend }),
    ...choices.map(([value, text, title]) => radio(name, value, text, title)),
  ]);
