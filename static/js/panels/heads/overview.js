// Heads that would not all be in sight stay one picture: layers down, heads across, small and without labels. The mouse enlarges one (preview.js), and
// a button all of them.

import { write } from "../../dom/dom.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */

// pixels, as in css/heads.css
const [LABEL, LARGEST, TAG, GAP] = [24, 56, 26, 3];
const NUMBERS = 18; // the line with the numbers of the heads
const LEAST = 5; // a smaller picture shows nothing
const [NAMED, NAME] = [36, 14]; // rows that have room for a label of one line
const WIDEST = 5; // times its height
const TEXT = 15; // between the middles of two numbers
const OVER = 1.25; // little more than there is room for is scrolled

/** @param {HTMLElement} root the grid of heads @param {HTMLButtonElement} button @param {Store} store */
export function overview(root, button, store) {
  let isLarge = false;

  const fit = () => {
    const [numbers, ...rows] = root.querySelectorAll(".grid-row");
    const room = Number.parseFloat(getComputedStyle(root).maxHeight); // NaN where they are a strip
    const heads = (numbers?.childElementCount ?? 1) - 1;
    const width = root.clientWidth - LABEL - 2 * GAP;
    const usual = Math.min(LARGEST, width / heads - GAP) + TAG + GAP;
    const areMany = rows.length * usual > OVER * room;
    const isSmall = areMany && !isLarge;
    button.hidden = !areMany;
    button.closest(".heads")?.toggleAttribute("data-many", areMany);
    write(button, isSmall ? words.LARGER : words.SMALLER);
    root.classList.toggle("overview", isSmall);
    if (!isSmall) return;
    const all = Math.max(LEAST, Math.floor((room - NUMBERS) / rows.length) - 1);
    const areNamed = all >= NAMED;
    const row = areNamed ? all - NAME : all;
    root.classList.toggle("named", areNamed);
    const column = Math.max(LEAST, Math.min(Math.floor(width / heads) - 1, WIDEST * row));
    root.style.setProperty("--row", `${row}px`);
    root.style.setProperty("--column", `${column}px`);
    named([...numbers.children].slice(1), column);
    named(
      rows.map((one) => one.children[0]),
      all,
    );
  };

  button.addEventListener("click", () => {
    isLarge = !isLarge;
    fit();
    root.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  });
  new ResizeObserver(fit).observe(root);
  store.watch(["grid", "depth"], fit);
}

/** Show as many of the numbers as have room. @param {Element[]} axis @param {number} size */
function named(axis, size) {
  const each = Math.ceil(TEXT / (size + 1));
  for (const [index, one] of axis.entries()) one.classList.toggle("between", index % each > 0);
}
