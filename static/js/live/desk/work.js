// What people work on, as far as they show it: asked for while the list is open.

import { button, make, need } from "../../dom/dom.js";
import { thumb } from "../activities/thumb.js";
import { PICTURE } from "../activities/words.js";
import * as words from "./words.js";

const EVERY_MS = 3000;

/** @typedef {{person: string, nickname: string | null, choice: string, thumb: number[][] | null}} Work */

/**
 * @param {import("../types.d.ts").ClassApi} api
 * @param {(error: unknown) => void} fail
 */
export function work(api, fail) {
  const box = need("#work", HTMLDetailsElement);
  const list = need("#work-list", HTMLElement);
  let shown = "";
  const load = async () => {
    try {
      const found = /** @type {Work[]} */ (await api.work());
      const now = JSON.stringify(found);
      if (now === shown) return;
      shown = now;
      const none = make("li", { text: words.NO_WORK, class: "faint" });
      list.replaceChildren(...(found.length > 0 ? found.map(card) : [none]));
    } catch (error) {
      fail(error);
    }
  };
  /** @param {Work} one */
  const card = ({ nickname, choice, thumb: cells }) => {
    const name = nickname ?? words.NO_NAME;
    const opener = button(
      words.OPEN_FOR_ALL,
      () => api.patch({ choice, mode: "follow" }).catch(fail),
      { class: "quiet" },
    );
    opener.setAttribute("aria-label", words.openWorkOf(name));
    const sentence = new URLSearchParams(choice).get("text") ?? "";
    return make("li", {}, [
      ...(cells?.length ? [thumb(cells, PICTURE)] : []),
      make("b", { text: name, verbatim: true }),
      make("p", { text: sentence, verbatim: true }),
      opener,
    ]);
  };
  setInterval(() => {
    if (box.open) void load();
  }, EVERY_MS);
  box.addEventListener("toggle", () => {
    if (box.open) void load();
  });
}
