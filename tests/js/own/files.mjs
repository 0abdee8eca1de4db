// Writers of the files that tests read: safetensors, npy and zip, right or broken in one place.

import { deflateRawSync } from "node:zlib";

const encoder = new TextEncoder();

/** @param {...(Uint8Array | number[])} parts */
export function joined(...parts) {
  const bytes = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @param {ArrayLike<number>} numbers */
export const floats = (numbers) => new Uint8Array(Float32Array.from(numbers).buffer);

/**
 * A safetensors file of float32 tensors; `change` may spoil its header.
 * @param {Record<string, {shape: number[], data: ArrayLike<number>}>} tensors
 * @param {object} [metadata]
 * @param {(header: Record<string, any>) => void} [change]
 */
export function safetensors(tensors, metadata = undefined, change = () => {}) {
  /** @type {Record<string, any>} */
  const header = metadata ? { __metadata__: metadata } : {};
  const parts = [];
  let end = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    const bytes = floats(data);
    header[name] = { dtype: "F32", shape, data_offsets: [end, end + bytes.length] };
    end += bytes.length;
    parts.push(bytes);
  }
  change(header);
  const json = encoder.encode(JSON.stringify(header));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(json.length), true);
  return joined(length, json, ...parts);
}

/**
 * @param {object} array
 * @param {number[]} array.shape
 * @param {Uint8Array} array.bytes
 * @param {string} [array.descr]
 * @param {boolean} [array.fortran]
 * @param {number} [array.version]
 */
export function npy({ shape, bytes, descr = "'<f4'", fortran = false, version = 1 }) {
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const order = fortran ? "True" : "False";
  const header = encoder.encode(
    `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': (${sizes}), }\n`,
  );
  const length = new DataView(new ArrayBuffer(version === 1 ? 2 : 4));
  if (version === 1) length.setUint16(0, header.length, true);
  else length.setUint32(0, header.length, true);
  const magic = [0x93, ...encoder.encode("NUMPY"), version, 0];
  return joined(magic, new Uint8Array(length.buffer), header, bytes);
}

const REMAINDERS = Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest >>> 0;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = REMAINDERS[(rest ^ byte) & 255] ^ (rest >>> 8);
  return ~rest >>> 0;
}

/**
 * A zip archive; `change` may spoil what the directory says of a file.
 * @param {Record<string, Uint8Array>} files
 * @param {{deflate?: boolean, change?: (entry: Record<string, number>) => void}} [options]
 */
export function zip(files, { deflate = false, change = () => {} } = {}) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [path, data] of Object.entries(files)) {
    const name = encoder.encode(path);
    const body = deflate ? new Uint8Array(deflateRawSync(data)) : data;
    const entry = {
      flags: 0,
      method: deflate ? 8 : 0,
      crc: crc32(data),
      packed: body.length,
      size: data.length,
      at,
    };
    change(entry);
    const local = new DataView(new ArrayBuffer(30));
    local.setUint32(0, 0x04034b50, true);
    local.setUint16(26, name.length, true);
    parts.push(new Uint8Array(local.buffer), name, body);
    at += 30 + name.length + body.length;
    const row = new DataView(new ArrayBuffer(46));
    row.setUint32(0, 0x02014b50, true);
    row.setUint16(8, entry.flags, true);
    row.setUint16(10, entry.method, true);
    row.setUint32(16, entry.crc, true);
    row.setUint32(20, entry.packed, true);
    row.setUint32(24, entry.size, true);
    row.setUint16(28, name.length, true);
    row.setUint32(42, entry.at, true);
    directory.push(new Uint8Array(row.buffer), name);
  }
  const rows = joined(...directory);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, directory.length / 2, true);
  end.setUint16(10, directory.length / 2, true);
  end.setUint32(12, rows.length, true);
  end.setUint32(16, at, true);
  return joined(...parts, rows, new Uint8Array(end.buffer));
}
