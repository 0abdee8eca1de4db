// What people can do: follow, explore or pause; the freeze, the timer, and what the projector shows besides.

import { check, make, need, write } from "../../dom/dom.js";
import { isOvertaken } from "../api.js";
import { depthIn, inDepth } from "../screen/depth.js";
import * as words from "./words.js";

const MINUTES = [1, 2, 3, 4, 5, 7, 10, 15, 20, 30];
const USUAL = 3;

/**
 * @param {import("../types.d.ts").ClassApi} api
 * @param {(error: unknown) => void} fail
 */
export function steering(api, fail) {
  const mode = need("#mode", HTMLFieldSetElement);
  const about = need("#mode-about", HTMLElement);
  const frozen = need("#frozen", HTMLInputElement);
  const code = need("#shows-code", HTMLInputElement);
  const slide = need("#slide", HTMLElement);
  const showsSlide = need("#shows-slide", HTMLInputElement);
  const checks = need("#checks", HTMLInputElement);
  const named = need("#named", HTMLInputElement);
  const minutes = need("#timer-minutes", HTMLSelectElement);
  const presents = need("#presents", HTMLInputElement);
  let choice = "";
  /** @type {string | null} */
  let depth = null; // of the projector, when it does not present
  const set = (/** @type {object} */ changes) => void api.patch(changes).catch(fail);
  minutes.replaceChildren(
    ...MINUTES.map((n) => {
      const option = make("option", { text: words.minutes(n) });
      option.value = String(n);
      option.selected = n === USUAL;
      return option;
    }),
  );
  mode.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement) set({ mode: target.value });
  });
  frozen.addEventListener("change", () => set({ frozen: frozen.checked }));
  named.addEventListener("change", () => set({ named: named.checked }));
  checks.addEventListener("change", () => set({ checks: checks.checked }));
  /** @param {import("../types.d.ts").ClassDocument} doc */
  const read = (doc) => {
    choice = doc.choice;
    const shown = depthIn(choice);
    if (shown !== "present") depth = shown;
    return shown;
  };
  /** Only the depth is the desk's: the rest is what the projector shows by now. @param {string | null} to */
  const setDepth = async (to) => {
    const over = choice;
    try {
      await api.patch({ choice: inDepth(over, to), over });
    } catch (error) {
      if (!isOvertaken(error)) return fail(error);
      read(await api.document());
      await setDepth(to);
    }
  };
  presents.addEventListener("change", () =>
    setDepth(presents.checked ? "present" : depth).catch(fail),
  );
  code.addEventListener("change", () => set({ shows: { code: code.checked } }));
  showsSlide.addEventListener("change", () => set({ shows: { slide: showsSlide.checked } }));
  const on = (/** @type {string} */ id, /** @type {() => void} */ act) =>
    need(id, HTMLButtonElement).addEventListener("click", act);
  on("#timer-start", () => set({ timer: Number(minutes.value) }));
  on("#timer-stop", () => set({ timer: 0 }));
  return (/** @type {import("../types.d.ts").ClassDocument} */ doc) => {
    check("mode", doc.mode, mode);
    frozen.checked = doc.frozen;
    checks.checked = doc.checks;
    named.checked = doc.named;
    code.checked = doc.shows.code;
    slide.hidden = !doc.step?.slide;
    showsSlide.checked = doc.shows.slide;
    presents.checked = read(doc) === "present";
    presents.disabled = !doc.choice; // a depth alone would take the projector's sentence away
    const lines = [
      words.MODES[doc.mode],
      doc.frozen && words.FROZEN,
      !doc.choice && words.NO_SCREEN,
    ];
    const text = lines.filter(Boolean).join(" ");
    write(about, text);
  };
}
