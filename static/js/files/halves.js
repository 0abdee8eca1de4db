// Float16 numbers (IEEE 754 binary16), which older browsers have no typed array for.

const POWERS = Float64Array.from({ length: 31 }, (_, exponent) => 2 ** (exponent - 25));

/**
 * The numbers as float32, which holds every float16 exactly.
 * @param {Uint16Array} bits 1 sign bit, 5 bits of exponent, 10 bits of fraction
 * @returns {Float32Array<ArrayBuffer>}
 */
export function halves(bits) {
  const numbers = new Float32Array(bits.length);
  for (let i = 0; i < bits.length; i++) {
    const exponent = (bits[i] >> 10) & 31;
    const fraction = bits[i] & 1023;
    let size;
    if (exponent === 31) size = fraction ? Number.NaN : Number.POSITIVE_INFINITY;
    // the smallest numbers have no leading 1
    else if (exponent === 0) size = fraction * POWERS[1];
    else size = (1024 + fraction) * POWERS[exponent];
    numbers[i] = bits[i] & 0x8000 ? -size : size;
  }
  return numbers;
}
