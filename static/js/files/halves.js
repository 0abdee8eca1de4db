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

const LARGEST = 0x477ff000; // the bits of 65,520: from here on, the nearest float16 is infinite
const NORMAL = 0x38800000; // the bits of 2 ** -14: below it, a float16 has no leading 1

/**
 * The nearest float16 of each number, ties to even: as bits. What is too large becomes infinite.
 * @param {Float32Array} numbers
 */
export function halved(numbers) {
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  return Uint16Array.from(bits, (each, i) => {
    const size = each & 0x7fffffff;
    const sign = (each >>> 16) & 0x8000;
    if (size > 0x7f800000) return sign | 0x7e00; // not a number
    if (size >= LARGEST) return sign | 0x7c00;
    if (size < NORMAL) return sign | toEven(Math.abs(numbers[i]) * 2 ** 24);
    const rounded = size + 0xfff + ((size >>> 13) & 1); // 13 bits of the fraction go
    return sign | ((rounded - 0x38000000) >>> 13);
  });
}

/** Rounded to an integer, halves to the even one. @param {number} number at least 0 */
function toEven(number) {
  const below = Math.floor(number);
  const rest = number - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}
