// What Undo and Redo say: which change was taken back, or made again.

import { gettext, ngettext } from "../../language/gettext.js";
import { SOURCES } from "../../sources/sources.js";
import { changedRows } from "../../state/address.js";
import { differingMasks } from "../../state/masks.js";
import { MATRICES } from "../../state/matrices.js";
import { tells } from "../../state/quiz.js";
import { same } from "../../state/store.js";
import { SETTINGS, VIEWS } from "../../state/views.js";
import { enumerated, quote, shorten } from "../../words/format.js";
import { headInText, heads, modelInText } from "../../words/heads.js";
import { STEPS } from "../head/words.js";
import { chip } from "../intervene/words.js";

/** @import { Choice, Mute, Step } from "../../types.d.ts" */
/** @typedef {(after: Choice, before: Choice) => string} Words what a change did */

const MAX_NAMED = 3; // changes of one step that are named
const LONG = 40; // characters of a text

/** @type {Record<"text" | "target" | "pair", {to: (text: string) => string, emptied: string}>} */
const TYPED = {
  text: {
    to: (text) => gettext("changed the sentence to {text}", { text: quote(text) }),
    emptied: gettext("emptied the sentence"),
  },
  target: {
    to: (text) => gettext("changed the target to {text}", { text: quote(text) }),
    emptied: gettext("emptied the target"),
  },
  pair: {
    to: (text) => gettext("changed the second segment to {text}", { text: quote(text) }),
    emptied: gettext("emptied the second segment"),
  },
};

/** @param {keyof typeof TYPED} what @param {string[]} after @param {string[]} before */
function typed(what, after, before) {
  const place = after.findIndex((text, i) => text !== (before[i] ?? ""));
  const text = after[place]?.trim();
  return text ? TYPED[what].to(shorten(text, LONG)) : TYPED[what].emptied;
}

/** The settings of a view. @param {string} key @returns {Words} */
const ofView = (key) => () => {
  const label = VIEWS.find((view) => "settings" in view && key in view.settings)?.label;
  return gettext("changed a setting of {label}", { label: label ?? "" });
};

/**
 * The settings of a source.
 * @param {import("../../sources/sources.js").SourceName} name
 * @param {import("../../sources/sources.js").Source["difference"]} difference
 * @returns {Words}
 */
function ofSource(name, difference) {
  return (after, before) =>
    gettext("set {difference}", { difference: difference(after[name], before[name]) });
}

/** @param {Choice["masks"]} after @param {Choice["masks"]} before */
function masks(after, before) {
  const cells = [...before.blocked, ...before.allowed].map((cell) => JSON.stringify(cell));
  const now = [...after.blocked, ...after.allowed].map((cell) => JSON.stringify(cell));
  const [added, removed] = [lacking(now, cells), lacking(cells, now)];
  const painted = [
    added > 0 && ngettext("painted {n} place", "painted {n} places", added),
    removed > 0 && ngettext("cleared {n} painted place", "cleared {n} painted places", removed),
  ];
  const rules = differingMasks(before, after).map(({ name, wording }) =>
    within(wording.now(after[name])),
  );
  return enumerated([...rules, ...painted].flatMap((words) => words || []));
}

/** How many of a list another one lacks. @param {string[]} list @param {string[]} other */
const lacking = (list, other) => list.filter((item) => !other.includes(item)).length;

/** A sentence within another. @param {string} sentence */
const within = (sentence) =>
  sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/[.。]$/, "");

/** @param {Mute[]} after @param {Mute[]} before */
function mutes(after, before) {
  const [added, removed] = [without(after, before), without(before, after)];
  if (removed.length === 0) return gettext("muted {heads}", { heads: some(added) });
  if (added.length > 0) return gettext("changed the muted heads");
  return gettext("unmuted {heads}", { heads: some(removed) });
}

/** @param {Choice["interventions"]} after @param {Choice["interventions"]} before */
function intervened(after, before) {
  const [added, removed] = [after, before].map((list, index) => {
    const other = [before, after][index];
    return list.filter((one) => !other.some((each) => same(one, each)));
  });
  if (added.length === 1 && removed.length === 0)
    return gettext("intervened: {chip}", { chip: chip(added[0]) });
  if (removed.length === 1 && added.length === 0)
    return gettext("withdrew {chip}", { chip: chip(removed[0]) });
  return after.length === 0
    ? gettext("withdrew the interventions")
    : gettext("changed the interventions");
}

/** @param {Mute[]} list @param {Mute[]} others */
const without = (list, others) => list.filter((one) => !others.some((other) => same(one, other)));

/** @param {Mute} mute */
const named = ([layer, head, kind = "self"]) => headInText({ kind, layer, head });

/** @param {Mute[]} list */
const some = (list) => (list.length === 1 ? named(list[0]) : heads(list.length));

/** The changes that can be undone, by their keys in the table (state/address/rows.js). @type {Partial<Record<keyof Choice, Words>>} */
export const CHANGES = {
  ...Object.fromEntries(SOURCES.map(({ name, difference }) => [name, ofSource(name, difference)])),
  ...Object.fromEntries(SETTINGS.map(([key]) => [key, ofView(key)])),
  model: ({ model }) => gettext("switched to {model}", { model: modelInText(model) }),
  texts({ texts }, before) {
    const more = texts.length - before.texts.length;
    if (more !== 0) return more > 0 ? gettext("added a sentence") : gettext("removed a sentence");
    return typed("text", texts, before.texts);
  },
  targets: ({ targets }, before) => typed("target", targets, before.targets),
  pairs({ pairs }, before) {
    if (!pairs) return gettext("removed the second segments");
    return before.pairs ? typed("pair", pairs, before.pairs) : gettext("added second segments");
  },
  special_tokens: ({ special_tokens }) =>
    special_tokens ? gettext("added the special tokens") : gettext("left out the special tokens"),
  specials: ({ specials }) =>
    specials === "shown"
      ? gettext("showed special tokens")
      : gettext("hid special tokens from the picture"),
  masks: (after, before) => masks(after.masks, before.masks),
  muted: ({ muted }, before) => mutes(muted, before.muted),
  interventions: ({ interventions }, before) => intervened(interventions, before.interventions),
  matrix: ({ matrix }) =>
    gettext("switched to the matrix {label}", { label: MATRICES[matrix].label }),
  view: ({ view }) =>
    gettext("switched to the view {label}", {
      label: VIEWS.find(({ name }) => name === view)?.label ?? "",
    }),
  pinned: () => gettext("changed the pinned tokens"),
  overlay: () => gettext("changed the set of heads"),
  clean: ({ clean }) =>
    clean
      ? gettext("compared with {clean}", { clean: quote(shorten(clean, LONG)) })
      : gettext("emptied the clean sentence"),
  mass: () => gettext("changed how much of each row is drawn"),
  off({ off }, before) {
    if (off.length === 0) return gettext("switched all parts of the score on");
    return off.length > before.off.length
      ? gettext("switched a part of the score off")
      : gettext("switched a part of the score on");
  },
  weakest: () => gettext("changed how weak an edge may be"),
  temperature: ({ temperature }) =>
    gettext("set the temperature to {temperature}", { temperature }),
  top_k: ({ top_k }) => ngettext("listed {n} token", "listed {n} tokens", top_k),
  top_p: ({ top_p }) => gettext("set top-p to {top_p}", { top_p }),
  scale: ({ scale }) => gettext("switched to the colour scale {scale}", { scale }),
  steps: ({ steps }) => gettext("switched to {steps} steps", { steps: STEPS[steps] }),
  segments: () => gettext("changed which segments are shown"),
  find: ({ find }) =>
    find ? gettext("changed what ranks the heads") : gettext("stopped ranking the heads"),
  picture: ({ picture }) =>
    picture.length > 0 ? gettext("changed your picture") : gettext("cleared your picture"),
  by: () => gettext("changed which scores label the heads"),
  least: () => gettext("changed which heads are dimmed"),
  against({ against }, before) {
    if (!against) return gettext("stopped comparing");
    return before.against
      ? gettext("compared with something else")
      : gettext("held a head to compare with");
  },
};

/**
 * What a step did, the change of the model or the text first. In a quiz it does not name edits, which only the quiz itself has made.
 * @param {Step} step
 */
function done({ before, after }) {
  const named = changedRows(before, after).filter(({ part }) => part !== "edit" || tells(before));
  const all = named.flatMap(({ key }) => CHANGES[key]?.(after, before) || []);
  return enumerated(
    all.length > MAX_NAMED ? [...all.slice(0, MAX_NAMED - 1), gettext("more")] : all,
  );
}

/** @param {Step} step */
export const undid = (step) => gettext("Undid: {done}", { done: done(step) });
/** @param {Step} step */
export const redid = (step) => gettext("Redid: {done}", { done: done(step) });
export const NOTHING_TO_UNDO = gettext("There is nothing to undo.");
export const NOTHING_TO_REDO = gettext("There is nothing to redo.");
