// One text: its tokens as buttons that wrap, and their colours.

import { enlarged } from "../../dom/canvas.js";
import { button, make } from "../../dom/dom.js";
import { tile } from "../../dom/hatching.js";
import { boundaryOf } from "../../numbers/segments.js";
import { describe } from "../../words/format.js";
import { reasonOf } from "../../words/hatch.js";
import { directionOf, stepOf, wordsOf } from "./tokens.js";
import { TEXTS, under } from "./words.js";

/** @import { Token } from "../../types.d.ts" */
/** @import { Weights } from "./weights.js" */
/** @typedef {{shades: import("./tokens.js").Shade[], steps: import("../../draw/color.js").Steps, hatch: string, block: [number, number] | null}} Look */

const [TILE, STROKE] = [9, 0.75]; // pixels, of the hatching

/** @param {string} name shown above it if there are two */
export function paragraph(name) {
  const tag = make("p", { class: "text-tag faint", text: name });
  const tokens = make("div", { class: "text-tokens" });
  tokens.translate = false;
  tokens.setAttribute("role", "group");
  const root = make("div", { class: "text-paragraph" }, [tag, tokens]);
  /** @type {HTMLButtonElement[]} */
  let buttons = [];
  let built = "";
  /** @type {string[]} the look of each token, so that only those that change are touched */
  let looks = [];

  /** @param {number} place @param {string} look @param {() => void} set */
  const unless = (place, look, set) => {
    if (looks[place] === look) return;
    looks[place] = look;
    set();
  };

  /** @param {HTMLButtonElement} button @param {string} background @param {boolean} dark @param {string} share */
  const dress = (button, background, dark, share) => {
    button.style.background = background;
    button.classList.toggle("on-dark", dark);
    button.classList.toggle("on-light", background !== "" && !dark && share !== "hatched");
    button.dataset.share = share === "hatched" ? "" : share;
  };

  return {
    root,
    /**
     * @param {Token[]} given
     * @param {string} label
     * @param {boolean} tagged
     */
    build: (given, label, tagged) => {
      tag.hidden = !tagged;
      tokens.setAttribute("aria-label", label);
      const now = JSON.stringify(given);
      if (now === built) return; // the same tokens keep the focus
      built = now;
      looks = [];
      const words = wordsOf(given);
      tokens.dir = directionOf(words);
      const boundary = boundaryOf(given);
      buttons = words.map(({ label, joined, token }, index) => {
        const kinds = [joined && "joined", token.special && "special", token.padding && "padding"];
        const element = button(label, null, {
          class: ["text-token", ...kinds.filter(Boolean)].join(" "),
          title: describe(token, index),
        });
        element.tabIndex = -1;
        return element;
      });
      tokens.replaceChildren(
        ...words.flatMap(({ breaks }, index) => [
          ...(index === boundary
            ? [make("span", { class: "text-segment", text: TEXTS.secondSegment })]
            : []),
          buttons[index],
          ...(breaks ? [make("span", { class: "text-break" })] : []),
        ]),
      );
    },
    /** @param {EventTarget | null} target */
    placeOf: (target) => {
      const button = target instanceof Element ? target.closest("button") : null;
      return button ? buttons.indexOf(button) : -1;
    },
    /** @param {Weights | null} weights @param {Look} look */
    colour: (weights, { shades, steps, hatch, block }) => {
      const scheme = `${shades[255].fill} ${shades[128].fill}`;
      buttons.forEach((button, index) => {
        const bits = weights?.blocked[index] ?? 0;
        const value = weights?.values[index] ?? 0;
        const reason = value === 0 ? reasonOf(bits) : null; // if masks come too late, a blocked token may still have a number
        button.classList.toggle("back", block !== null && !(index >= block[0] && index < block[1]));
        if (!weights) unless(index, "", () => dress(button, "", false, ""));
        else if (reason) {
          const { angle } = reason;
          unless(index, `${angle} ${hatch}`, () =>
            dress(button, hatching(angle, hatch), false, "hatched"),
          );
        } else {
          const { fill, dark } = shades[stepOf(value, steps)];
          const share = under(value);
          unless(index, `${fill} ${share} ${scheme}`, () => dress(button, fill, dark, share));
        }
      });
    },
    /** Scroll a token into sight, in what scrolls around the text but not in the page. @param {number} place */
    reveal: (place) => {
      const box = buttons[place]?.getBoundingClientRect();
      const around = scrollerOf(root);
      if (!box || !around) return;
      const { top, bottom, height } = around.getBoundingClientRect();
      if (box.top >= top && box.bottom <= bottom) return;
      around.scrollTop += (box.top - top - (height - box.height) / 2) / enlarged(around);
    },
    /** Show the text without colours. */
    clear: () => {
      buttons.forEach((button, index) => {
        button.classList.remove("back");
        unless(index, "", () => dress(button, "", false, ""));
      });
    },
    /** @param {{pointed: number | null, read: number | null}} marks */
    mark: ({ pointed, read }) => {
      const focused = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      const stop = focused >= 0 ? focused : (read ?? pointed ?? 0);
      buttons.forEach((button, place) => {
        button.classList.toggle("pointed", place === pointed);
        if (read === null) button.removeAttribute("aria-pressed");
        else button.setAttribute("aria-pressed", String(place === read));
        const index = place === stop ? 0 : -1; // only one button is a stop for the Tab key
        if (button.tabIndex !== index) button.tabIndex = index;
      });
    },
  };
}

/** The nearest element around another that scrolls, if it is not the page. @param {Element} element */
function scrollerOf(element) {
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (around === document.scrollingElement || around === document.body) return null;
    const scrolls = around.scrollHeight > around.clientHeight;
    if (scrolls && ["auto", "scroll"].includes(getComputedStyle(around).overflowY)) return around;
  }
  return null;
}

/** @type {Map<string, string>} */
const hatchings = new Map();

/** @param {string} angle @param {string} color */
function hatching(angle, color) {
  const key = `${angle} ${color}`;
  const found = hatchings.get(key) ?? `url(${tile(angle, color, TILE, STROKE).toDataURL()})`;
  hatchings.set(key, found);
  return found;
}
