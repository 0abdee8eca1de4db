// Everything that a reader can choose, one row each in static/js/facts/addresses.json: its parameters in the address, how they are read and
// written, when the address follows a change, and how Back and Undo take one back. Here is what no kind of value describes. Rows are in the
// order of the address, which leaves out defaults. Pure.

import FACTS from "../../facts/addresses.json" with { type: "json" };
import { SOURCES } from "../../sources/sources.js";
import { aligned, kindsOf } from "../choice.js";
import { findNamed } from "../finds.js";
import { shortened } from "../fitting/weights.js";
import { changedMasks, differingMasks, MASKS } from "../masks.js";
import { pictureOf, pictureText } from "../painted/picture.js";
import { SETTINGS } from "../views.js";
import { answerOf, textOf as textOfAnswer } from "./answers.js";
import { interventionOf, textOf } from "./interventions.js";
import { changesOf, patched } from "./links.js";
import { codesIn } from "./parts.js";
import { integer, integersIn, muteOf, zoomOf } from "./readings.js";
import { ALONE, rowOf, single, TYPED } from "./row.js";

/** @import { Codec, Row } from "./row.js" */
/** @import { Choice } from "../../types.d.ts" */

/** @type {Partial<Record<keyof Choice, Codec>>} */
export const CODECS = {
  model: {
    read: (_, { model }) => model.name,
    write(query, { model }, { models }) {
      if (model !== models[0]?.name) query.set("model", model);
    },
  },
  texts: {
    read: (_, { texts }) => texts,
    write(query, { texts }, { model }) {
      if (model?.recorded) return; // the model knows its texts, and a reader's own file stays out of addresses
      for (const text of texts) query.append("text", text);
    },
  },
  // targets and pairs that the model does not take are kept while the page is open, but left out of the address
  targets: {
    read: (query, { texts }) => query.getAll("target").slice(0, texts.length),
    write(query, { targets, texts }, { model }) {
      const taken = aligned(model?.takes_targets === false ? [] : targets, texts.length);
      if (taken.some(Boolean)) for (const text of taken) query.append("target", text);
    },
  },
  pairs: {
    read: (query, { texts }) =>
      query.has("pair") ? aligned(query.getAll("pair"), texts.length) : null,
    write(query, { pairs, texts }, { model }) {
      if (!pairs || model?.takes_pairs === false) return;
      for (const text of aligned(pairs, texts.length)) query.append("pair", text);
    },
  },
  special_tokens: {
    read: (query) => query.get("special_tokens") !== "false",
    write(query, { special_tokens }, { model }) {
      if (special_tokens === false && !model?.recorded) query.set("special_tokens", "false");
    },
  },
  masks: {
    pause: ({ masks }, after) => {
      const slid = differingMasks(masks, after.masks).every(
        ({ control }) => control && "off" in control,
      );
      return slid ? TYPED : ALONE;
    },
    read: (query) => Object.fromEntries(MASKS.map(({ name, read }) => [name, read(query)])),
    write(query, { masks }) {
      for (const { name, address, write } of changedMasks(masks)) {
        for (const text of write(masks[name])) query.append(address, text);
      }
    },
  },
  muted: {
    read: (query) => [...new Set(query.getAll("muted"))].flatMap(muteOf),
    write(query, { muted }) {
      for (const head of muted) query.append("muted", head.join("."));
    },
  },
  interventions: {
    read: (query) => query.getAll("intervention").flatMap(interventionOf),
    write(query, { interventions }) {
      for (const one of interventions) query.append("intervention", textOf(one));
    },
  },
  kind: {
    write(query, { kind }, { model }) {
      const [usual = "self"] = model ? kindsOf(model) : [];
      if (kind !== usual) query.set("kind", kind);
    },
  },
  layer: {
    read: (query, { fresh, example }) => integer(query.get("layer")) ?? (fresh ? example.layer : 0),
    write: (query, { layer }) => query.set("layer", String(layer)),
  },
  head: {
    read: (query, { fresh, example }) => integer(query.get("head")) ?? (fresh ? example.head : 0),
    write: (query, { head }) => query.set("head", String(head)),
  },
  shown: {
    read: (query, { texts }) => integer(query.get("shown"), 0, texts.length - 1) ?? 0,
  },
  query: {
    read: (query, { fresh, example }) =>
      integer(query.get("query")) ?? (fresh ? example.query : null),
  },
  depth: {
    // a link shows the whole workbench unless it says otherwise, whoever opens it; without a link, readers get the depth that they used last
    read: (query, { bare, example }, usual) =>
      bare && example.depth ? example.depth : usual(query),
  },
  pinned: single("pinned", {
    read: (text) => [...new Set(integersIn(text))],
    write: (pinned) => pinned.join(",") || null,
  }),
  overlay: {
    read: (query) => [...new Set(query.getAll("overlay"))].flatMap(muteOf).map(([l, h]) => [l, h]),
    write(query, { overlay }) {
      for (const head of overlay) query.append("overlay", head.join("."));
    },
  },
  clean: single("clean", { read: (text) => text ?? "", write: (clean) => clean || null }),
  off: {
    read: (query) => codesIn(query.getAll("off")),
    write(query, { off }) {
      for (const code of off) query.append("off", code);
    },
  },
  answer: single("answer", { read: answerOf, write: (answer) => answer && textOfAnswer(answer) }),
  zoom: single("zoom", {
    read: (text) => zoomOf(integersIn(text)),
    write: (zoom) => zoom?.join(",") ?? null,
  }),
  find: single("find", { read: findNamed, write: (find) => find }),
  picture: single("picture", { read: pictureOf, write: pictureText }),
  weights: {
    // those that the link was made with; the address bar has none, only what readers pass on
    read: (query, { model }) =>
      [null, model.name].includes(query.get("model")) ? shortened(query.get("weights")) : null,
    write(query, _, { model, shared }) {
      const short = shared && shortened(model?.weights);
      if (short) query.set("weights", short);
    },
  },
  quiz: { read: (query) => query.get("quiz") === "1", write() {} }, // quiz.js writes it, with the whole address inside
  against: {
    read(query, { readSide }) {
      const held = query.get("against");
      if (held === null) return null;
      const transposed = /(^|&)transposed=true(&|$)/.test(held);
      const alone = new URLSearchParams(patched(query.toString(), held));
      alone.delete("against"); // A is not a comparison itself
      return { ...readSide(`?${alone}`), transposed };
    },
    write(query, choice, { writeChoice }) {
      if (!choice.against) return;
      const held = writeChoice({ ...choice, ...choice.against, against: null });
      const changes = changesOf(held, query.toString());
      const params = choice.against.transposed ? [changes, "transposed=true"] : [changes];
      query.set("against", params.filter(Boolean).join("&"));
    },
  },
};

/** @typedef {typeof FACTS[number]} Fact */

/** Rows that come from other tables. @type {Record<string, (fact: Fact) => Row[]>} */
const TABLES = {
  sources: (fact) =>
    SOURCES.map(({ name, read, write }) =>
      rowOf(
        { ...fact, key: name, names: [`${name}.…`] },
        {
          read: (query, { models }) => read(query, models),
          write(query, choice) {
            if (choice.model === name) write(query, choice[name]);
          },
        },
      ),
    ),
  views: (fact) => SETTINGS.map(([key, known]) => rowOf({ ...fact, key, one_of: known })),
  masks: (fact) => [rowOf({ ...fact, names: MASKS.map(({ address }) => address) }, CODECS.masks)],
};

/** @type {readonly Row[]} */
export const ROWS = FACTS.flatMap((fact) =>
  "of" in fact
    ? TABLES[fact.of](fact)
    : [rowOf(fact, CODECS[/** @type {keyof Choice} */ (fact.key)])],
);
