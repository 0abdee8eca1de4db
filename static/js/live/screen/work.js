// "Show my work": while it is on, the teacher's desk sees what this page shows. Off until somebody presses it.

import { button } from "../../dom/dom.js";
import { findIn, MAX_STATE } from "../activities/wall.js";
import { SHOW_WORK, SHOWS_WORK } from "../words.js";

const WORK = "work"; // of the activity that every class has
const EVERY_MS = 2000; // at most one message in so many

/**
 * @param {HTMLElement} root
 * @param {import("../../state/store.js").Store} store
 * @param {(id: string, item: string, answer: object | null) => Promise<unknown>} send
 */
export function workButton(root, store, send) {
  let on = false;
  let last = "";
  let timer = 0;
  const publish = async () => {
    timer = 0;
    const { choice, thumb } = findIn(store.state, "");
    if (!on || choice === last || choice.length > MAX_STATE) return;
    last = choice;
    await send(WORK, "0", { choice, thumb }).catch(() => {
      last = ""; // it is sent with the next change
    });
  };
  const soon = () => {
    if (on && timer === 0) timer = window.setTimeout(publish, EVERY_MS);
  };
  const toggle = button(SHOW_WORK, () => {
    on = !on;
    last = "";
    draw();
    if (on) void publish();
    else void send(WORK, "0", null).catch(() => {});
  });
  const draw = () => {
    toggle.setAttribute("aria-pressed", String(on));
    toggle.textContent = on ? SHOWS_WORK : SHOW_WORK;
  };
  draw();
  root.append(toggle);
  store.watch(["detail", "layer", "head", "query", "key", "view"], soon);
  let isFirst = true;
  /** It is still on after a reload. @param {import("../types.d.ts").ClassDocument} doc */
  return ({ mine }) => {
    if (isFirst && mine?.[WORK]) {
      on = true;
      draw();
      soon();
    }
    isFirst = false;
  };
}
