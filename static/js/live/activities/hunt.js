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

const FEW = 8; // finds that a table shows at a glance

/**
 * How often each head was found, as a picture of the model: a row for each layer up to the last that was found or is right.
 * @param {import("./types.d.ts").HuntResults["finds"]} finds
 * @param {number[][]} truth layers and heads
 */
function gridOf(finds, truth) {
  const named = [...finds.map(({ layer, head }) => [layer, head]), ...truth];
  const [layers, heads] = [0, 1].map((side) => 1 + Math.max(...named.map((one) => one[side])));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { layer, head } of finds) {
    const name = `${layer}.${head}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  const right = new Set(truth.map((one) => one.join(".")));
  const cell = (/** @type {number} */ layer, /** @type {number} */ head) => {
    const name = `${layer}.${head}`;
    const n = counts.get(name) ?? 0;
    const isRight = right.has(name);
    const made = make("td", { text: n ? String(n) : "", class: isRight ? "right" : "" });
    made.style.setProperty("--share", String(n / most));
    made.title = words.foundBy({ layer, head }, n, isRight);
    return made;
  };
  const all = (/** @type {number} */ n) => Array.from({ length: n }, (_, index) => index);
  const grid = make("table", { class: "hunt-grid" }, [
    make("tr", {}, [make("td"), ...all(heads).map((head) => make("th", { text: String(head) }))]),
    ...all(layers).map((layer) =>
      make("tr", {}, [
        make("th", { text: words.layerOf(layer) }),
        ...all(heads).map((head) => cell(layer, head)),
      ]),
    ),
  ]);
  grid.setAttribute("aria-label", words.FOUND_GRID);
  return grid;
}

/**
 * The heads in the order of their arrival; many of them as a picture, too.
 * @param {HTMLElement} root
 * @param {import("./types.d.ts").Activity} activity
 * @param {import("./types.d.ts").HuntResults} results
 */
export function huntResults(root, { question }, { finds, first, evidence }) {
  if (finds.length === 0) return root.replaceChildren(make("p", { text: words.NOBODY }));
  const rows = finds.map((find, index) =>
    make("tr", { class: index === first ? "marked" : "" }, [
      make("td", {
        text: find.right ? `✓ ${words.IS_RIGHT}` : words.IS_WRONG,
        class: find.right ? "right" : "faint",
      }),
      make("th", { text: words.headOf(find) }),
      ...[
        words.cellOf(find.cell, find.shown),
        words.points(find.effect),
        words.seconds(find.after_s),
      ].map((text) => make("td", { text })),
    ]),
  );
  const head = words.FINDS.map((text) => make(text ? "th" : "td", { text }));
  const table = make("table", { class: "finds" }, [
    make("thead", {}, [make("tr", {}, head)]),
    make("tbody", {}, rows),
  ]);
  const told = first === null ? words.NO_RIGHT_FIND : words.firstFind(finds[first]);
  const summary = make("summary", { text: words.allFinds(finds.length) });
  root.replaceChildren(
    make("p", { text: told }),
    ...(evidence === null || first === null
      ? []
      : [
          make("p", {
            text: words.evidenceSaid(evidence, finds.filter(({ right }) => right).length),
          }),
        ]),
    ...(finds.length > FEW
      ? [gridOf(finds, question.truth ?? []), make("details", {}, [summary, table])]
      : [table]),
  );
}
