// What a change did, in words for screen readers.

import { commas, gettext, ngettext, sentences } from "../language/gettext.js";
import { isMuted } from "../state/choice.js";
import { differingMasks } from "../state/masks.js";
import { MATRICES } from "../state/matrices.js";
import { same } from "../state/store.js";
import { VIEWS } from "../state/views.js";
import { label, percent, quote, quoteAt, shorten, weight } from "./format.js";
import { heads, layerName } from "./heads.js";

/** @import { Choice, Prediction } from "../types.d.ts" */

const MAX_KEYS = 3; // keys of a row to read out

/** @param {number} n */
const places = (n) => ngettext("{n} place", "{n} places", n);

/** The keys whose changes are announced. */
export const ANNOUNCED = /** @type {const} */ ([
  "masks",
  "muted",
  "layer",
  "head",
  "kind",
  "query",
  "matrix",
  "view",
]);
/** @typedef {Pick<Choice, typeof ANNOUNCED[number]>} Announced */

/**
 * What changed, as it is now; "" if nothing has.
 * @param {Announced} before
 * @param {Announced} now
 */
export function changed(before, now) {
  const painted = (/** @type {Choice["masks"]} */ masks) =>
    masks.blocked.length + masks.allowed.length;
  return sentences([
    ...differingMasks(before.masks, now.masks).map(({ name, wording }) =>
      wording.now(now.masks[name]),
    ),
    painted(now.masks) !== painted(before.masks) &&
      gettext("{places} painted.", { places: places(painted(now.masks)) }),
    !same(now.muted, before.muted) && mutes(before, now),
    (now.layer !== before.layer || now.head !== before.head || now.kind !== before.kind) &&
      gettext("{layer}, head {head}.", { layer: layerName(now), head: now.head }),
    now.matrix !== before.matrix && `${MATRICES[now.matrix].label}.`,
    now.view !== before.view &&
      gettext("{view} view.", {
        view: VIEWS.find(({ name }) => name === now.view)?.label ?? now.view,
      }),
  ]);
}

/**
 * The current row, its strongest keys first.
 * @param {{row: number, queryLabels: string[], keyLabels: string[], pattern: {cols: number, data: ArrayLike<number>}}} detail
 * @param {boolean} [counted] whether to say how many keys are left out; a single one is then named instead
 */
export function rowInWords({ row, queryLabels, keyLabels, pattern: { cols, data } }, counted) {
  const ranked = keyLabels
    .map((_, key) => ({ key, share: data[row * cols + key] }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share);
  const query = quoteAt(queryLabels, row);
  if (ranked.length === 0)
    return gettext("{query} looks at nothing: every key is blocked.", { query });
  const named = counted && ranked.length === MAX_KEYS + 1 ? ranked : ranked.slice(0, MAX_KEYS);
  const keys = named.map(({ key, share }) => `${quoteAt(keyLabels, key)} ${weight(share)}`);
  const rest = ranked.length - named.length;
  return counted && rest > 0
    ? gettext("{query} looks at {keys} and {rest} more.", { query, keys: commas(keys), rest })
    : gettext("{query} looks at {keys}.", { query, keys: commas(keys) });
}

/**
 * The most likely token, now and before.
 * @param {Prediction | undefined} now
 * @param {Prediction | undefined} before
 */
export function predictionInWords(now, before) {
  if (!now) return "";
  const likeliest = `${quote(shorten(label(now), 16))} ${percent(now.probability)}`;
  if (!before || before.probability === now.probability)
    return gettext("Most likely token: {likeliest}.", { likeliest });
  const share = percent(before.probability);
  return before.id === now.id
    ? gettext("Most likely token: {likeliest}; it was {share} before.", { likeliest, share })
    : gettext("Most likely token: {likeliest}; before, it was {before} {share}.", {
        likeliest,
        before: quote(shorten(label(before), 16)),
        share,
      });
}

/** @param {Announced} before @param {Announced} now */
function mutes(before, now) {
  const { kind, layer, head } = now;
  const silent = isMuted(now.muted, kind, layer, head);
  if (silent !== isMuted(before.muted, kind, layer, head)) {
    return silent
      ? gettext("{layer}, head {head} muted.", { layer: layerName(now), head })
      : gettext("{layer}, head {head} unmuted.", { layer: layerName(now), head });
  }
  return gettext("{heads} muted.", { heads: heads(now.muted.length) });
}
