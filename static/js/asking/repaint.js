// Painted cells belong to the tokens that they were painted on. When the texts change, the cells follow their tokens before the
// model runs; cells whose tokens are gone are removed, and the reader is told.

import { questions } from "../api/api.js";
import { kindsOf, modelIn } from "../state/choice.js";
import { untracked } from "../state/history.js";
import { existing, follow } from "../state/painted/follow.js";
import { same } from "../state/store.js";
import { lostPaint } from "../words/problem.js";
import { inputs } from "./requests.js";

/** @import { Store } from "../state/store.js" */
/** @import { Answer, Cell, State } from "../types.d.ts" */
/** @typedef {Readonly<State>} Now */
/** @typedef {{key: string, texts: string[]}} Origin the texts that cells were painted on */

const MAX_TEXTS = 16; // lists of texts whose tokens are kept

/** Everything that the tokens of a request depend on, text by text. @param {ReturnType<typeof inputs>} request */
function tokenised({ model, texts, targets, pairs, special_tokens, masks }) {
  const each = texts.map((text, index) => JSON.stringify([text, targets?.[index], pairs?.[index]]));
  return { key: JSON.stringify([model, special_tokens, masks.padding_side, each]), texts: each };
}

/** @param {Now} state @returns {Origin} */
const originOf = (state) => tokenised(inputs(state, modelIn(state)));

/** Identifies the tokens of an answer. @param {Answer} answer */
function keyOf(answer) {
  const request = questions.get(answer);
  return request ? tokenised(/** @type {ReturnType<typeof inputs>} */ (request)).key : null;
}

/** Whether two states have the same tokens, so that a cell of one is a cell of the other. @param {Now} one @param {Now} other */
export const haveSameTokens = (one, other) => originOf(one).key === originOf(other).key;

/** Whether there are cells that follow their tokens. Those of a recorded run are fixed, as its texts are. @param {Now} state */
const hasCells = (state) =>
  state.masks.blocked.length + state.masks.allowed.length > 0 && !modelIn(state)?.recorded;

/** Whether the picture shows the current texts, so that its cells are theirs. @param {Now} state */
export const isOfNow = (state) => state.grid !== null && keyOf(state.grid) === originOf(state).key;

/**
 * @param {Store} store
 * @param {(words: string) => void} say
 */
export function repainter(store, say) {
  /** @type {Map<string, import("../state/painted/follow.js").Rows>} */
  const known = new Map();
  /** @type {WeakMap<Cell[], Origin>} */
  const origins = new WeakMap();

  /** Remember the tokens of an answer. @param {Answer} answer */
  const learn = (answer) => {
    const key = keyOf(answer);
    if (!key) return;
    const { tokens, target_tokens } = answer.trace;
    known.delete(key);
    known.set(key, { tokens, target_tokens });
    for (const old of [...known.keys()].slice(0, -MAX_TEXTS)) known.delete(old);
  };

  store.watch(["grid"], ({ grid }) => {
    if (grid) learn(grid);
  });

  // a list of cells belongs to the texts that it came with
  store.watch(["masks", "texts", "targets", "pairs", "special_tokens", "model"], (state) => {
    for (const list of [state.masks.blocked, state.masks.allowed]) {
      if (list.length > 0 && !origins.has(list)) origins.set(list, originOf(state));
    }
  });

  return {
    learn,

    /** The request to make before painted cells are sent: which tokens the texts have now. @returns {object | null} */
    question: () => {
      const { state } = store;
      const { masks } = state;
      if (!hasCells(state)) return null;
      if (known.has(originOf(state).key)) return null;
      const plain = { ...inputs(state, modelIn(state)), muted: [], interventions: undefined };
      const bare = { ...masks, blocked: [], allowed: [] };
      return { ...plain, masks: bare, select: { layers: [] }, predict: null };
    },

    /** Move the painted cells to where their tokens are now. Call it once `question` returns null. */
    follow: () => {
      const { state } = store;
      const { masks } = state;
      if (!hasCells(state)) return;
      const now = originOf(state);
      const kinds = kindsOf(modelIn(state));
      const rows = /** @type {import("../state/painted/follow.js").Rows} */ ({
        ...known.get(now.key),
        kinds,
      });
      /** @type {Origin | null} */
      let from = null;
      /** @param {Cell[]} list */
      const carried = (list) => {
        const origin = origins.get(list);
        if (!origin || origin.key === now.key) return existing(list, rows);
        from = origin;
        const before = known.get(origin.key);
        const cells = before
          ? follow(list, { ...before, texts: origin.texts, kinds }, { ...rows, texts: now.texts })
          : [];
        if (!same(cells, list)) return cells;
        origins.set(list, now);
        return list;
      };
      const [blocked, allowed] = [carried(masks.blocked), carried(masks.allowed)];
      if (blocked === masks.blocked && allowed === masks.allowed) return;
      const lost = masks.blocked.length + masks.allowed.length - blocked.length - allowed.length;
      if (lost > 0) say(lostPaint(lost, from !== null));
      store.update({ masks: untracked({ ...masks, blocked, allowed }) });
    },
  };
}
