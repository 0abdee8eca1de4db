// Where people did not understand: a heat map over the teacher's page. It is drawn when asked for, because a projector is seen by all.

import { button, make } from "../../dom/dom.js";
import { placesIn, wholePage } from "../activities/questions.js";
import * as words from "../activities/words.js";

const LOOK_S = 2; // between two looks at the marks, while the map is shown

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
  let timer = 0;
  let isDue = false;

  const draw = () => {
    isDue = false;
    layer.replaceChildren(...boxes(places));
  };
  const soon = () => {
    if (isDue || layer.hidden) return;
    isDue = true;
    requestAnimationFrame(draw);
  };
  const look = async () => {
    try {
      const { desk } = await api.document({ desk: true });
      places = desk?.questions?.places ?? {};
      const text = summary(places);
      if (said.textContent !== text) said.textContent = text;
      soon();
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : words.NOT_SENT;
    }
  };
  /** @param {boolean} open */
  const show = (open) => {
    layer.hidden = said.hidden = !open;
    opener.setAttribute("aria-pressed", String(open));
    clearInterval(timer);
    if (!open) return;
    void look();
    timer = window.setInterval(look, LOOK_S * 1000);
  };
  addEventListener("scroll", soon, { capture: true, passive: true }); // columns scroll by themselves
  new ResizeObserver(soon).observe(document.body);
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

/** A box over each place that was marked; the warmest has the most marks. @param {Record<string, number>} places */
function boxes(places) {
  const here = placesIn(document, location.pathname);
  const most = Math.max(1, ...here.map(({ spot }) => places[spot.place] ?? 0));
  return here.flatMap(({ element, until, spot }) => {
    const count = places[spot.place] ?? 0;
    const area = areaOf(element, until);
    if (count === 0 || area.width === 0 || area.height <= 0) return [];
    const box = make("div", { class: "heat-box" }, [make("b", { text: words.markedBy(count) })]);
    box.dataset.place = spot.place;
    box.style.setProperty("--share", String(count / most));
    for (const side of /** @type {const} */ (["left", "top", "width", "height"])) {
      box.style[side] = `${area[side]}px`;
    }
    return [box];
  });
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
