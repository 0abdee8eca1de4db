// Lines: the numbers beside the tokens as text, the largest in a sentence, all of them in a table.

import { make, write } from "../../dom/dom.js";
import { weight } from "../../words/format.js";
import { sumAt } from "./strengths.js";
import { captionOf, numbersInWords, numbersOf, TABLE } from "./words.js";

/** @import { Focus, Picture } from "./picture.js" */
/** @typedef {NonNullable<ReturnType<typeof import("../../numbers/detail.js").detailOf>>} Detail */

const MAX_COLUMNS = 8; // for more heads, the table only has their sum

export function linesNumbers() {
  const line = make("p", { class: "lines-numbers" });
  line.setAttribute("role", "status");
  const body = make("tbody");
  const head = make("thead");
  const grid = make("table", { class: "bars" }, [head, body]);
  const scroll = make("div", { class: "lines-table" }, [grid]);
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", TABLE.label);
  const table = make("details", {}, [make("summary", { text: TABLE.open }), scroll]);
  table.dataset.only = "start full";
  /** @type {(() => void) | null} */
  let fill = null;
  table.addEventListener("toggle", () => table.open && fill?.());

  return {
    line,
    table,
    /** @param {Picture} picture @param {Focus} focus @param {Detail} detail */
    show: (picture, focus, detail) => {
      write(line, numbersInWords(numbersOf(picture, focus, detail)));
      fill = () => tabulate(picture, focus, detail);
      if (table.open) fill();
      table.hidden = false;
    },
    clear: () => {
      line.textContent = "";
      table.hidden = true;
      fill = null;
    },
  };

  /** @param {Picture} picture @param {Focus} focus @param {Detail} detail */
  function tabulate(picture, focus, { queryLabels, keyLabels }) {
    const { series, shown } = picture;
    const [title, labels, values, places] = focus.given
      ? [TABLE.query, queryLabels, focus.given, shown.from]
      : [TABLE.key, keyLabels, focus.received, shown.to];
    const each = series.length > 1 && series.length <= MAX_COLUMNS ? values : [];
    const caption = captionOf(picture, focus.given ? 1 : focus.rows.length);
    const names = [title, ...(each.length > 0 ? series.map(({ name }) => name) : []), caption];
    head.replaceChildren(
      make(
        "tr",
        {},
        names.map((text) => column(text)),
      ),
    );
    body.replaceChildren(
      ...places.map((place) => {
        const cells = [...each.map((part) => part[place]), sumAt(values, place)];
        const name = make("td", {}, [make("small", { text: String(place) })]);
        name.append(labels[place]);
        return make("tr", {}, [name, ...cells.map((value) => make("td", { text: weight(value) }))]);
      }),
    );
  }
}

/** @param {string} text */
function column(text) {
  const cell = make("th", { text });
  cell.scope = "col";
  return cell;
}
