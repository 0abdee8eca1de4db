// The waterfall: a row for each part, whose bar starts where the last one ended.

import { button, check, make, radio } from "../../dom/dom.js";
import { selectKind } from "../../state/choice.js";
import { signedOrNear } from "../../words/format.js";
import { numberOf } from "./aim.js";
import { attributionIn, kindOfSite } from "./sources.js";
import { axisOf, barOn, smallIn, waterfallOf } from "./waterfall.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @import { Row } from "./waterfall.js" */

/** @param {Store} store */
export function list(store) {
  let open = false; // whether the smaller parts are listed
  const { legend, written, size } = words.ORDER;
  const order = make("fieldset", { class: "segments" }, [
    make("legend", { text: legend }),
    radio("waterfall", "written", written.text, written.title),
    radio("waterfall", "size", size.text, size.title),
  ]);
  order.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement) {
      store.update({ waterfall: target.value === "size" ? "size" : "written" });
    }
  });
  const middle = make("span");
  const axis = make("p", { class: "waterfall-axis" }, [
    make("span", { text: words.COLUMNS.part }),
    middle,
    make("span", { text: words.COLUMNS.adds }),
  ]);
  const rows = make("ol", { class: "waterfall" });
  rows.setAttribute("aria-label", words.LIST_LABEL);
  const toggle = (/** @type {boolean} */ now) => {
    open = now;
    show(store.state);
    const next = open ? fold : rows.querySelector("[aria-expanded]");
    if (next instanceof HTMLElement) next.focus();
  };
  const fold = button("", () => toggle(false), { class: "quiet fold" });
  fold.setAttribute("aria-expanded", "true");
  const root = make("div", { class: "waterfall-box" }, [order, axis, rows, fold]);

  /** @param {Readonly<State>} state */
  const show = (state) => {
    const answer = attributionIn(state);
    check("waterfall", state.waterfall, order);
    if (!answer) return;
    const { found, model } = answer;
    const listed = waterfallOf(found, { order: state.waterfall, open });
    const ends = axisOf(listed);
    const zero = barOn({ from: 0, to: 0 }, ends).start;
    rows.style.setProperty("--zero", String(zero));
    middle.textContent = words.axis(numberOf(found.logit));
    const n = smallIn(found);
    fold.hidden = !open || n === 0;
    fold.textContent = words.fold(n);
    rows.replaceChildren(
      ...listed.map((row) => {
        const kind = kindOfSite(model, row.part?.site ?? null);
        const text = words.rowName(row, kind, found.against !== null);
        const line = lineOf(row, kind, text, () => toggle(true), choose);
        const { start, length } = barOn(row, ends);
        line.style.setProperty("--start", String(start));
        line.style.setProperty("--length", String(length));
        const end = barOn({ from: row.to, to: row.to }, ends).start;
        line.style.setProperty("--end", String(end));
        return make("li", {}, [line]);
      }),
    );
    mark(state);
  };
  /** @param {import("../../types.d.ts").Kind} kind @param {number} layer @param {number} head */
  const choose = (kind, layer, head) => {
    const { state } = store;
    const model = attributionIn(state)?.model;
    const change = kind !== state.kind && model ? selectKind(state, kind, model) : {};
    store.update({ ...change, layer, head });
  };
  /** @param {Readonly<State>} state */
  const mark = ({ kind, layer, head }) => {
    for (const line of rows.querySelectorAll("button")) {
      if (line.dataset.place === `${kind}.${layer}.${head}`) {
        line.setAttribute("aria-current", "true");
      } else line.removeAttribute("aria-current");
    }
  };
  return { root, show, mark };
}

/**
 * @param {Row} row
 * @param {import("../../types.d.ts").Kind} kind
 * @param {string} name
 * @param {() => void} unfold
 * @param {(kind: import("../../types.d.ts").Kind, layer: number, head: number) => void} choose
 */
function lineOf(row, kind, name, unfold, choose) {
  const { part, n, value, to } = row;
  const number = row.kind === "logit" ? numberOf(value) : signedOrNear(value) || "0";
  const sign = row.kind === "logit" ? "whole" : value < 0 ? "falls" : "rises";
  const children = [
    make("span", { text: name, class: "name" }),
    make("span", { class: `track ${sign}` }, [make("span", { class: "drawn" })]),
    make("span", { text: number, class: "number" }),
  ];
  if (row.kind === "smaller") {
    const line = button("", unfold, { class: "line" }, children);
    line.setAttribute("aria-expanded", "false");
    line.setAttribute("aria-label", words.smallerLabel({ n, value: number }));
    return line;
  }
  if (part?.kind !== "head" || part.layer === null || part.head === null) {
    const titles = { remainder: words.REMAINDER.title, cap: words.CAP.title };
    const title = titles[/** @type {keyof typeof titles} */ (row.kind)];
    return make("div", { class: `line ${row.kind}`, title }, children);
  }
  const { layer, head } = part;
  const line = button("", () => choose(kind, layer, head), { class: "line" }, children);
  line.dataset.place = `${kind}.${layer}.${head}`;
  const said = { part: words.partInText(part, kind), value: number, sum: numberOf(to) };
  line.setAttribute("aria-label", words.rowLabel(said));
  return line;
}
