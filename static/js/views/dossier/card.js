// The card of the selected head: its numbers with intervals, how far it looks, its best examples, and the heads like it.

import { button, make } from "../../dom/dom.js";
import { translated } from "../../language/gettext.js";
import { modelIn } from "../../state/choice.js";
import { alone } from "../../state/examples.js";
import { label, percent, shorten } from "../../words/format.js";
import { headName, shortName } from "../../words/heads.js";
import { inWords } from "../../words/labels.js";
import { labelOf } from "./points.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Dossier, DossierExample as Example, DossierHead as Head } from "../../types.d.ts" */

const LONGEST = 72; // characters of a text in the list

/** @param {Dossier} dossier @param {Head} head @param {Store} store */
export function card(dossier, head, store) {
  const name = labelOf(head, store.state);
  const title = make("h3", { text: headName(head, head.head) }, []);
  const said = inWords(name);
  if (said) title.append(" ", make("span", { text: said, class: "faint" }));
  return [
    title,
    numbers(dossier, head),
    ...distances(dossier, head),
    ...examples(dossier, head, store),
    ...alike(dossier, head, store),
    button(words.PLANE, () => store.update({ right: "space", space_of: "everyday" }), {
      class: "quiet",
      title: words.PLANE_TITLE,
    }),
    make("p", {
      text: words.about({
        n: dossier.corpus.n_texts,
        replicates: dossier.settings.replicates,
      }),
      class: "source",
    }),
  ];
}

/** @param {Dossier} dossier @param {Head} head */
function numbers({ measures }, head) {
  const columns = [words.COLUMNS.measure, words.COLUMNS.value, words.COLUMNS.interval];
  const heading = columns.map((text) => {
    const cell = make("th", { text });
    cell.scope = "col";
    return cell;
  });
  const rows = measures.map(({ name, label, definition, source, unit }) => {
    const number = head.values[name];
    const first = make("th", {
      text: words.axisTitle({ label, unit }),
      title: `${translated(definition)} ${source}`,
    });
    first.scope = "row";
    if (number.value === null) {
      const none = make("td", { text: words.valueInWords(number), class: "reason" });
      none.colSpan = 2;
      return make("tr", {}, [first, none]);
    }
    return make("tr", {}, [
      first,
      make("td", { text: words.valueInWords(number) }),
      make("td", { text: words.intervalInWords(number), class: "faint" }),
    ]);
  });
  return make("table", { class: "dossier-numbers" }, [
    make("thead", {}, [make("tr", {}, heading)]),
    make("tbody", {}, rows),
  ]);
}

/** @param {Dossier} dossier @param {Head} head */
function distances({ buckets }, head) {
  const title = make("h4", { text: words.DISTANCES });
  const { distances: shares } = head;
  if (!shares) return [title, make("p", { text: words.NO_DISTANCES, class: "source" })];
  const most = Math.max(...shares, 1e-9);
  const list = make(
    "ol",
    { class: "dossier-distances" },
    buckets.map((bucket, index) => {
      const bar = make("span", { class: "length" });
      bar.style.setProperty("--share", String(shares[index] / most));
      return make("li", {}, [
        make("span", { text: words.distanceName(bucket) }),
        bar,
        make("span", { text: percent(shares[index]), class: "number" }),
      ]);
    }),
  );
  return [title, list];
}

/** @param {Dossier} dossier @param {Head} head @param {Store} store */
function examples(dossier, head, store) {
  if (!head.top_examples.length) return [];
  const texts = new Map(dossier.texts.map(({ number, text }) => [number, text]));
  const seen = new Set();
  const lines = head.top_examples.flatMap((example) => {
    const cell = `${example.text}.${example.query}.${example.key}`;
    if (seen.has(cell)) return []; // best of its kind in more than one way
    seen.add(cell);
    return [line(example, texts.get(example.text) ?? "", head, store)];
  });
  return [make("h4", { text: words.EXAMPLES }), make("ol", { class: "dossier-examples" }, lines)];
}

/** @param {Example} example @param {string} text @param {Head} head @param {Store} store */
function line(example, text, head, store) {
  const { query_token, key_token, weight } = example;
  const tokens = [query_token, key_token].map((token) => shorten(label({ text: token }), 16));
  const cell = words.example({ query: tokens[0], key: tokens[1], weight });
  const element = button(
    "",
    () => store.update(opened(example, text, head, store)),
    { verbatim: true },
    [make("b", { text: cell }), make("span", { text: shorten(text, LONGEST), class: "faint" })],
  );
  element.setAttribute("aria-label", words.openExample({ cell, text }));
  element.title = text;
  return make("li", {}, [element]);
}

/**
 * The state that shows an example: its text alone, without edits, which the dossier did not have either.
 * @param {Example} example
 * @param {string} text
 * @param {Head} head
 * @param {Store} store
 */
function opened({ query }, text, { kind, layer, head }, store) {
  return { ...alone(text, modelIn(store.state)), kind, layer, head, query };
}

/** @param {Dossier} dossier @param {Head} head @param {Store} store */
function alike({ against }, head, store) {
  const here = head.like.map((one) => {
    const { kind, layer, head: place } = one;
    const text = words.like({ name: shortName(one), value: one.value });
    return make("li", {}, [button(text, () => store.update({ kind, layer, head: place }))]);
  });
  const found = [make("h4", { text: words.ALIKE }), make("ul", { class: "dossier-like" }, here)];
  if (!against || !head.like_elsewhere) return found;
  const there = head.like_elsewhere.map((one) =>
    make("li", { text: words.like({ name: shortName(one), value: one.value }) }),
  );
  return [
    ...found,
    make("h4", { text: words.elsewhere(against.model) }),
    make("ul", { class: "dossier-like" }, there),
  ];
}
