// Byte planes: all first bytes of numbers come first, then all second bytes, and so on, of which gzip makes less. Mirrors server/pages/export/packing.py.

import { DTYPES } from "./dtypes.js";
import { readHeader } from "./safetensors.js";
import { safetensorsParts } from "./safetensors-writer.js";

/**
 * The parts of a safetensors file with its widest numbers in byte planes, and the others as they are.
 * @param {Record<string, string>} metadata
 * @param {Map<string, import("./safetensors-writer.js").Stored>} tensors
 * @returns {Uint8Array<ArrayBuffer>[]}
 */
export function inPlanes(metadata, tensors) {
  const widths = Array.from(tensors.values(), ({ data }) => data.BYTES_PER_ELEMENT);
  const n_planes = Math.max(1, ...widths);
  const [start, ...numbers] = safetensorsParts(
    { ...metadata, byte_planes: String(n_planes) },
    tensors,
  );
  const wide = numbers.splice(0, widths.filter((width) => width === n_planes).length); // they come first
  const n = wide.reduce((sum, { length }) => sum + length, 0) / n_planes;
  const planes = new Uint8Array(n * n_planes);
  let at = 0;
  for (const bytes of wide)
    for (let from = 0; from < bytes.length; from += n_planes, at++)
      for (let plane = 0; plane < n_planes; plane++) planes[plane * n + at] = bytes[from + plane];
  return [start, planes, ...numbers];
}

/**
 * A safetensors file whose numbers follow one another again.
 * @param {ArrayBuffer} file whose metadata's `byte_planes` says how many bytes the numbers have that lie in planes; they come first
 * @returns {ArrayBuffer} the file itself if it has no planes
 */
export function outOfPlanes(file) {
  const { metadata, entries, start } = readHeader(file);
  const n_planes = Number(metadata.byte_planes ?? 1);
  if (n_planes === 1) return file;
  const ends = entries.map(([, { dtype, data_offsets }]) =>
    DTYPES[dtype].bytes === n_planes ? data_offsets[1] : 0,
  );
  const n = Math.max(...ends) / n_planes;
  const whole = new Uint8Array(file.slice(0));
  const planes = new Uint8Array(file, start);
  for (let plane = 0, from = 0; plane < n_planes; plane++)
    for (let to = start + plane; from < (plane + 1) * n; from++, to += n_planes)
      whole[to] = planes[from];
  return whole.buffer;
}
