// Numbers in words: the cell under the pointer, what the head does, what the hatching means.

import { need, write } from "../../dom/dom.js";
import { legendItems } from "../../dom/hatching.js";
import { palette } from "../../dom/palette.js";
import { sentences } from "../../language/gettext.js";
import { areNamed, blockedIn, detailOf, exactRow, scoresOf } from "../../numbers/detail.js";
import { mayRelate, measured } from "../../numbers/habits.js";
import { numberAt, seenAt, seenOf } from "../../numbers/units.js";
import { isMuted, modelIn, scoredBy, toggleMute } from "../../state/choice.js";
import { ALWAYS, isOfHead, MATRICES } from "../../state/matrices.js";
import { VIEWS } from "../../views/views.js";
import { weight } from "../../words/format.js";
import { explain } from "../../words/hatch.js";
import { cannotMute, headName, NO_PATTERN } from "../../words/heads.js";
import { habitInWords, relations, strongest } from "../../words/labels.js";
import { sumsInWords } from "../../words/picture.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */

/**
 * The line above the head: a cell or a channel under the pointer.
 * @param {HTMLElement} line
 * @param {Store} store
 * @param {() => string} [hint] the text while the pointer is elsewhere
 */
export function readout(line, store, hint = () => words.POINT) {
  const rest = () => {
    line.classList.remove("pointed");
    const { about } = MATRICES[store.state.matrix];
    const site = store.state.detail?.trace.sites[0];
    const sums = site && store.state.matrix === "pattern" ? sumsInWords(site, store.state) : "";
    write(line, sentences([sums, about ? words.pointAfter(about) : hint()]));
  };
  /** @param {Parameters<typeof write>[1]} said of what the pointer is at */
  const tell = (said) => {
    line.classList.add("pointed");
    write(line, said);
  };
  /** @type {[number, number] | null} */
  let pointed = null;
  store.watch(["detail", "matrix", "quiz", "units", "specials"], () =>
    pointed ? show(pointed) : rest(),
  );

  /** @param {[number, number] | null} cell */
  const show = (cell) => {
    const { detail } = seenOf(store.state); // in words, if the picture is
    pointed = cell;
    if (!cell || !detail) return rest();
    const [query, key] = seenAt(detail, cell);
    if (query >= detail.queries.length || key >= detail.keys.length) return rest();
    const { matrix } = store.state;
    const row = exactRow(detail, matrix, query);
    tell(
      words.cell({
        query: { place: numberAt(detail, "queries", query), label: detail.queryLabels[query] },
        key: { place: numberAt(detail, "keys", key), label: detail.keyLabels[key] },
        numbers: row
          ? [...numbersOf(row, matrix, key), ...merging(detail, query, key)]
          : [words.NUMBERS.waiting], // the row of a long text may still be loading
      }),
    );
  };

  return {
    cell: show,
    /** @param {{name: string, token: number, channel: number} | null} at */
    vector: (at) => {
      const detail = detailOf(store.state);
      if (!at || !detail?.vectors) return rest();
      const matrix = detail.vectors[/** @type {"q" | "k" | "v"} */ (at.name)];
      const labels = at.name === "q" ? detail.queryLabels : detail.keyLabels;
      const { name: vector, token, channel } = at;
      const value = weight(matrix.data[token * matrix.cols + channel]);
      tell(
        words.channel({ vector, token: { place: token, label: labels[token] }, channel, value }),
      );
    },
  };
}

/**
 * The numbers of a cell.
 * @param {NonNullable<ReturnType<typeof exactRow>>} row
 * @param {import("../../types.d.ts").Matrix} matrix
 * @param {number} key
 * @returns {import("../../words/parts.js").Part[][]}
 */
function numbersOf({ values, pattern, scores, blocked }, matrix, key) {
  const { NUMBERS } = words;
  const { of, unit } = MATRICES[matrix];
  const value = weight(values[key]);
  const reason = explain(blocked[key]);
  const own = of === "trace" || !ALWAYS.includes(matrix) ? [NUMBERS.value({ unit, value })] : [];
  const always = [
    pattern ? NUMBERS.weight(weight(pattern[key])) : NUMBERS.weightWaiting,
    ...(scores ? [NUMBERS.score(weight(scores[key]))] : []),
  ];
  return [
    ...(matrix === "norms" ? [norm(values[key], pattern?.[key] ?? 0)] : own),
    ...(matrix === "norms" || of === "trace" ? [] : always),
    ...(reason ? [NUMBERS.blocked(reason)] : []),
  ];
}

/** What a number from word to word is made of. @param {import("../../numbers/units.js").Seen} seen @param {number} query @param {number} key */
function merging({ words: of }, query, key) {
  const [queries, keys] = [of?.queries[query], of?.keys[key]].map((word) =>
    word ? word.stop - word.start : 1,
  );
  return [
    ...(queries > 1 ? [words.NUMBERS.mean(queries)] : []),
    ...(keys > 1 ? [words.NUMBERS.sum(keys)] : []),
  ];
}

/** A norm, and the factors that it is a product of. @param {number} value @param {number} share */
const norm = (value, share) =>
  share > 0
    ? words.NUMBERS.normOf({
        norm: weight(value),
        weight: weight(share),
        length: weight(value / share),
      })
    : words.NUMBERS.norm(weight(value));

/**
 * The title with the head's strongest label, and the button that mutes the head.
 * @param {{title: HTMLElement, label: HTMLElement, muted: HTMLElement, mute: HTMLButtonElement}} elements `muted`: says that the head is muted
 * @param {Store} store
 */
export function headTitle({ title, label, muted: badge, mute }, store) {
  store.watch(
    ["detail", "matrix", "view", "grid", "scores", "probe", "by", "shown", "quiz"],
    (state) => {
      const detail = detailOf(state); // from the picture, which may lag behind the choice
      if (!detail) return;
      const ofAllHeads = !isOfHead(state.matrix) && VIEWS[state.view].oneMatrix;
      const { site, head } = detail;
      const name = ofAllHeads ? words.ALL_LAYERS[site.kind](state.matrix) : headName(site, head);
      const isOne = state.detail?.trace.tokens.length === 1;
      write(title, isOne ? name : words.headIn({ head: name, n: detail.text + 1 }));
      write(label, ofAllHeads ? "" : labelHere(state, detail));
      const drawn = relations(headOf(state, site.layer, head)?.drawn);
      const where = scoredBy(state) === "probe" ? words.ON_PROBE : words.IN_SENTENCE;
      label.title = drawn ? words.onHeldOut(drawn) : where;
    },
  );
  const name = need("span", HTMLElement, mute);
  mute.addEventListener("click", () => store.update(toggleMute(store.state)));
  store.watch(["kind", "layer", "head", "muted", "models", "model"], (state) => {
    const { kind, layer, head, muted } = state;
    const { lacks } = modelIn(state);
    const isSilent = isMuted(muted, kind, layer, head);
    badge.hidden = !isSilent;
    write(name, isSilent ? words.UNMUTE : words.MUTE);
    mute.disabled = Boolean(lacks);
    mute.title = lacks ? cannotMute(lacks) : "";
  });
}

/** What the hatching of blocked cells means. @param {HTMLElement} list @param {Store} store */
export function hatchLegend(list, store) {
  store.watch(["detail", "shown", "scheme", "matrix"], (state) => {
    const detail = detailOf(state);
    const { hatch } = palette(state.scheme);
    const bits = detail ? blockedIn(detail, state.matrix).data : new Uint8Array();
    list.replaceChildren(...legendItems(bits, hatch));
  });
}

/**
 * @param {Readonly<import("../../types.d.ts").State>} state
 * @param {number} layer
 * @param {number} head
 */
const headOf = (state, layer, head) =>
  scoresOf(state)?.find((one) => one.layer === layer && one.head === head);

/**
 * A head's strongest label in words. One that comes from other texts says so if the head does not do that here.
 * @param {Readonly<import("../../types.d.ts").State>} state
 * @param {NonNullable<ReturnType<typeof detailOf>>} detail
 */
function labelHere(state, detail) {
  const row = headOf(state, detail.site.layer, detail.head);
  if (!row || !areNamed(state)) return "";
  const best = strongest(row.scores, row.drawn);
  const { metric } = best;
  const isHabit = scoredBy(state) === "probe";
  const here = isHabit && metric && metric !== "relation" ? measured(detail, metric) : null;
  return habitInWords(best, here, !isHabit || mayRelate(detail)) || NO_PATTERN;
}
