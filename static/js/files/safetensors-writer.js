// Writes safetensors: eight bytes of header length, a JSON header, then the numbers, little-endian.

/** @typedef {{dtype: "F32" | "F16" | "U8", shape: number[], data: Float32Array | Uint16Array | Uint8Array}} Stored F16 as bits */

/**
 * @param {Record<string, string>} metadata
 * @param {Map<string, Stored>} tensors
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function writeSafetensors(metadata, tensors) {
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
  const whole = new Uint8Array(8 + size + end).fill(0x20);
  new DataView(whole.buffer).setBigUint64(0, BigInt(size), true);
  whole.set(json, 8);
  let at = 8 + size;
  for (const [, { data }] of sorted) {
    whole.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return whole;
}
