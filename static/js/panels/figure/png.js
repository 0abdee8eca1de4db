// The resolution of a PNG, written into the file. PNG (third edition), 11.3.4.3: the chunk pHYs, in pixels per metre.

import { crc32 } from "../../files/zip.js";

const HEADER = 8 + 25; // bytes: the signature, and the chunk IHDR, which is always the first
const INCH = 0.0254; // metres

/**
 * @param {Uint8Array} png without a resolution, as a canvas gives it
 * @param {number} dpi
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function withDpi(png, dpi) {
  const chunk = new DataView(new ArrayBuffer(21));
  const body = new Uint8Array(chunk.buffer, 4, 13); // what the checksum covers: the name and the data
  chunk.setUint32(0, 9);
  body.set(new TextEncoder().encode("pHYs"));
  for (const at of [8, 12]) chunk.setUint32(at, Math.round(dpi / INCH));
  chunk.setUint8(16, 1); // the unit: metres
  chunk.setUint32(17, crc32(body));
  const written = new Uint8Array(png.length + 21);
  written.set(png.subarray(0, HEADER));
  written.set(new Uint8Array(chunk.buffer), HEADER);
  written.set(png.subarray(HEADER), HEADER + 21);
  return written;
}
