// Bytes as characters that a page keeps as they are: 7 bits in each byte of UTF-8, where base64 has 6. See server/pages/export/packing.py.

const UNSAFE = '\0\t\n\r"<\\';
const SAFE = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
  (letter) => !UNSAFE.includes(letter),
);
const OTHERS = Array.from({ length: 2 ** 14 - SAFE.length ** 2 }, (_, i) =>
  String.fromCharCode(0x100 + i),
);
/** The two bytes of every value of 14 bits, one after another. */
const PAIRS = new TextEncoder().encode(
  [...SAFE.flatMap((one) => SAFE.map((other) => one + other)), ...OTHERS].join(""),
);
/** The value of every two bytes. */
const VALUES = new Uint16Array(2 ** 16);
for (let value = 0; value < 2 ** 14; value++)
  VALUES[(PAIRS[2 * value] << 8) | PAIRS[2 * value + 1]] = value;
const END = 0x80; // after it come zeros, as many as make the length a multiple of 7 bytes

/** @param {Uint8Array} bytes */
export function toLetters(bytes) {
  const filled = new Uint8Array(Math.ceil((bytes.length + 1) / 7) * 7);
  filled.set(bytes);
  filled[bytes.length] = END;
  const letters = new Uint8Array((filled.length / 7) * 8);
  let [held, n_bits, at] = [0, 0, 0];
  for (const byte of filled) {
    held = (held << 8) | byte; // older bits fall out at the top
    n_bits += 8;
    if (n_bits < 14) continue;
    n_bits -= 14;
    const value = (held >> n_bits) & 0x3fff;
    letters[at++] = PAIRS[2 * value];
    letters[at++] = PAIRS[2 * value + 1];
  }
  return new TextDecoder().decode(letters);
}

/** @param {string} text as of `toLetters`; of any other, it makes any bytes */
export function fromLetters(text) {
  const letters = new TextEncoder().encode(text);
  const filled = new Uint8Array((letters.length / 8) * 7);
  let [held, n_bits, at] = [0, 0, 0];
  for (let i = 0; i < letters.length; i += 2) {
    held = (held << 14) | VALUES[(letters[i] << 8) | letters[i + 1]];
    for (n_bits += 14; n_bits >= 8; ) {
      n_bits -= 8;
      filled[at++] = held >> n_bits;
    }
  }
  return filled.subarray(0, filled.lastIndexOf(END));
}

/**
 * @param {Blob} blob
 * @returns {Promise<string>}
 */
export const packed = async (blob) =>
  toLetters(new Uint8Array(await through(blob, new CompressionStream("gzip"))));

/**
 * @param {string} text
 * @returns {Promise<ArrayBuffer>} a new one each time, so that it can be transferred
 * @throws {Error} if it is damaged
 */
export const unpacked = (text) =>
  through(new Blob([fromLetters(text)]), new DecompressionStream("gzip"));

/** @param {Blob} blob @param {GenericTransformStream} stream @returns {Promise<ArrayBuffer>} */
const through = (blob, stream) =>
  new Response(blob.stream().pipeThrough(/** @type {any} */ (stream))).arrayBuffer();
