// Everything that a reader can choose, one row each: its parameters in the address, how they are read and written, when the
// address follows a change, and how Back and Undo take one back. Rows are in the order of the address, which leaves out
// defaults. Pure.

import { SOURCES } from "../../sources/sources.js";
import { aligned, kindsOf } from "../choice.js";
import { findNamed } from "../finds.js";
import { shortened } from "../fitting/weights.js";
import { changedMasks, differingMasks, MASKS } from "../masks.js";
import { MATRIX_NAMES } from "../matrices.js";
import { pictureOf, pictureText } from "../painted/picture.js";
import { PANEL_NAMES } from "../panels.js";
import { AXES, SETTINGS, VIEW_NAMES } from "../views.js";
import { interventionOf, textOf } from "./interventions.js";
import { changesOf, patched } from "./links.js";
import { codesIn } from "./parts.js";
import { among, between, integer, integersIn, KINDS, muteOf, share, zoomOf } from "./readings.js";
import { ALONE, HELD, number, oneOf, TYPED, value } from "./row.js";

/** @typedef {import("./row.js").Row} Row */

const SEGMENTS = /** @type {const} */ (["all", "AA", "AB", "BA", "BB"]);
const SCALES = /** @type {const} */ (["ink", "sea"]);
const LEFT = /** @type {const} */ (["row", "find"]);
const WATERFALL = /** @type {const} */ (["written", "size"]);
const THROUGH = /** @type {const} */ (["all", "head"]);
const FAR_IN = /** @type {const} */ (["all", "head"]);
const BY = /** @type {const} */ (["probe", "sentence"]);
export const ENGINES = /** @type {const} */ (["default", "server", "page"]);
const DEPTHS = /** @type {const} */ (["full", "start", "present"]);
const WALKED = { pause: HELD, undone: false };
const LOOKED_AT = { pause: ALONE, undone: false };
const MEASURE = /^[a-z_]{1,40}$/; // the name of a number of a dossier
const SLUG = /^[a-z0-9-]{1,100}$/; // of a lesson's address

/** @type {readonly Row[]} */
export const ROWS = [
  {
    key: "model",
    names: ["model"],
    follows: "answer",
    pause: ALONE,
    undone: true,
    part: "input",
    read: (_, { model }) => model.name,
    write(query, { model }, { models }) {
      if (model !== models[0]?.name) query.set("model", model);
    },
  },
  ...SOURCES.map(
    ({ name, read, write }) =>
      /** @type {Row} */ ({
        key: name,
        names: [`${name}.…`],
        follows: "answer",
        pause: TYPED,
        undone: true,
        part: "edit",
        read: (query, { models }) => read(query, models),
        write(query, choice) {
          if (choice.model === name) write(query, choice[name]);
        },
      }),
  ),
  {
    key: "texts",
    names: ["text"],
    follows: "answer",
    pause: TYPED,
    undone: true,
    part: "input",
    read: (_, { texts }) => texts,
    write(query, { texts }, { model }) {
      if (model?.recorded) return; // the model knows its texts, and a reader's own file stays out of addresses
      for (const text of texts) query.append("text", text);
    },
  },
  // targets and pairs that the model does not take are kept while the page is open, but left out of the address
  {
    key: "targets",
    names: ["target"],
    follows: "answer",
    pause: TYPED,
    undone: true,
    part: "input",
    read: (query, { texts }) => query.getAll("target").slice(0, texts.length),
    write(query, { targets, texts }, { model }) {
      const taken = aligned(model?.takes_targets === false ? [] : targets, texts.length);
      if (taken.some(Boolean)) for (const text of taken) query.append("target", text);
    },
  },
  {
    key: "pairs",
    names: ["pair"],
    follows: "answer",
    pause: TYPED,
    undone: true,
    part: "input",
    read: (query, { texts }) =>
      query.has("pair") ? aligned(query.getAll("pair"), texts.length) : null,
    write(query, { pairs, texts }, { model }) {
      if (!pairs || model?.takes_pairs === false) return;
      for (const text of aligned(pairs, texts.length)) query.append("pair", text);
    },
  },
  {
    key: "special_tokens",
    names: ["special_tokens"],
    follows: "answer",
    pause: ALONE,
    undone: true,
    part: "input",
    read: (query) => query.get("special_tokens") !== "false",
    write(query, { special_tokens }, { model }) {
      if (special_tokens === false && !model?.recorded) query.set("special_tokens", "false");
    },
  },
  {
    key: "masks",
    names: MASKS.map(({ address }) => address),
    follows: "answer",
    pause: ({ masks }, after) => {
      const slid = differingMasks(masks, after.masks).every(
        ({ control }) => control && "off" in control,
      );
      return slid ? TYPED : ALONE;
    },
    undone: true,
    part: "edit",
    read: (query) => Object.fromEntries(MASKS.map(({ name, read }) => [name, read(query)])),
    write(query, { masks }) {
      for (const { name, address, write } of changedMasks(masks)) {
        for (const text of write(masks[name])) query.append(address, text);
      }
    },
  },
  {
    key: "muted",
    names: ["muted"],
    follows: "answer",
    pause: ALONE,
    undone: true,
    part: "edit",
    read: (query) => [...new Set(query.getAll("muted"))].flatMap(muteOf),
    write(query, { muted }) {
      for (const head of muted) query.append("muted", head.join("."));
    },
  },
  {
    key: "interventions",
    names: ["intervention"],
    follows: "answer",
    pause: ALONE,
    undone: true,
    part: "edit",
    read: (query) => query.getAll("intervention").flatMap(interventionOf),
    write(query, { interventions }) {
      for (const one of interventions) query.append("intervention", textOf(one));
    },
  },
  {
    key: "kind",
    names: ["kind"],
    follows: "answer",
    pause: ALONE,
    undone: false,
    part: "head",
    read: (query) => among(KINDS, query.get("kind")),
    write(query, { kind }, { model }) {
      const [usual = "self"] = model ? kindsOf(model) : [];
      if (kind !== usual) query.set("kind", kind);
    },
  },
  {
    key: "layer",
    names: ["layer"],
    follows: "answer",
    pause: HELD,
    undone: false,
    part: "head",
    read: (query, { fresh, example }) => integer(query.get("layer")) ?? (fresh ? example.layer : 0),
    write: (query, { layer }) => query.set("layer", String(layer)),
  },
  {
    key: "head",
    names: ["head"],
    follows: "answer",
    pause: HELD,
    undone: false,
    part: "head",
    read: (query, { fresh, example }) => integer(query.get("head")) ?? (fresh ? example.head : 0),
    write: (query, { head }) => query.set("head", String(head)),
  },
  {
    key: "shown",
    names: ["shown"],
    follows: "now",
    pause: ALONE,
    undone: false,
    part: "head",
    read: (query, { texts }) => integer(query.get("shown"), 0, texts.length - 1) ?? 0,
    write(query, { shown }) {
      if (shown !== 0) query.set("shown", String(shown));
    },
  },
  {
    key: "query",
    names: ["query"],
    follows: "now",
    pause: HELD,
    undone: false,
    read: (query, { fresh, example }) =>
      integer(query.get("query")) ?? (fresh ? example.query : null),
    write(query, { query: place }) {
      if (place !== null) query.set("query", String(place));
    },
  },
  {
    // a link shows the whole workbench unless it says otherwise, whoever opens it; without a link, readers get the depth that they used last
    key: "depth",
    names: ["depth"],
    follows: "now",
    pause: ALONE,
    undone: false,
    read: (query, { bare, example }) =>
      bare && example.depth ? example.depth : among(DEPTHS, query.get("depth")),
    write(query, { depth }) {
      if (depth !== DEPTHS[0]) query.set("depth", depth);
    },
  },
  value("tour", {
    read: (text) => text === "1",
    write: (tour) => (tour ? "1" : null),
    ...{ pause: null, undone: false },
  }),
  oneOf("matrix", MATRIX_NAMES),
  oneOf("view", VIEW_NAMES),
  value("pinned", {
    read: (text) => [...new Set(integersIn(text))],
    write: (pinned) => pinned.join(",") || null,
  }),
  {
    key: "overlay",
    names: ["overlay"],
    follows: "now",
    pause: ALONE,
    undone: true,
    read: (query) => [...new Set(query.getAll("overlay"))].flatMap(muteOf).map(([l, h]) => [l, h]),
    write(query, { overlay }) {
      for (const head of overlay) query.append("overlay", head.join("."));
    },
  },
  value("clean", { read: (text) => text ?? "", write: (clean) => clean || null }),
  number("mass", 1, (text) => share(text) || null),
  number("weakest", 0.15, (text) => between(text, 0, 1)),
  ...SETTINGS.map(([key, known]) => oneOf(key, known)),
  number("key", null, integer, WALKED),
  {
    key: "off",
    names: ["off"],
    follows: "now",
    pause: ALONE,
    undone: true,
    read: (query) => codesIn(query.getAll("off")),
    write(query, { off }) {
      for (const code of off) query.append("off", code);
    },
  },
  number("step", null, integer, WALKED),
  number("token", null, integer, LOOKED_AT),
  number("versus", null, integer, LOOKED_AT),
  number("vocab", null, integer, LOOKED_AT),
  oneOf("waterfall", WATERFALL, LOOKED_AT),
  oneOf("through", THROUGH, LOOKED_AT),
  number("temperature", 1, (text) => between(text, 0.05, 100)), // as in the API
  number("top_k", 10, (text) => integer(text, 1, 100)),
  number("top_p", 1, (text) => share(text) || null),
  oneOf("scale", SCALES),
  value("log", { read: (text) => text === "true", write: (log) => (log ? "true" : null) }),
  value("zoom", {
    read: (text) => zoomOf(integersIn(text)),
    write: (zoom) => zoom?.join(",") ?? null,
    follows: "rest", // a drag changes it many times a second
    ...{ pause: null, undone: false },
  }),
  oneOf("segments", SEGMENTS),
  value("find", {
    read: (text) => findNamed(text),
    write: (find) => find,
  }),
  value("picture", {
    read: (text) => pictureOf(text),
    write: (picture) => pictureText(picture),
  }),
  oneOf("by", BY),
  number("least", 0, share),
  oneOf("left", LEFT, LOOKED_AT),
  oneOf("right", PANEL_NAMES, LOOKED_AT),
  value("far_least", {
    read: (text) => integer(text, 1, 1_000_000),
    write: (least) => (least === null ? null : String(least)),
    ...{ pause: TYPED, undone: false },
  }),
  oneOf("far_in", FAR_IN, LOOKED_AT),
  value("far_first", {
    read: (text) => text === "true",
    write: (first) => (first ? "true" : null),
    ...LOOKED_AT,
  }),
  value("across", {
    read: (text) => (text !== null && MEASURE.test(text) ? text : AXES.across),
    write: (across) => (across === AXES.across ? null : across),
    ...LOOKED_AT,
  }),
  value("up", {
    read: (text) => (text !== null && MEASURE.test(text) ? text : AXES.up),
    write: (up) => (up === AXES.up ? null : up),
    ...LOOKED_AT,
  }),
  oneOf("engine", ENGINES, { pause: null, undone: false }),
  {
    // the weights that the link was made with; the address bar has none, only what readers pass on
    key: "weights",
    names: ["weights"],
    follows: "now",
    pause: null,
    undone: false,
    read: (query, { model }) =>
      [null, model.name].includes(query.get("model")) ? shortened(query.get("weights")) : null,
    write(query, _, { model, shared }) {
      const short = shared && shortened(model?.weights);
      if (short) query.set("weights", short);
    },
  },
  // the lesson from which the reader came: the page offers the way back, if there is such a lesson
  value("lesson", {
    read: (text) => (text !== null && SLUG.test(text) ? text : null),
    write: (lesson) => lesson,
    ...{ pause: null, undone: false },
  }),
  // written by quiz.js, which puts the whole address into it
  value("quiz", { read: (text) => text === "1", write: () => null, pause: null, undone: false }),
  // a quiz that only the teacher reveals, by another link
  value("closed", {
    read: (text) => text === "1",
    write: (closed) => (closed ? "1" : null),
    ...{ pause: null, undone: false },
  }),
  {
    key: "against",
    names: ["against"],
    follows: "now",
    pause: ALONE,
    undone: true,
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
];
