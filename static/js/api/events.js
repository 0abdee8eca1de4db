// The server-sent events of one answer, as they arrive. EventSource cannot POST.

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
    const complete = (rest + value).split("\n\n");
    rest = complete.pop() ?? "";
    for (const event of complete) yield fieldsOf(event);
  }
}

/** @param {string} event the lines of one event */
function fieldsOf(event) {
  const lines = event.split("\n");
  /** @param {string} name */
  const field = (name) =>
    lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ""))
      .join("\n");
  return { name: field("event") || "message", data: field("data") };
}
