// Bytes as text that can stand in a page and can never be markup: gzip in base64. server/export/inside.py writes it, too.

const CHUNK = 3 * 2 ** 13; // bytes: three of them are four letters, and so many are arguments of one call

/**
 * @param {Blob} blob
 * @returns {Promise<string>}
 */
export async function packed(blob) {
  const bytes = new Uint8Array(await through(blob, new CompressionStream("gzip")));
  const parts = [];
  for (let at = 0; at < bytes.length; at += CHUNK)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK))));
  return parts.join("");
}

/**
 * @param {string} text
 * @returns {Promise<ArrayBuffer>} a new one each time, so that it can be transferred
 * @throws {Error} if it is damaged
 */
export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return through(new Blob([bytes]), new DecompressionStream("gzip"));
}

/** @param {Blob} blob @param {GenericTransformStream} stream @returns {Promise<ArrayBuffer>} */
const through = (blob, stream) =>
  new Response(blob.stream().pipeThrough(/** @type {any} */ (stream))).arrayBuffer();
