// Reads server-sent events (WHATWG HTML, "Server-sent events") from a stream that comes in pieces. Not EventSource: it can send no header.

/**
 * @param {(name: string, data: any) => void} tell
 * @returns {(text: string) => void} to be given the pieces, which may end anywhere
 */
export function eventReader(tell) {
  let left = "";
  return (text) => {
    left += text;
    const blocks = left.split(/\r?\n\r?\n/);
    left = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split(/\r?\n/);
      const field = (/** @type {string} */ name) =>
        lines.filter((line) => line.startsWith(`${name}:`)).map((line) => textAfter(line));
      const data = field("data").join("\n");
      if (data) tell(field("event")[0] ?? "message", JSON.parse(data));
    }
  };
}

const textAfter = (/** @type {string} */ line) => line.slice(line.indexOf(":") + 1).trimStart();
