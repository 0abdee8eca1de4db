// The selected head read over the vocabulary: whether it copies, the row of a chosen token in both circuits, and the strongest pairs.

import { button, make, write } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { askedIn, asking, isOpen } from "./asked.js";
import { chooser } from "./choose.js";
import { copyingInWords, nameOf, pairLists, partnerLists, partnersInWords } from "./rows.js";
import { save } from "./save.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

/**
 * @param {HTMLElement} panel
 * @param {Store} store
 * @param {Parameters<typeof asking>[1] & {find?: Parameters<typeof chooser>[1]}} [options]
 */
export function circuits(panel, store, { find, ...options } = {}) {
  const again = tryAgain(asking(store, options));
  const summary = make("p", { class: "summary" });
  summary.setAttribute("role", "status");
  const choose = chooser(store, find);
  const told = make("p", { class: "circuits-told" });
  told.setAttribute("role", "status");
  const partners = make("div", { class: "circuits-lists" });
  const one = make("section", {}, [
    make("h3", { text: words.CHOOSE.title }),
    choose.root,
    told,
    partners,
  ]);
  const pairs = make("div", { class: "circuits-lists pairs" });
  const missing = make("p", { class: "source" });
  const all = make("section", {}, [make("h3", { text: words.ALL }), missing, pairs]);
  const reads = make("p", { class: "source" });
  const how = make("details", { class: "how" }, [
    make("summary", { text: words.HOW.title }),
    ...words.HOW.paragraphs.map((text) => make("p", { class: "source", text })),
  ]);
  panel.append(summary, again, one, all, reads, how);

  /** @param {number} id */
  const visit = (id) => {
    const inside = [partners, pairs].some((part) => part.contains(document.activeElement));
    store.update({ vocab: id });
    if (inside) choose.focus(); // the row is gone
    panel.scrollTop = 0;
  };

  const from = /** @type {const} */ (["model", "kind", "layer", "head", "vocab"]);
  store.watch(["vocabulary", "right", "models", ...from], (state) => {
    const head = askedIn(state, "head");
    const token = askedIn(state, "token");
    const loads = [head, token].some((asked) => asked?.status === "loading");
    panel.setAttribute("aria-busy", String(loads)); // also when it is no longer open
    if (!isOpen(state)) return;
    again.hidden = ![head, token].some(
      (asked) => asked?.status === "error" && asked.problem?.retry,
    );
    const answer = head?.answer ?? null;
    write(summary, answer ? copyingInWords(answer) : (head?.problem?.message ?? words.READING));
    one.hidden = all.hidden = reads.hidden = how.hidden = !answer;
    if (!answer) return;
    write(told, toldOf(state, token));
    show(partners, token?.answer ? partnerLists(token.answer) : [], visit);
    write(missing, head?.problem?.message ?? "");
    missing.hidden = !head?.problem;
    show(pairs, pairLists(answer), visit);
    write(reads, words.READS[answer.reads](answer.n_tokens));
  });
}

/** What is said of the chosen token, or why there is nothing. @param {Readonly<State>} state @param {ReturnType<typeof askedIn>} token */
function toldOf({ vocab }, token) {
  if (vocab === null) return words.CHOOSE.hint;
  if (token?.answer) return partnersInWords(token.answer);
  return token?.problem?.message ?? words.READING;
}

/** @param {HTMLElement} root @param {import("./rows.js").List[]} lists @param {(id: number) => void} visit */
function show(root, lists, visit) {
  const now = JSON.stringify(lists);
  if (root.dataset.drawn === now) return; // keeps the focus
  root.dataset.drawn = now;
  root.replaceChildren(
    ...lists.map(({ name, title, rows }) => {
      const isPair = name === "qk" || name === "ov";
      const items = rows.map((row) => {
        const to = nameOf(row.to);
        const line = button("", () => visit(row.to.id), { class: "line" }, [
          make("span", { class: "name", text: isPair ? words.pairName(row) : to, verbatim: true }),
          make("span", { class: "number", text: words.number(row.value) }),
        ]);
        line.style.setProperty("--share", row.share.toFixed(4));
        line.setAttribute("aria-label", words.rowLabel({ ...row, to }));
        return make("li", {}, [line]);
      });
      const list = make("ol", {}, items);
      list.setAttribute("aria-label", title);
      return make("div", { class: `circuits-list ${name}` }, [make("h4", { text: title }), list]);
    }),
  );
}

/** @type {import("../panel.js").Part["make"]} */
const made = (root, store) => circuits(root, store);

export { made as make, save };
