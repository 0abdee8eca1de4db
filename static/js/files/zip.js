// A reader for zip archives, as .npz files are: the directory at the end, then one file at a time.

import { FileError } from "./errors.js";

/** @typedef {{name: string, method: number, crc: number, packed: number, size: number, at: number, encrypted: boolean}} Entry */

const DIRECTORY = 0x02014b50;
const END = 0x06054b50;
const LOCAL = 0x04034b50;
const LONGEST_END = 22 + 0xffff; // bytes: with the longest comment
const ELSEWHERE = 0xffffffff; // a number that stands in a zip64 record, for archives past 4 GB
const [STORED, DEFLATED] = [0, 8];

/** Whether bytes begin as a zip archive does. @param {Uint8Array} bytes */
export const isZip = (bytes) => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] < 8;

/**
 * The files of an archive.
 * @param {Blob} blob
 * @returns {Promise<Entry[]>}
 * @throws {FileError} if it is cut short or damaged
 */
export async function zipEntries(blob) {
  const begin = Math.max(0, blob.size - LONGEST_END);
  const tail = new DataView(await blob.slice(begin).arrayBuffer());
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1;
  if (end < 0)
    throw new FileError("The file is cut short: the directory of the archive is missing.");
  const [count, size, at] = [
    tail.getUint16(end + 10, true),
    tail.getUint32(end + 12, true),
    tail.getUint32(end + 16, true),
  ];
  const damaged = new FileError("The archive is damaged: its directory is not where it should be.");
  if (at + size > begin + end) throw damaged;
  const directory = new DataView(await blob.slice(at, at + size).arrayBuffer());
  const entries = [];
  for (let from = 0; entries.length < count; ) {
    if (from + 46 > directory.byteLength || directory.getUint32(from, true) !== DIRECTORY)
      throw damaged;
    const lengths = [28, 30, 32].map((field) => directory.getUint16(from + field, true));
    const name = new Uint8Array(
      directory.buffer,
      from + 46,
      Math.min(lengths[0], size - from - 46),
    );
    entries.push({
      name: new TextDecoder().decode(name),
      encrypted: (directory.getUint16(from + 8, true) & 1) === 1,
      method: directory.getUint16(from + 10, true),
      crc: directory.getUint32(from + 16, true),
      packed: directory.getUint32(from + 20, true),
      size: directory.getUint32(from + 24, true),
      at: directory.getUint32(from + 42, true),
    });
    from += 46 + lengths[0] + lengths[1] + lengths[2];
  }
  return entries;
}

/**
 * One file of an archive, unpacked. It stops as soon as there is more than the directory says.
 * @param {Blob} blob
 * @param {Entry} entry
 * @returns {Promise<ArrayBuffer>}
 * @throws {FileError} if it is damaged, encrypted, or packed in a way that is not read here
 */
export async function unzip(blob, { name, method, crc, packed, size, at, encrypted }) {
  if (encrypted) throw new FileError(`${name} is encrypted. Save the archive without a password.`);
  if (method !== STORED && method !== DEFLATED) {
    throw new FileError(
      `${name} is compressed by a method that browsers do not know (${method}). Save it with np.savez or np.savez_compressed.`,
    );
  }
  if ([packed, size, at].includes(ELSEWHERE))
    throw new FileError(`${name} is too large: archives past 4 GB are not read.`);
  const local = new DataView(await blob.slice(at, at + 30).arrayBuffer());
  if (local.byteLength < 30 || local.getUint32(0, true) !== LOCAL)
    throw new FileError(`The archive is damaged: ${name} is not where its directory says.`);
  const begin = at + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  if (begin + packed > blob.size)
    throw new FileError(`The file is cut short: ${name} is incomplete.`);
  const stream = blob.slice(begin, begin + packed).stream();
  const bytes = await taken(
    method === STORED ? stream : stream.pipeThrough(new DecompressionStream("deflate-raw")),
    name,
    size,
  );
  if (crc32(bytes) !== crc) throw new FileError(`${name} is damaged: its checksum is wrong.`);
  return bytes.buffer;
}

/** @param {ReadableStream<Uint8Array>} stream @param {string} name @param {number} size what the directory says */
async function taken(stream, name, size) {
  const bytes = new Uint8Array(size);
  const reader = stream.getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new FileError(`${name} is damaged: it cannot be unpacked.`);
    });
    if (done) break;
    if (at + value.length > size) {
      reader.cancel().catch(() => {}); // the stream may have failed, too
      throw new FileError(`${name} is damaged: it holds more than its directory says.`);
    }
    bytes.set(value, at);
    at += value.length;
  }
  if (at < size) throw new FileError(`${name} is damaged: it holds less than its directory says.`);
  return bytes;
}

const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** The checksum of zip. @param {Uint8Array} bytes */
export function crc32(bytes) {
  let rest = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) rest = REMAINDERS[(rest ^ bytes[i]) & 255] ^ (rest >>> 8);
  return ~rest >>> 0;
}
