// Writes safetensors: eight bytes of header length, a JSON header, then the numbers, little-endian.

/** @typedef {{dtype: "F32" | "F16" | "U8", shape: number[], data: Float32Array | Uint16Array | Uint8Array}} Stored F16 as bits */

/**
 * The file as one array.
 * @param {Record<string, string>} metadata
 * @param {Map<string, Stored>} tensors
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function writeSafetensors(metadata, tensors) {
  const parts = safetensorsParts(metadata, tensors);
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * The file in parts, for a Blob: the numbers are not copied.
 * @param {Record<string, string>} metadata
 * @param {Map<string, Stored>} tensors
 * @returns {Uint8Array<ArrayBuffer>[]}
 */
export function safetensorsParts(metadata, tensors) {
  // wide numbers first, so that each tensor begins at a multiple of its numbers' size
  const sorted = [...tensors].sort(
    ([, a], [, b]) => b.data.BYTES_PER_ELEMENT - a.data.BYTES_PER_ELEMENT,
  );
  /** @type {[string, object][]} */
  const entries = [];
  let end = 0;
  for (const [name, { dtype, shape, data }] of sorted) {
    entries.push([name, { dtype, shape, data_offsets: [end, end + data.byteLength] }]);
    end += data.byteLength;
  }
  const header = { __metadata__: metadata, ...Object.fromEntries(entries) };
  const json = new TextEncoder().encode(JSON.stringify(header));
  const size = Math.ceil(json.length / 8) * 8;
  const start = new Uint8Array(8 + size).fill(0x20);
  new DataView(start.buffer).setBigUint64(0, BigInt(size), true);
  start.set(json, 8);
  const numbers = sorted.map(
    ([, { data }]) =>
      new Uint8Array(/** @type {ArrayBuffer} */ (data.buffer), data.byteOffset, data.byteLength),
  );
  return [start, ...numbers];
}
