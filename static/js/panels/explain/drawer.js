// Why? opens this below the picture, which stays: how the selected cell comes about, step by step, and beside it the key that comes next.

import { questions } from "../../api/api.js";
import { busyWith } from "../../dom/busy.js";
import { button, make, write } from "../../dom/dom.js";
import { detailOf } from "../../numbers/detail.js";
import { modelIn } from "../../state/choice.js";
import { same } from "../../state/store.js";
import { leadOf } from "../../views/inside/arithmetic/lead.js";
import { insideRequest } from "../../views/inside/request.js";
import { keyOf, partsOf } from "../../views/inside/row.js";
import { decimal, shorten } from "../../words/format.js";
import { DRAWER } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @import { Parts } from "../../views/inside/row.js" */

/** The key to tell beside another one: of all others that can be seen, the one with the largest weight. @param {Parts} parts @param {number} key @returns {number | null} */
export function rivalOf({ lines }, key) {
  const others = lines.filter((line) => line.key !== key && line.bits === 0);
  if (others.length === 0) return null;
  return others.reduce((best, line) => (line.weight > best.weight ? line : best)).key;
}

/** @param {Store} store @param {HTMLElement} opener has the focus once it is closed */
export function drawer(store, opener) {
  const title = make("h3");
  const close = button("×", () => shut(), { class: "quiet", title: DRAWER.closeTitle });
  close.ariaLabel = DRAWER.close;
  const all = button(DRAWER.all, () => store.update({ view: "inside" }), {
    title: DRAWER.allTitle,
  });
  const said = make("p", { class: "hint" });
  const own = make("ol");
  const beside = make("table", { class: "drawer-beside" });
  const cells = make("div", { class: "drawer-cells" }, [own, beside]);
  const root = make("section", { class: "drawer" }, [
    make("header", {}, [title, all, close]),
    said,
    cells,
  ]);
  root.id = "why-drawer";
  root.dataset.only = "start full";
  root.dataset.tells = "";
  root.setAttribute("aria-label", DRAWER.label);

  const shut = () => {
    store.update({ drawer: false });
    opener.focus();
  };
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    shut();
  });

  busyWith(root, store, ["status", "inside"]);
  store.watch(["drawer", "inside", "detail", "status", "query", "key", "shown"], (state) => {
    root.hidden = !state.drawer;
    if (root.hidden) return;
    const problem = state.inside?.problem?.message ?? "";
    write(said, problem);
    cells.hidden = problem !== "";
    const now = readIn(state);
    if (!now) return; // the last words stay, as the last picture does
    const { parts, detail } = now;
    const query = detail.queryLabels[detail.row];
    const labels = detail.keyLabels;
    const key = keyOf(parts, state.key);
    const runnerUp = rivalOf(parts, key);
    write(title, DRAWER.title({ query, key: labels[key] }));
    own.replaceChildren(
      ...leadOf({ parts, key, query, labels }).map((text) => make("li", { text })),
    );
    const keys = runnerUp === null ? [key] : [key, runnerUp];
    beside.replaceChildren(...besideOf(parts, keys, labels));
  });
  store.watch(["view"], () => store.update({ drawer: false })); // the picture that it belongs to is gone
  return root;
}

/** The row, once its numbers belong to the selection. @param {Readonly<State>} state */
function readIn(state) {
  const detail = detailOf(state);
  const answer = state.inside?.answer;
  if (!detail || !answer || state.status !== "ready") return null;
  const request = insideRequest(state, modelIn(state), true);
  if (request === null || !same(questions.get(answer), request)) return null; // it is of another head, or row
  return { parts: partsOf(answer, detail.text, detail.row), detail };
}

/** The numbers of a few keys, each in its column. @param {Parts} parts @param {number[]} keys @param {string[]} labels */
function besideOf({ lines }, keys, labels) {
  const heading = (/** @type {string} */ text, /** @type {string} */ scope) => {
    const th = make("th", { text, verbatim: scope === "col" });
    th.scope = scope;
    return th;
  };
  return [
    make("caption", { text: keys.length > 1 ? DRAWER.beside : "" }),
    make("thead", {}, [
      make("tr", {}, [make("td"), ...keys.map((key) => heading(shorten(labels[key], 16), "col"))]),
    ]),
    make(
      "tbody",
      {},
      DRAWER.numbers.map(([part, text]) =>
        make("tr", {}, [
          heading(text, "row"),
          ...keys.map((key) => make("td", { text: decimal(lines[key][part]) })),
        ]),
      ),
    ),
  ];
}
