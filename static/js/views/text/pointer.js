// Pointing at the tokens of a text, and walking over them with the keyboard.

/** @typedef {{side: "query" | "key", place: number}} Token */

/**
 * @param {HTMLElement} body
 * @param {(target: EventTarget | null) => Token | null} tokenOf
 * @param {(token: Token | null) => void} point
 * @param {(token: Token) => void} read
 */
export function pointing(body, tokenOf, point, read) {
  const to = (/** @type {Event} */ { target }) => {
    const token = tokenOf(target);
    if (token) point(token); // between two tokens, the last one stays
    return token;
  };
  body.addEventListener("pointerover", to);
  body.addEventListener("focusin", to);
  body.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "mouse") point(null); // a lifted finger keeps the token
  });
  body.addEventListener("focusout", ({ relatedTarget }) => {
    if (!body.contains(/** @type {Node | null} */ (relatedTarget))) point(null);
  });
  body.addEventListener("click", (event) => {
    const token = to(event);
    if (token) read(token);
  });
  // choosing with the mouse does not take the focus, so that the arrow keys still walk the heads
  body.addEventListener("mousedown", (event) => event.preventDefault());
}

/**
 * The arrow keys walk the tokens as they are laid out; Home and End go to the ends of a text.
 * @param {HTMLElement} body
 * @param {() => void} leave what Escape does
 */
export function walking(body, leave) {
  body.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const here = /** @type {HTMLElement | null} */ (document.activeElement);
    const group = here?.closest('[role="group"]');
    if (!here || !group || !body.contains(group)) return;
    const all = [...group.querySelectorAll("button")];
    const place = all.indexOf(/** @type {HTMLButtonElement} */ (here));
    const on = group.matches('[dir="rtl"]') ? -1 : 1;
    /** @type {Record<string, () => HTMLElement | undefined>} */
    const keys = {
      ArrowLeft: () => all[place - on],
      ArrowRight: () => all[place + on],
      ArrowUp: () => inLine(all, place, -1),
      ArrowDown: () => inLine(all, place, 1),
      Home: () => all[0],
      End: () => all.at(-1),
    };
    if (event.key === "Escape") leave();
    const next = keys[event.key];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation(); // on the page, the arrow keys walk the heads
    next()?.focus();
  });
}

/**
 * The nearest token of the line above or below.
 * @param {HTMLElement[]} all
 * @param {number} place
 * @param {-1 | 1} down
 */
function inLine(all, place, down) {
  const boxes = all.map((token) => token.getBoundingClientRect());
  const { left, width, top } = boxes[place];
  const beyond = boxes.filter((box) => (down > 0 ? box.top > top + 4 : box.top < top - 4));
  if (beyond.length === 0) return undefined;
  const line = down > 0 ? beyond[0].top : beyond[beyond.length - 1].top;
  const far = (/** @type {DOMRect} */ box) => Math.abs(box.left + box.width / 2 - left - width / 2);
  const there = beyond.filter((box) => Math.abs(box.top - line) < 4);
  return all[boxes.indexOf(there.reduce((best, box) => (far(box) < far(best) ? box : best)))];
}
