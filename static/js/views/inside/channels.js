// What is under the pointer, or under the arrow keys: one channel of a vector, or one key's numbers, in words.

import { make } from "../../dom/dom.js";
import { shorten } from "../../words/format.js";
import { allowance } from "./row.js";
import { channelAt } from "./strip.js";
import { number } from "./table.js";

/** @typedef {import("../../state/store.js").Store} Store */
/** @typedef {import("./inside.js").Seen} Seen */
/** @typedef {import("./row.js").Name} Name */

const REST =
  "Point at a strip for the number of a channel, at a line for its sums; or use the arrow keys in the table.";

/**
 * @param {Store} store
 * @param {{body: HTMLElement, table: HTMLElement, readout: HTMLElement}} parts
 * @param {() => {seen: Seen | null, key: number, computed: Set<Name>}} now
 */
export function channels(store, { body, table, readout }, now) {
  let channel = -1; // the one that the arrow keys are at

  /** @param {(string | Node)[]} words */
  const say = (words) => readout.replaceChildren(...(words.length > 0 ? words : [REST]));

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
      say(
        key === null
          ? ofVector(/** @type {"q" | "z" | "result"} */ (target.dataset.part), at, seen)
          : ofKey(key, at, seen, computed),
      );
    } else say(key === null ? [] : ofLine(key, seen, computed));
  };
  body.addEventListener("pointermove", pointed);
  body.addEventListener("pointerdown", pointed);
  body.addEventListener("pointerleave", () => {
    say([]);
    store.update({ hover: null });
  });

  table.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const { seen, key, computed } = now();
    if (by === undefined || !seen || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // the arrows walk over the heads elsewhere
    const { q, z } = seen.parts;
    channel = Math.max(0, Math.min(Math.max(q.length, z.length) - 1, channel + by));
    say(ofKey(key, channel, seen, computed));
  });
  say([]);
}

/** @param {string} text */
const strong = (text) => make("b", { text });

/** @param {"q" | "z" | "result"} part @param {number} channel @param {Seen} seen */
function ofVector(part, channel, { parts, query }) {
  const value = parts[part]?.[channel];
  if (value === undefined) return [];
  const name = { q: `q of “${shorten(query, 16)}”`, z: "z", result: "z · W_O" }[part];
  return [`${name}, channel ${channel}: `, strong(number(value))];
}

/**
 * @param {number} key
 * @param {number} channel
 * @param {Seen} seen
 * @param {Set<Name>} computed
 */
function ofKey(key, channel, { parts, keys }, computed) {
  const { q, lines } = parts;
  const { k, product, weight, v, moved } = lines[key];
  /** @type {(string | Node)[]} */
  const words = [`key ${key} `, strong(shorten(keys[key], 16)), `, channel ${channel}`];
  if (channel < q.length && computed.has("k")) {
    const times = computed.has("product");
    words.push(times ? `: q ${number(q[channel])} × k ` : ": k ", strong(number(k[channel])));
    if (times) words.push(" = ", strong(number(product[channel])));
  }
  if (channel < v.length && computed.has("moved"))
    words.push(
      `; weight ${number(weight)} × v ${number(v[channel])} = `,
      strong(number(moved[channel])),
    );
  return words;
}

/** @param {number} key @param {Seen} seen @param {Set<Name>} computed */
function ofLine(key, { parts, keys }, computed) {
  const line = parts.lines[key];
  const said = parts.steps.flatMap(({ name, label }) => {
    if (!computed.has(name)) return [];
    if (name === "mask") return [allowance(line)];
    if (name === "score") return [`score ${number(line.score)}`];
    if (name === "weight") return [`weight ${number(line.weight)}`];
    if (name === "dot" || name === "scaled" || name === "capped")
      return [`${label} ${number(line[name])}`];
    return [];
  });
  return [`key ${key} `, strong(shorten(keys[key], 16)), `: ${said.join(", ")}`];
}
