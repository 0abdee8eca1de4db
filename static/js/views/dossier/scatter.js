// All heads as points between two axes: buttons that select their head.

import { button, make } from "../../dom/dom.js";
import { translated } from "../../language/gettext.js";
import { threeDigits } from "../../words/format.js";
import { nameOf, sidesOf } from "./names.js";
import { along, choices, towards } from "./points.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Axis, Point } from "./points.js" */
/** @typedef {ReturnType<typeof import("./points.js").scattered>} Scattered */

/**
 * The choice of both axes.
 * @param {Store} store
 */
export function axisChoice(store) {
  const sides = /** @type {const} */ (["up", "across"]);
  const selects = sides.map((side) => {
    const select = make("select");
    select.addEventListener("change", () => store.update(chosen(side, select.value, store.state)));
    return { side, select };
  });
  const root = make(
    "div",
    { class: "dossier-axes" },
    selects.map(({ side, select }) =>
      make("label", {}, [make("span", { text: side === "up" ? words.UP : words.ACROSS }), select]),
    ),
  );
  /** @param {import("../../types.d.ts").Dossier} dossier @param {Scattered} seen */
  const draw = (dossier, seen) => {
    const known = choices(dossier, store.state.kind);
    for (const { side, select } of selects) {
      const names = known.map(({ name }) => name).join();
      if (select.dataset.names !== names) {
        select.dataset.names = names;
        select.replaceChildren(
          ...known.map(({ name, label, definition }) => {
            const option = make("option", {
              text: translated(label),
              title: translated(definition),
            });
            option.value = name;
            return option;
          }),
        );
      }
      select.value = seen[side].name;
    }
  };
  return { root, draw };
}

/** A map has both of its axes. @param {"up" | "across"} side @param {string} name @param {{up: string, across: string}} state @returns {{up?: string, across?: string}} */
export function chosen(side, name, { up, across }) {
  const [first, second] = words.MAP_AXES.map((axis) => axis.name);
  const other = side === "up" ? across : up;
  const isMap = [first, second].includes(name);
  if (isMap && (other === name || ![first, second].includes(other)))
    return { across: first, up: second };
  return { [side]: name };
}

/**
 * @param {Store} store
 * @param {(point: Point | null) => void} point tells of the head under the pointer
 */
export function scatter(store, point) {
  const area = make("div", { class: "scatter-area" });
  const root = make("div", { class: "scatter" }, [area]);
  area.setAttribute("role", "group");
  area.setAttribute("aria-label", words.SCATTER);
  /** @type {{point: Point, element: HTMLButtonElement}[]} */
  let drawn = [];

  area.addEventListener("keydown", (event) => {
    const here = drawn.find(({ element }) => element === document.activeElement);
    const points = drawn.map((one) => one.point);
    const next = here && towards(points, here.point, event.key);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation(); // the page's own keys walk the heads
    const { layer, head } = next.head;
    store.update({ layer, head });
    drawn
      .find((one) => one.point.head.layer === layer && one.point.head.head === head)
      ?.element.focus();
  });

  /** @param {Scattered} seen */
  const draw = (seen) => {
    const hadFocus = area.contains(document.activeElement);
    drawn = seen.points.map((one) => ({ point: one, element: mark(one, seen, store, point) }));
    const reach = make("div", { class: "reach" });
    area.replaceChildren(...ticksOf(seen), reach, ...drawn.map(({ element }) => element));
    select(seen, reach);
    if (hadFocus) current()?.focus();
  };

  const current = () => drawn.find(({ element }) => element.tabIndex === 0)?.element;

  /** Mark the selected head, which is the only tab stop. @param {Scattered} seen @param {HTMLElement} [known] */
  const select = (seen, known) => {
    const reach = known ?? area.querySelector(".reach");
    const { layer, head } = store.state;
    const chosen = drawn.find(
      (one) => one.point.head.layer === layer && one.point.head.head === head,
    );
    for (const one of drawn) {
      one.element.tabIndex = one === (chosen ?? drawn[0]) ? 0 : -1;
      if (one === chosen) one.element.setAttribute("aria-current", "true");
      else one.element.removeAttribute("aria-current");
    }
    const kin = new Set(chosen?.point.head.like.map((one) => `${one.layer}.${one.head}`));
    for (const { point: one, element } of drawn) {
      element.toggleAttribute("data-kin", kin.has(`${one.head.layer}.${one.head.head}`));
    }
    place(chosen?.point ?? null);
    if (reach instanceof HTMLElement) showReach(reach, chosen?.point ?? null, seen);
  };

  /** Put each name where it covers no other. @param {Point | null} chosen */
  const place = (chosen) => {
    const { clientWidth: width, clientHeight: height } = area;
    const points = drawn.map((one) => one.point);
    sidesOf(points, { width, height }, chosen).forEach((side, at) => {
      drawn[at].element.dataset.side = side;
    });
  };
  new ResizeObserver(() => {
    place(drawn.find(({ element }) => element.ariaCurrent === "true")?.point ?? null);
  }).observe(area);
  return { root, draw, select };
}

/** A head. @param {Point} one @param {Scattered} seen @param {Store} store @param {(point: Point | null) => void} tell */
function mark(one, seen, store, tell) {
  const { layer, head } = one.head;
  const shape = make("span", { text: one.shape, class: "shape" });
  shape.dataset.colour = String(one.place);
  shape.ariaHidden = "true";
  const children = [shape, make("span", { text: nameOf(one), class: "name" })];
  const element = button("", () => store.update({ layer, head }), { class: "mark" }, children);
  element.style.setProperty("--x", String(one.x));
  element.style.setProperty("--y", String(one.y));
  element.setAttribute("aria-label", words.pointInWords(one, seen));
  for (const event of ["pointerenter", "focus"]) element.addEventListener(event, () => tell(one));
  for (const event of ["pointerleave", "blur"]) element.addEventListener(event, () => tell(null));
  return element;
}

/** The intervals of the selected head, as a cross. @param {HTMLElement} reach @param {Point | null} point @param {Scattered} seen */
function showReach(reach, point, seen) {
  reach.replaceChildren();
  if (!point) return;
  for (const side of /** @type {const} */ (["across", "up"])) {
    const { low, high } = point[side];
    if (low === null || high === null) continue;
    const line = make("div", { class: `reach-${side}` });
    const [from, to] = [along(seen[side], low), along(seen[side], high)];
    line.style.setProperty("--from", String(from));
    line.style.setProperty("--length", String(to - from));
    line.style.setProperty("--x", String(point.x));
    line.style.setProperty("--y", String(point.y));
    reach.append(line);
  }
}

/** The numbers along both axes, and a line at each. @param {Scattered} seen */
function ticksOf(seen) {
  return /** @type {const} */ (["across", "up"]).flatMap((side) =>
    seen[side].ticks.map((value) => {
      const tick = make("span", { text: threeDigits(value), class: `tick tick-${side}` });
      tick.style.setProperty("--at", String(along(seen[side], value)));
      tick.ariaHidden = "true";
      return tick;
    }),
  );
}
