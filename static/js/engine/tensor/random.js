// Random numbers as torch draws them on a CPU: the same seed gives the same weights and the same sampled tokens.

const N = 624;
const M = 397;
const { fround } = Math;
const TURN = fround(2 * Math.PI);

/**
 * torch.Generator on a CPU: the Mersenne twister mt19937. Matsumoto and Nishimura 1998, "Mersenne twister: a
 * 623-dimensionally equidistributed uniform pseudo-random number generator".
 */
export class Generator {
  /** The numbers that are left in the state, from `index` on. */
  #index = N;
  #state = new Uint32Array(N);
  /** The second number of a Box–Muller pair, kept for the next draw. @type {number | null} */
  #spare = null;

  /** @param {number | bigint} seed from 0 to 2⁶³ − 1; like torch, the generator takes its low 32 bits */
  constructor(seed) {
    this.#state[0] = Number(BigInt.asUintN(32, BigInt(seed)));
    for (let i = 1; i < N; i++) {
      const before = this.#state[i - 1];
      this.#state[i] = Math.imul(1812433253, before ^ (before >>> 30)) + i;
    }
  }

  /**
   * A generator seeded by several words, as Python's `random.Random(seed)` is by the 32-bit words of its seed, lowest first
   * (init_by_array of the reference code).
   * @param {number[]} key
   */
  static ofKey(key) {
    const generator = new Generator(19650218);
    const state = generator.#state;
    let i = 1;
    const mixed = (/** @type {number} */ factor) =>
      state[i] ^ Math.imul(state[i - 1] ^ (state[i - 1] >>> 30), factor);
    const step = () => {
      i++;
      if (i < N) return;
      state[0] = state[N - 1];
      i = 1;
    };
    for (let n = 0; n < Math.max(N, key.length); n++) {
      state[i] = mixed(1664525) + key[n % key.length] + (n % key.length);
      step();
    }
    for (let n = 1; n < N; n++) {
      state[i] = mixed(1566083941) - i;
      step();
    }
    state[0] = 0x80000000;
    return generator;
  }

  /** A whole number from 0 to 2³² − 1. @returns {number} */
  bits() {
    if (this.#index === N) this.#advance();
    let y = this.#state[this.#index++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** A float32 from [0, 1), of 24 random bits. @returns {number} */
  uniform() {
    return (this.bits() & 0xffffff) / 2 ** 24;
  }

  /** A double from [0, 1), of 53 random bits. @returns {number} */
  uniformDouble() {
    const high = this.bits() & 0x1fffff;
    return (high * 2 ** 32 + this.bits()) / 2 ** 53;
  }

  /** One number of an exponential distribution of rate 1, in double. @returns {number} */
  exponential() {
    return -Math.log1p(-this.uniformDouble());
  }

  /**
   * torch.randn(n): numbers of N(0, 1). From 16 on, torch turns uniform float32 into normal numbers in blocks of 16, and
   * draws the last 16 anew if they do not fill a block; fewer numbers are drawn one by one in double. Within 1e-6 of
   * torch, whose vectorised logarithm and cosine round differently.
   * @param {number} n
   * @returns {Float32Array}
   */
  randn(n) {
    if (n < 16) return Float32Array.from({ length: n }, () => this.#normal());
    const found = Float32Array.from({ length: n }, () => this.uniform());
    for (let start = 0; start + 16 <= n; start += 16) boxMuller(found.subarray(start, start + 16));
    if (n % 16) {
      const last = found.subarray(n - 16);
      for (let i = 0; i < 16; i++) last[i] = this.uniform();
      boxMuller(last);
    }
    return found;
  }

  /** One number of N(0, 1), in double. */
  #normal() {
    const spare = this.#spare;
    this.#spare = null;
    if (spare !== null) return spare;
    const angle = 2 * Math.PI * this.uniformDouble();
    const radius = Math.sqrt(2 * this.exponential());
    this.#spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  /** The next 624 numbers of the state. */
  #advance() {
    const state = this.#state;
    for (let i = 0; i < N; i++) {
      const y = (state[i] & 0x80000000) | (state[(i + 1) % N] & 0x7fffffff);
      state[i] = state[(i + M) % N] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.#index = 0;
  }
}

/**
 * Turn 16 uniform numbers into normal ones, in place: number i and number i + 8 make a pair. Box and Muller 1958, "A note
 * on the generation of random normal deviates". Each step is rounded to float32, as torch does.
 * @param {Float32Array} block
 */
function boxMuller(block) {
  for (let i = 0; i < 8; i++) {
    const radius = fround(Math.sqrt(-2 * fround(Math.log(1 - block[i]))));
    const angle = fround(TURN * block[i + 8]);
    block[i] = radius * fround(Math.cos(angle));
    block[i + 8] = radius * fround(Math.sin(angle));
  }
}
