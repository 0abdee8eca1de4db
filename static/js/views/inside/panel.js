// The elements of the inside of a head: the controls, the vectors, the place of the table, and the sentences.

import { button, make } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { cellLead } from "./arithmetic/lead.js";
import { cellArithmetic } from "./arithmetic/section.js";
import { PAGE } from "./row.js";
import { stepper } from "./stepper.js";
import { strip } from "./strip.js";
import { PANEL, reachInWords, shownInWords } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Order } from "./row.js" */

/**
 * @param {Store} store
 * @param {{again: () => void, map: (() => void) | null, order: (order: Order) => void, page: (by: number) => void}} on
 */
export function insidePanel(store, on) {
  const why = make("p");
  const heatmap = button(PANEL.heatmap, () => store.update({ view: "heatmap" }));
  const retry = tryAgain(on.again);
  const refusal = make("div", { class: "inside-refusal" }, [why, heatmap, retry]);
  refusal.setAttribute("role", "status");

  const query = make("select");
  query.addEventListener("change", () => store.update({ query: Number(query.value) }));
  const choice = make("label", { class: "field" });
  choice.append(...PANEL.query(query));

  const words = make("p", { class: "inside-words" });
  words.setAttribute("role", "status");
  const [q, z, result] = ["q", "z", "result"].map(() => make("div", { class: "inside-vector" }));
  const table = make("div", { class: "inside-scroll" });
  const readout = make("p", { class: "inside-readout" });
  const check = make("p", { class: "hint inside-check" });
  const [lead, arithmetic] = [cellLead(), cellArithmetic()];
  const onward = button(PANEL.map, on.map, { class: "inside-onward" });
  const sort = orders(on.order);
  const pages = paging(on.page);
  const bar = make("div", { class: "inside-bar" }, [choice, stepper(store)]);
  const options = make("div", { class: "inside-bar" }, [sort.root, pages.root]);
  options.dataset.only = "full";
  const body = make("div", { class: "inside" }, [
    lead.root,
    bar,
    words,
    q,
    options,
    table,
    z,
    result,
    onward,
    readout,
    arithmetic.root,
    check,
  ]);

  return {
    all: [refusal, body],
    body,
    words,
    table,
    readout,
    check,
    sort: sort.show,
    lead: lead.show,
    arithmetic: arithmetic.show,
    /** @param {string} message "" if there is no problem @param {boolean} lacks @param {boolean} mayRetry */
    refuse: (message, lacks, mayRetry) => {
      refusal.hidden = message === "";
      why.textContent = message;
      heatmap.hidden = !lacks;
      retry.hidden = !mayRetry;
    },
    /** @param {string[]} labels @param {number} row */
    queries: (labels, row) => {
      const options = labels.map((text, index) => new Option(`${index} ${text}`, String(index)));
      query.replaceChildren(...options);
      query.value = String(row);
    },
    pages: pages.show,
    /**
     * @param {"q" | "z" | "result"} part
     * @param {string} name
     * @param {ArrayLike<number> | null} vector null until it is computed
     * @param {number} reach
     * @param {Uint8ClampedArray} colors
     * @param {string} [note]
     */
    vector: (part, name, vector, reach, colors, note = "") => {
      const row = { q, z, result }[part];
      row.hidden = name === "";
      row.replaceChildren(
        make("span", { text: name }),
        vector ? strip(part, vector, reach, colors, name) : make("span", { class: "strip" }),
        make("small", { text: vector ? note || reachInWords(reach) : "" }),
      );
      if (part === "result") onward.hidden = !on.map || !vector;
    },
  };
}

/** @param {(order: Order) => void} choose */
function orders(choose) {
  const inputs = /** @type {[Order, string][]} */ (Object.entries(PANEL.orders)).map(
    ([value, text]) => {
      const input = make("input");
      Object.assign(input, { type: "radio", name: "inside-order", value });
      input.addEventListener("change", () => choose(value));
      return { input, label: make("label", {}, [input, make("span", { text })]) };
    },
  );
  const root = make("fieldset", { class: "segments" }, [
    make("legend", { text: PANEL.keys }),
    ...inputs.map(({ label }) => label),
  ]);
  return {
    root,
    /** @param {Order} order */
    show: (order) => {
      for (const { input } of inputs) input.checked = input.value === order;
    },
  };
}

/** @param {(by: number) => void} turn */
function paging(turn) {
  const count = make("span", { class: "faint" });
  count.setAttribute("role", "status");
  const back = button("‹", () => turn(-1));
  back.setAttribute("aria-label", PANEL.before(PAGE));
  const on = button("›", () => turn(1));
  on.setAttribute("aria-label", PANEL.next(PAGE));
  const root = make("div", { class: "inside-pages" }, [back, count, on]);
  return {
    root,
    /** @param {number} page @param {number} n of all keys */
    show: (page, n) => {
      const [first, last] = [page * PAGE + 1, Math.min(n, (page + 1) * PAGE)];
      count.textContent = shownInWords(first, last, n);
      back.hidden = on.hidden = n <= PAGE;
      back.disabled = page === 0;
      on.disabled = last === n;
    },
  };
}
