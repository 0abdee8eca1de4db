// Runs sources, and keeps the last traces so that a second look is free. Mirrors server/run/tracing/{tracer,cache}.py.

import { LimitError, nsentence, sentence } from "../errors.js";
import { branches, FIELD } from "../sources/branching.js";

/** @import { Sentence } from "../errors.js" */
/** @import { Inputs, MuteEffects, Source, Trace } from "../types.d.ts" */
/** @import { Limits } from "./limits.js" */

const CACHE_BYTES = 64 * 1024 ** 2;
const ENTRY_BYTES = 16_384; // of an entry beside its tensors
const TOKEN_BYTES = 512;

export class Runs {
  /** The oldest first. @type {Map<string, {value: any, bytes: number}>} */
  #kept = new Map();
  #bytes = 0;
  /** @type {Limits} */
  #limits;

  /** @param {Limits} limits */
  constructor(limits) {
    this.#limits = limits;
  }

  /** The trace of these inputs, computed or kept. @param {Source} source @param {Inputs} inputs @returns {Trace} */
  trace(source, inputs) {
    return this.#once(
      keyOf(source, inputs),
      () => source.trace(inputs, { max_tokens: this.#limits.tokens }),
      traceBytes,
    );
  }

  /**
   * How muting each head alone changes a token's probability.
   * @param {Source} source
   * @param {Inputs} inputs
   * @param {Trace} trace
   * @param {{position: number | null, token: number | null}} watched
   * @returns {MuteEffects[]}
   * @throws {LimitError} it would need too many runs (code "too_many_runs")
   */
  muteEffects(source, inputs, trace, { position, token }) {
    const heads = source.info.sites.reduce((n, { n_heads }) => n + n_heads, 0);
    const each = nsentence("{n} head", "{n} heads", { n: heads });
    this.#check(trace, heads, each, sentence("Muting each head in turn"), "analyse.mute_effects");
    return this.#once(
      keyOf(source, inputs, { position, token }),
      () => source.muteEffects(inputs, { position, token, max_tokens: this.#limits.tokens }),
      (found) => TOKEN_BYTES * found.reduce((n, { effects }) => n + effects.length, 0),
    );
  }

  /**
   * What the model would say after each of its likeliest next tokens.
   * @param {Source} source
   * @param {Inputs} inputs
   * @param {Trace} trace
   * @param {import("../sources/branching.js").Asked} asked
   */
  branches(source, inputs, trace, asked) {
    const n = asked.top_k * asked.n_tokens;
    const each = nsentence("{n} token", "{n} tokens", { n });
    this.#check(trace, n, each, sentence("Following the branches"), FIELD);
    const limits = { max_tokens: this.#limits.tokens };
    return this.#once(
      keyOf(source, inputs, asked),
      () => branches(trace, inputs, (own) => source.continued?.(own, limits), asked),
      (found) =>
        TOKEN_BYTES * asked.n_tokens * found.reduce((n, one) => n + one.branches.length, 0),
    );
  }

  /** Drop everything; a source of the same name may have taken another's place. */
  forget() {
    this.#kept.clear();
    this.#bytes = 0;
  }

  /**
   * @template T
   * @param {string} key
   * @param {() => T} run
   * @param {(value: T) => number} size in bytes
   * @returns {T}
   */
  #once(key, run, size) {
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key); // it becomes the newest
      this.#kept.set(key, known);
      return known.value;
    }
    const value = run();
    const bytes = ENTRY_BYTES + 2 * key.length + size(value);
    if (bytes > CACHE_BYTES) return value;
    this.#kept.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#kept) {
      if (this.#bytes <= CACHE_BYTES) break;
      this.#kept.delete(oldest);
      this.#bytes -= entry.bytes;
    }
    return value;
  }

  /**
   * Refuse to run the texts of the trace too often, `n` times.
   * @param {Trace} trace
   * @param {number} n
   * @param {Sentence} each what they run for, and how many
   * @param {Sentence} what the start of a sentence
   * @param {string} field of the request
   */
  #check(trace, n, each, what, field) {
    const tokens = nTokens(trace);
    const limit = this.#limits.mute_tokens;
    if (tokens * n <= limit) return;
    throw new LimitError(
      sentence(
        "{what} would run {tokens} tokens (including padding) for each of {each}, {total} in total; at most {most} are run per request. Send fewer or shorter texts.",
        { what, tokens, each, total: tokens * n, most: limit },
      ),
      { code: "too_many_runs", field, limit },
    );
  }
}

/** What determines a result. @param {Source} source @param {Inputs} inputs @param {object | null} [asked] of a further run */
const keyOf = (source, inputs, asked = null) =>
  JSON.stringify([source.info.name, inputs, asked], (_, value) =>
    // each byte as one character
    value instanceof Uint8Array ? new TextDecoder("latin1").decode(value) : value,
  );

/** @param {Trace} trace */
const nTokens = (trace) =>
  [...trace.tokens, ...(trace.target_tokens ?? [])].reduce((n, row) => n + row.length, 0);

/** The memory that a trace holds; numbers that several tensors share count once. @param {Trace} trace */
function traceBytes(trace) {
  const holders = [trace, ...trace.sites, ...trace.sites.map(({ mask }) => mask)];
  const buffers = new Set(
    holders
      .flatMap((holder) => Object.values(holder))
      .flatMap((value) => value?.data?.buffer ?? []),
  );
  let bytes = TOKEN_BYTES * nTokens(trace);
  for (const buffer of buffers) bytes += buffer.byteLength;
  return bytes;
}
