// The strings of a NumPy array of objects, which are pickled. Nothing of the pickle is run or made: what it would call stands for
// nothing, and of all that it builds only strings and lists are kept.

const MARK = Symbol("mark");

/**
 * The opcodes that NumPy and lists of strings need, with what they do and how many bytes follow (Python's pickletools).
 * @type {Record<number, [does: string, size?: number]>}
 */
const CODES = {
  128: ["skip", 1],
  149: ["skip", 8], // the protocol, a frame
  75: ["int", 1],
  77: ["int", 2],
  74: ["int", 4],
  136: ["none"],
  137: ["none"],
  78: ["none"],
  140: ["text", 1],
  88: ["text", 4],
  141: ["text", 8],
  67: ["bytes", 1],
  66: ["bytes", 4],
  113: ["put", 1],
  114: ["put", 4],
  148: ["memoize"],
  104: ["get", 1],
  106: ["get", 4],
  40: ["mark"],
  41: ["tuple", 0],
  133: ["tuple", 1],
  134: ["tuple", 2],
  135: ["tuple", 3],
  116: ["marked"],
  93: ["tuple", 0],
  97: ["append"],
  101: ["extend"],
  99: ["name"],
  147: ["call"],
  82: ["call"],
  129: ["call"],
  98: ["build"], // no call is made
};

/**
 * @param {Uint8Array} bytes
 * @returns {any[] | null} strings, or lists of strings; null: it holds something else
 */
export function pickledStrings(bytes) {
  const decoder = new TextDecoder();
  /** @type {any[]} */
  const stack = [];
  /** @type {any[]} */
  const memo = [];
  let at = 0;
  const number = (/** @type {number} */ size) => {
    let value = 0;
    for (let place = 0; place < size; place += 1) value += bytes[at + place] * 256 ** place;
    at += size;
    return value;
  };
  const text = (/** @type {number} */ size) => {
    const end = number(size) + at;
    const found = decoder.decode(bytes.subarray(at, end));
    at = end;
    return found;
  };
  const last = () => stack[stack.length - 1];
  const marked = () => stack.splice(stack.lastIndexOf(MARK)).slice(1);
  /** @type {Record<string, (size: number) => unknown>} */
  const does = {
    skip: number,
    int: (size) => stack.push(number(size)),
    none: () => stack.push(null),
    text: (size) => stack.push(text(size)),
    bytes: (size) => text(size) && stack.push(null),
    put: (size) => {
      memo[number(size)] = last();
    },
    memoize: () => memo.push(last()),
    get: (size) => stack.push(memo[number(size)]),
    mark: () => stack.push(MARK),
    tuple: (size) => stack.push(stack.splice(stack.length - size)),
    marked: () => stack.push(marked()),
    append: () => stack[stack.length - 2].push(stack.pop()),
    extend: () => {
      const values = marked();
      last().push(...values);
    },
    name: () => {
      at = bytes.indexOf(10, bytes.indexOf(10, at) + 1) + 1; // two lines
      stack.push(null);
    },
    call: () => stack.splice(-2, 2, null),
    build: () => stack.splice(-2, 2, last()), // only the state is kept
  };
  try {
    for (let code = number(1); code !== 46; code = number(1)) {
      if (at > bytes.length || !CODES[code]) return null;
      const [what, size = 0] = CODES[code];
      does[what](size);
    }
  } catch (error) {
    if (error instanceof TypeError) return null; // what is built is not what it says
    throw error;
  }
  const values = stack[0]?.[4]; // of the state of an array: its version, shape, dtype, order and values
  const isText = Array.isArray(values) && values.flat().every((one) => typeof one === "string");
  return isText ? values : null;
}
