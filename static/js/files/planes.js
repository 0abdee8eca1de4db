// Byte planes: all first bytes of numbers come first, then all second bytes, and so on, of which gzip makes less. model/planes.py writes
// them.

import { DTYPES } from "./dtypes.js";
import { readHeader } from "./safetensors.js";

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
