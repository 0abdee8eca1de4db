// Who is there: a number, and who may come. Names only when the teacher asks for them, since the desk may be seen by others.

import { button, make, need } from "../../dom/dom.js";
import * as words from "./words.js";

/** @typedef {{id: string, nickname: string | null, hidden: boolean, removed: boolean, here: boolean}} Person */

/**
 * @param {import("../types.d.ts").ClassApi} api
 * @param {(error: unknown) => void} fail
 */
export function people(api, fail) {
  const count = need("#people", HTMLElement);
  const word = need("#people-word", HTMLElement);
  const opener = need("#names", HTMLButtonElement);
  const list = need("#people-list", HTMLUListElement);
  const locked = need("#locked", HTMLInputElement);
  const said = need("#people-said", HTMLElement);

  const load = async () => {
    try {
      const found = /** @type {Person[]} */ (await api.people());
      list.replaceChildren(...found.map(item));
    } catch (error) {
      fail(error);
    }
  };
  /** @param {Person} person */
  const item = ({ id, nickname, hidden, removed, here }) => {
    const name = nickname ?? words.NO_NAME;
    /** @param {string} text @param {string} label @param {{hidden?: boolean, removed?: boolean}} to */
    const act = (text, label, to) => {
      const made = button(text, () => api.moderate(id, to).then(load, fail), { class: "quiet" });
      made.setAttribute("aria-label", label);
      return made;
    };
    return make("li", { class: here ? "" : "faint" }, [
      make("span", { text: hidden ? "···" : name, verbatim: true }),
      ...(here ? [] : [make("span", { text: removed ? words.REMOVED : words.AWAY })]),
      hidden
        ? act(words.SHOW, words.showName(name), { hidden: false })
        : act(words.HIDE, words.hideName(name), { hidden: true }),
      removed
        ? act(words.LET_IN, words.letIn(name), { removed: false })
        : act(words.REMOVE, words.removePerson(name), { removed: true }),
    ]);
  };
  opener.addEventListener("click", () => {
    const open = list.hidden;
    list.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    opener.textContent = open ? words.HIDE_NAMES : words.SHOW_NAMES;
    list.replaceChildren();
    if (open) void load();
  });
  locked.addEventListener("change", () => void api.patch({ locked: locked.checked }).catch(fail));
  need("#send-away", HTMLButtonElement).addEventListener("click", async () => {
    try {
      const { left } = await api.sendAway();
      said.textContent = words.sentAway(left);
      if (!list.hidden) await load();
    } catch (error) {
      fail(error);
    }
  });
  return (/** @type {import("../types.d.ts").ClassDocument} */ { people: n, locked: isLocked }) => {
    locked.checked = isLocked;
    if (count.textContent === String(n)) return;
    count.textContent = String(n);
    word.textContent = words.personWord(n);
    if (!list.hidden) void load();
  };
}
