// Server-sent events (WHATWG HTML, "Server-sent events"), as they arrive. EventSource can neither POST nor send a header.

/**
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{name: string, data: string}>}
 */
export async function* eventsOf(body) {
  const reader = body.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const complete = (rest + value).split(/\r?\n\r?\n/);
    rest = complete.pop() ?? "";
    yield* complete.map(fieldsOf).filter(({ data }) => data !== ""); // the others keep a connection open
  }
}

/** @param {string} event the lines of one event */
function fieldsOf(event) {
  const lines = event.split(/\r?\n/);
  /** @param {string} name */
  const field = (name) =>
    lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ""))
      .join("\n");
  return { name: field("event") || "message", data: field("data") };
}
