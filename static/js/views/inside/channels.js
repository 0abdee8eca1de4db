// The readout: one channel of a vector, or the numbers of one key, under the pointer or reached with the arrow keys.

import { write } from "../../dom/dom.js";
import { decimal } from "../../words/format.js";
import { channelAt } from "./strip.js";
import { allowance, READOUT, VECTORS } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Reading } from "./inside.js" */
/** @import { Name } from "./steps.js" */

/**
 * @param {Store} store
 * @param {{body: HTMLElement, table: HTMLElement, readout: HTMLElement}} parts
 * @param {() => {seen: Reading | null, key: number, computed: Set<Name>}} now
 */
export function channels(store, { body, table, readout }, now) {
  let channel = -1; // where the arrow keys are

  /** @param {import("../../words/parts.js").Part[]} words */
  const show = (words) => write(readout, words.length > 0 ? words : [READOUT.rest]);

  /** @param {Event} event */
  const pointed = (event) => {
    const { target } = event;
    const { seen, computed } = now();
    if (!(target instanceof Element) || !(event instanceof PointerEvent) || !seen) return;
    const row = target.closest("tr[data-key]");
    const key = row instanceof HTMLElement ? Number(row.dataset.key) : null;
    const { hover } = store.state;
    if (key !== null && (hover?.axis !== seen.axis || hover.place !== key))
      store.update({ hover: { axis: seen.axis, place: key } });
    if (target instanceof HTMLCanvasElement) {
      const at = channelAt(target, event.clientX);
      show(
        key === null
          ? ofVector(/** @type {"q" | "z" | "result"} */ (target.dataset.part), at, seen)
          : ofKey(key, at, seen, computed),
      );
    } else show(key === null ? [] : ofLine(key, seen, computed));
  };
  body.addEventListener("pointermove", pointed);
  body.addEventListener("pointerdown", pointed);
  body.addEventListener("pointerleave", () => {
    show([]);
    store.update({ hover: null });
  });

  table.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const { seen, key, computed } = now();
    if (by === undefined || !seen || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere, the arrow keys walk the heads
    const { q, z } = seen.parts;
    channel = Math.max(0, Math.min(Math.max(q.length, z.length) - 1, channel + by));
    show(ofKey(key, channel, seen, computed));
  });
  show([]);
}

/** @param {"q" | "z" | "result"} part @param {number} channel @param {Reading} seen */
function ofVector(part, channel, { parts, query }) {
  const value = parts[part]?.[channel];
  if (value === undefined) return [];
  const name = { q: VECTORS.q(query), z: "z", result: VECTORS.result }[part];
  return READOUT.vector(name, channel, decimal(value));
}

/**
 * @param {number} key
 * @param {number} channel
 * @param {Reading} seen
 * @param {Set<Name>} computed
 */
function ofKey(key, channel, { parts, keys }, computed) {
  const { q, lines } = parts;
  const { k, product, weight, v, moved } = lines[key];
  /** @param {ArrayLike<number>} vector */
  const at = (vector) => decimal(vector[channel]);
  /** @type {import("../../words/parts.js").Part[][]} */
  const facts = [];
  if (channel < q.length && computed.has("product"))
    facts.push(READOUT.product(at(q), at(k), at(product)));
  else if (channel < q.length && computed.has("k")) facts.push(READOUT.k(at(k)));
  if (channel < v.length && computed.has("moved"))
    facts.push(READOUT.moved(decimal(weight), at(v), at(moved)));
  return READOUT.key(key, keys[key], channel, facts);
}

/** @param {number} key @param {Reading} seen @param {Set<Name>} computed */
function ofLine(key, { parts, keys }, computed) {
  const line = parts.lines[key];
  const facts = parts.steps.flatMap(({ name, label }) => {
    if (!computed.has(name)) return [];
    if (name === "mask") return [allowance(line)];
    if (name === "score") return [READOUT.fact(READOUT.score, decimal(line.score))];
    if (name === "weight") return [READOUT.fact(READOUT.weight, decimal(line.weight))];
    if (name === "dot" || name === "scaled" || name === "capped")
      return [READOUT.fact(label, decimal(line[name]))];
    return [];
  });
  return READOUT.row(key, keys[key], facts);
}
