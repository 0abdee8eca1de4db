// A row for each token and a column for each explanation, with bars within each column; the references stand first, apart.

import { make, scrolling } from "../../dom/dom.js";
import { translated } from "../../language/gettext.js";
import { barOf, REFERENCE } from "./reading.js";
import * as words from "./words.js";

/** @import { Column, Comparison } from "./reading.js" */

export function table() {
  const head = make("thead");
  const body = make("tbody");
  const foot = make("tfoot");
  const content = make("table", { class: "explanations-table" }, [
    make("caption", { class: "unseen", text: words.TABLE.caption }),
    head,
    body,
    foot,
  ]);
  const root = scrolling(words.TABLE.caption, content);
  return {
    root,
    /** @param {Comparison} comparison */
    show({ columns, tokens }) {
      const written = columns.map(({ one }) => words.columnNumber(one.values ?? []));
      head.replaceChildren(
        make("tr", {}, [corner(words.TABLE.token), ...columns.map(({ one }) => heading(one))]),
      );
      body.replaceChildren(
        ...tokens.map((token, index) =>
          make("tr", {}, [
            rowHeading(token),
            ...columns.map(({ one }, at) => cell(one, index, written[at])),
          ]),
        ),
      );
      foot.replaceChildren(
        make("tr", {}, [
          rowHeading(words.TABLE.agreement),
          ...columns.map(({ one, tau }) =>
            make("td", {
              text: one.name === REFERENCE ? "" : words.tauText(tau),
              class: classOf(one),
            }),
          ),
        ]),
      );
    },
  };
}

/** @param {string} text */
function corner(text) {
  const element = make("th", { text });
  element.scope = "col";
  return element;
}

/** @param {string} text */
function rowHeading(text) {
  const element = make("th", { text, verbatim: true });
  element.scope = "row";
  return element;
}

/** @param {Column["one"]} one */
function heading(one) {
  const element = make("th", { class: classOf(one), title: translated(one.definition) }, [
    make("span", { text: translated(one.label) }),
    make("span", {
      class: "faint",
      text: one.role === "method" ? translated(one.unit) : words.TABLE.references[one.role],
    }),
  ]);
  element.scope = "col";
  return element;
}

/** @param {Column["one"]} one @param {number} place @param {(value: number) => string} written */
function cell(one, place, written) {
  const value = one.values?.[place];
  if (value === undefined) {
    const none = make("td", { class: `${classOf(one)} none`, title: one.reason ?? "" });
    none.append(
      make("span", { text: "–" }),
      make("span", { class: "unseen", text: words.TABLE.none }),
    );
    return none;
  }
  const { start, length } = barOf(value, one);
  const drawn = make("span", { class: `explanations-bar ${value < 0 ? "against" : "for"}` });
  drawn.style.setProperty("--start", String(start));
  drawn.style.setProperty("--length", String(length));
  return make("td", { class: `${classOf(one)}${one.signed ? " signed" : ""}` }, [
    drawn,
    make("span", { class: "number", text: written(value) }),
  ]);
}

/** @param {Column["one"]} one */
const classOf = ({ role }) => (role === "method" ? "" : "reference");
