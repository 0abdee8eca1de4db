// Says why there is no answer yet, in one quiet line for the whole page, with a button to retry or cancel.

import { button, make, need, write } from "../dom/dom.js";
import { composes } from "../dom/keys.js";
import { pausedInWords, progressInWords } from "../words/waiting.js";
import { REASONS, WAITING } from "./words.js";

/** @import { Lane, Shown } from "../asking/lane.js" */

/** @param {Lane} lane */
export function waiting(lane) {
  const words = make("span");
  words.setAttribute("role", "status");
  const count = make("span", { class: "waiting-count" });
  count.setAttribute("aria-hidden", "true"); // do not read out the countdown
  const bar = make("div", { class: "progress" }, [make("div")]);
  bar.setAttribute("role", "progressbar");
  bar.setAttribute("aria-label", WAITING.progress);
  const act = button("", () => (shown.kind === "long" ? lane.cancel() : lane.hurry()), {
    class: "quiet",
  });
  const message = make("p");
  message.append(words, " ", count);
  const line = make("section", { class: "waiting" }, [message, bar, act]);
  line.setAttribute("aria-label", WAITING.label);
  line.id = "waiting";
  line.hidden = true;
  need("#messages", HTMLElement).append(line);

  /** @type {Shown} */
  let shown = { kind: "idle" };
  let ticking = 0;

  const tick = () => {
    clearTimeout(ticking);
    if (shown.kind !== "pause") return;
    const left = Math.max(0, shown.until - performance.now());
    count.textContent = pausedInWords(left);
    if (left > 0) ticking = setTimeout(tick, left % 1000 || 1000);
  };

  const draw = () => {
    const { kind } = shown;
    line.hidden = kind === "idle";
    count.hidden = kind !== "pause";
    bar.hidden = kind !== "long";
    act.hidden = kind === "again" || kind === "idle";
    act.textContent = kind === "long" ? WAITING.cancel : WAITING.hurry;
    act.title = kind === "long" ? "Esc" : "";
    const text = textOf(shown);
    write(words, text);
    tick();
    const long = shown.kind === "long";
    const share = shown.kind === "long" ? progressInWords(shown.progress).share : null;
    bar.classList.toggle("unknown", long && share === null);
    if (share === null) bar.removeAttribute("aria-valuenow");
    else bar.setAttribute("aria-valuenow", String(Math.round(100 * share)));
    bar.style.setProperty("--share", String(share ?? 0));
  };

  lane.watch((now) => {
    shown = now;
    draw();
  });
  addEventListener("keydown", (event) => {
    if (
      event.key !== "Escape" ||
      composes(event) ||
      shown.kind !== "long" ||
      event.defaultPrevented
    )
      return;
    if (document.querySelector("dialog[open], :popover-open")) return; // Esc closes that first
    lane.cancel();
  });
  addEventListener("online", () => lane.wake());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) lane.wake();
  });
}

/** @param {Shown} shown */
function textOf(shown) {
  if (shown.kind === "idle") return "";
  if (shown.kind === "long") return progressInWords(shown.progress).words;
  return REASONS[shown.kind][shown.reason];
}
