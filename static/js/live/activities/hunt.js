// Head hunt: the student selects a head and a cell in the inspector, and submits both with the effect of muting the head.

import { button, make } from "../../dom/dom.js";
import { detailOf } from "../../numbers/detail.js";
import { muting } from "./measured.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */

/**
 * The selected head and cell, with their words; null until the reader has chosen a cell.
 * @param {Readonly<State>} state
 */
export function evidenceIn(state) {
  const detail = detailOf(state);
  const { layer, head, query, key } = state;
  if (!detail || query === null || key === null) return null;
  if (query >= detail.queries.length || key >= detail.keys.length) return null;
  const text = words.evidence({ layer, head }, detail.queryLabels[query], detail.keyLabels[key]);
  return { layer, head, cell: [query, key], text };
}

/**
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} _activity
 * @param {import("./types.d.ts").Own} _mine
 * @param {import("./types.d.ts").Send} send
 * @param {import("./types.d.ts").Surroundings} page
 * @returns {import("./types.d.ts").ShowAnswers}
 */
export function hunting(root, _activity, _mine, send, { store, say }) {
  const selected = make("p", { class: "evidence", text: words.CHOOSE_CELL });
  let isOpen = false;
  let busy = false;
  const submit = button(words.SUBMIT_HEAD, () => submitHead(), { class: "main" });
  root.replaceChildren(selected, submit);

  async function submitHead() {
    const found = store && evidenceIn(store.state);
    if (!found) return say(words.CHOOSE_CELL);
    if (busy || !isOpen) return;
    busy = true;
    say(words.MEASURING);
    try {
      const { token, before, after } = await muting(store.state);
      const { layer, head, cell } = found;
      const find = { layer, head, cell, effect: 100 * (after - before) };
      if (await send("0", find)) say(words.submitted(find, token));
    } catch (error) {
      say(error instanceof Error ? error.message : words.NOT_SENT);
    } finally {
      busy = false;
    }
  }

  const show = () => {
    const found = store && evidenceIn(store.state);
    selected.textContent = found?.text ?? words.CHOOSE_CELL;
    submit.setAttribute("aria-disabled", String(!isOpen || !found));
  };
  store?.watch(["detail", "layer", "head", "query", "key", "shown"], () => {
    if (root.isConnected) show(); // a panel that is gone says nothing
  });
  return (_own, open) => {
    isOpen = open;
    show();
  };
}

/**
 * The heads in the order of their arrival.
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} _activity
 * @param {import("./types.d.ts").HuntResults} results
 */
export function huntResults(root, _activity, { finds, first }) {
  if (finds.length === 0) return root.replaceChildren(make("p", { text: words.NOBODY }));
  const rows = finds.map((find, index) =>
    make("tr", { class: index === first ? "marked" : "" }, [
      make("td", {
        text: find.right ? `✓ ${words.IS_RIGHT}` : words.IS_WRONG,
        class: find.right ? "right" : "faint",
      }),
      make("th", { text: words.headOf(find) }),
      ...[words.cellOf(find.cell), words.points(find.effect), words.seconds(find.after_s)].map(
        (text) => make("td", { text }),
      ),
    ]),
  );
  root.replaceChildren(
    make("p", { text: first === null ? words.NO_RIGHT_FIND : words.firstFind(finds[first]) }),
    make("table", { class: "finds" }, [
      make("thead", {}, [
        make(
          "tr",
          {},
          words.FINDS.map((text) => make(text ? "th" : "td", { text })),
        ),
      ]),
      make("tbody", {}, rows),
    ]),
  );
}
