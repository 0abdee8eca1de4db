// The sentences on the prediction: what a row predicts, what muting the head would do to it, and what the reader's changes did. Pure.

import { carrierIn, changedIn, mutedTo, watchedIn } from "../../numbers/explain/forecast.js";
import { named } from "../../numbers/explain/row.js";
import { isMuted, modelIn } from "../../state/choice.js";
import { areEdited } from "../../state/masks.js";
import { isOfHead } from "../../state/matrices.js";
import { label } from "../../words/format.js";
import { headInText } from "../../words/heads.js";
import { probability } from "./rounding.js";
import { lead, more } from "./sentence.js";
import * as words from "./words.js";

/** @import { Listed, State } from "../../types.d.ts" */
/** @import { Detail } from "../../numbers/explain/row.js" */
/** @import { Sentence } from "./sentence.js" */

/**
 * What muting the selected head does to the prediction, what the reader's changes did, or else what the selected row predicts.
 * @param {Readonly<State>} state
 * @param {Detail} detail
 * @param {number} query
 * @returns {{moves: Sentence[], predicts: Sentence[], which: boolean}} `which`: whether other heads can be asked for
 */
export function forecastOf(state, detail, query) {
  const isHead = isOfHead(state.matrix);
  const muted = isHead && isMuted(state.muted, state.kind, state.layer, state.head);
  const silent = muted ? [lead(words.MUTING.isMuted)] : [];
  const watched = watchedIn(state);
  if (!watched) return { moves: silent, predicts: [], which: false };
  const { token, position } = watched;
  const changes = changesOf(changedIn(state));
  // if this mute is the only change, taking it back is the same in reverse
  const onlyMute =
    muted && changes.length > 0 && state.muted.length === 1 && !areEdited(state.masks);
  const muting = isHead && !onlyMute ? mutingOf(state, token, muted) : [];
  const carrier = isHead && !muted ? carrierIn(state) : null;
  const row = {
    query: named(detail, "query", query),
    token: label(token),
    probability: probability(token.probability),
  };
  const isRow = detail.site.query_tokens === detail.read.axis && position === query;
  const isTold = !detail.fills && changes.length + muting.length > 0; // both say how likely it is
  const { predicts, itself } = modelIn(state);
  const said =
    state.answer && itself !== undefined
      ? words.ANSWERED[state.answer.kind]
      : predicts && words.PREDICTS[predicts];
  return {
    moves: [
      ...silent,
      ...changes,
      ...muting,
      ...(carrier && isToldHere(state, carrier) ? [carriedBy(state, carrier, token)] : []),
    ],
    predicts: isRow && !isTold && said ? [more(said(row))] : [],
    which: !muted && muting.length > 0 && state.right !== "effects",
  };
}

/** @param {ReturnType<typeof changedIn>} changed @returns {Sentence[]} */
function changesOf(changed) {
  if (!changed) return [];
  const { token, before } = changed;
  const move = moveOf(token, before, token.probability);
  return [lead(move.from === move.to ? words.EDITED.left(move) : words.EDITED.moved(move))];
}

/** @param {Readonly<State>} state @param {Listed} token @param {boolean} muted @returns {Sentence[]} */
function mutingOf(state, token, muted) {
  const after = mutedTo(state);
  if (after === null) return [];
  const { MUTING } = words;
  const [moves, leaves] = muted
    ? [MUTING.movesBack, MUTING.leavesBack]
    : [MUTING.moves, MUTING.leaves];
  const move = moveOf(token, token.probability, after);
  return [lead(move.from === move.to ? leaves(move) : moves(move))];
}

/** @param {Pick<Listed, "text">} token @param {number} from @param {number} to */
const moveOf = (token, from, to) => ({
  token: label(token),
  from: probability(from),
  to: probability(to),
});

/** In Start the next step leads to another head. @param {Readonly<State>} state @param {NonNullable<ReturnType<typeof carrierIn>>} carrier */
const isToldHere = ({ depth, kind, layer, head }, carrier) =>
  depth !== "start" || isSame(carrier, { kind, layer, head });

/** @typedef {Pick<NonNullable<ReturnType<typeof carrierIn>>, "kind" | "layer" | "head">} Place */
/** @param {Place} a @param {Place} b */
const isSame = (a, b) => a.kind === b.kind && a.layer === b.layer && a.head === b.head;

/** @param {Readonly<State>} state @param {NonNullable<ReturnType<typeof carrierIn>>} carrier @param {Listed} token */
function carriedBy({ kind, layer, head }, carrier, token) {
  const own = isSame(carrier, { kind, layer, head });
  const { among } = carrier;
  if (own && among !== null) return lead(words.MUTING.firstOf({ token: label(token), ...among }));
  if (own) return lead(words.MUTING.first({ token: label(token) }));
  const to = probability(carrier.probability);
  return lead(words.MUTING.others({ head: headInText(carrier), token: label(token), to }));
}
