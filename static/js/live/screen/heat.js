// Where people did not understand: a heat map over the teacher's page. It is drawn when asked for, because a projector is seen by all.

import { button, make, write } from "../../dom/dom.js";
import { placesIn, wholePage } from "../activities/questions.js";
import * as words from "../activities/words.js";

const LOOK_S = 2; // between two looks at the marks, while the map is shown
const LAY_MS = 200; // and at where their places are now: parts of the page come late, and move others

/**
 * The button of the map, and the map.
 * @param {ReturnType<typeof import("../bar.js").classBar>} bar
 * @param {Pick<import("../types.d.ts").ClassApi, "document">} api
 * @param {boolean} [isShown] from the start
 */
export function heat(bar, api, isShown = false) {
  const layer = make("div", { class: "heat" });
  const said = make("p", { class: "class-said" });
  said.setAttribute("role", "status");
  const opener = button(words.MARKS, () => show(layer.hidden === true), { class: "mark-open" });
  bar.root.append(make("div", { class: "class-marks" }, [opener, said]));
  document.body.append(layer);
  /** @type {Record<string, number>} */
  let places = {};
  /** @type {number[]} */
  let timers = [];
  let drawn = "";

  const lay = () => {
    if (layer.hidden) return;
    const warm = warmIn(places);
    const now = JSON.stringify(warm);
    if (now !== drawn) layer.replaceChildren(...warm.map(boxOf));
    drawn = now;
  };
  const look = async () => {
    try {
      const { desk } = await api.document({ desk: true });
      places = desk?.questions?.places ?? {};
      const text = summary(places);
      write(said, text);
      lay();
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : words.NOT_SENT;
    }
  };
  /** @param {boolean} open */
  const show = (open) => {
    layer.hidden = said.hidden = !open;
    opener.setAttribute("aria-pressed", String(open));
    timers.forEach(clearInterval);
    if (!open) return;
    void look();
    timers = [window.setInterval(look, LOOK_S * 1000), window.setInterval(lay, LAY_MS)];
  };
  addEventListener("scroll", lay, { capture: true, passive: true }); // columns scroll by themselves
  show(isShown);
}

/** How many marks there are on this page. @param {Record<string, number>} places */
function summary(places) {
  const here = [wholePage(location.pathname), ...placesIn(document, location.pathname)];
  const counts = here.map(({ spot }) => places[spot.place] ?? 0);
  return words.marksHere(
    counts.reduce((sum, count) => sum + count, 0),
    counts[0] ?? 0,
  );
}

/** The places that were marked: how many did, of the most, and where they are in the document. @param {Record<string, number>} places */
function warmIn(places) {
  const here = placesIn(document, location.pathname);
  const most = Math.max(1, ...here.map(({ spot }) => places[spot.place] ?? 0));
  return here.flatMap(({ element, until, spot }) => {
    const count = places[spot.place] ?? 0;
    const area = areaOf(element, until);
    const isSeen = count > 0 && area.width > 0 && area.height > 0;
    return isSeen ? [{ place: spot.place, count, share: count / most, area }] : [];
  });
}

/** @param {ReturnType<typeof warmIn>[number]} warm */
function boxOf({ place, count, share, area }) {
  const box = make("div", { class: "heat-box" }, [make("b", { text: words.markedBy(count) })]);
  box.dataset.place = place;
  box.style.setProperty("--share", String(share));
  for (const side of /** @type {const} */ (["left", "top", "width", "height"])) {
    box.style[side] = `${area[side]}px`;
  }
  return box;
}

/** An element's area in the document; a heading's goes down to what comes next. @param {Element} element @param {Element | null} [until] */
function areaOf(element, until) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const bottom = until ? until.getBoundingClientRect().top : top + height;
  return { left: left + scrollX, top: top + scrollY, width, height: bottom - top };
}

/**
 * Links to the lessons of which something was marked, each with its map.
 * @param {Record<string, number>} places
 * @param {string} code of the class
 */
export function heatLinks(places, code) {
  const lessons = new Set(
    Object.keys(places).flatMap((place) => place.match(/^learn\/([a-z0-9-]+)/)?.[1] ?? []),
  );
  return [...lessons].toSorted().map((lesson) => {
    const link = make("a", { text: words.seeOver(lesson) });
    link.href = `/learn/${lesson}?class=${code}&marks=on`;
    link.target = "_blank";
    return make("p", {}, [link]);
  });
}
