// The strings of a NumPy array of objects, which are pickled. Nothing of the pickle is run or made: what it would call stands for
// nothing, and of all that it builds only strings and lists are kept. (The opcodes: Python's pickletools.)

const [MARK, NOTHING] = [Symbol("mark"), null];

/** @typedef {string | number | null | symbol | any[]} Value */

/**
 * @param {Uint8Array} bytes
 * @returns {any[] | null} strings, or lists of strings; null: it holds something else
 */
export function pickledStrings(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder();
  /** @type {Value[]} */
  const stack = [];
  /** @type {Value[]} */
  const memo = [];
  let at = 0;
  const number = (/** @type {number} */ size) => {
    let value = 0;
    for (let place = 0; place < size; place += 1) value += view.getUint8(at + place) * 256 ** place;
    at += size;
    return value;
  };
  const text = (/** @type {number} */ size) => {
    const length = number(size);
    if (at + length > bytes.length) throw new RangeError("cut short");
    at += length;
    return decoder.decode(bytes.subarray(at - length, at));
  };
  const line = () => {
    while (view.getUint8(at) !== 10) at += 1;
    at += 1;
  };
  const marked = () => stack.splice(stack.lastIndexOf(MARK)).slice(1);
  const list = () => /** @type {any[]} */ (stack[stack.length - 1]);
  /** @param {number} n */
  const tuple = (n) => stack.push(stack.splice(stack.length - n));
  /** By opcode. @type {Record<number, () => unknown>} */
  const codes = {
    128: () => number(1), // protocol
    149: () => number(8), // frame
    99: () => [line(), line(), stack.push(NOTHING)], // global
    147: () => stack.splice(-2, 2, NOTHING), // stack_global
    82: () => stack.splice(-2, 2, NOTHING), // reduce: a call, which is not made
    129: () => stack.splice(-2, 2, NOTHING), // newobj
    98: () => stack.splice(-2, 2, .../** @type {Value[]} */ ([stack.at(-1) ?? NOTHING])), // build: only the state is kept
    113: () => {
      memo[number(1)] = stack[stack.length - 1];
    },
    114: () => {
      memo[number(4)] = stack[stack.length - 1];
    },
    148: () => memo.push(stack[stack.length - 1]), // memoize
    104: () => stack.push(memo[number(1)]),
    106: () => stack.push(memo[number(4)]),
    75: () => stack.push(number(1)),
    77: () => stack.push(number(2)),
    74: () => stack.push(number(4) | 0),
    88: () => stack.push(text(4)),
    140: () => stack.push(text(1)),
    141: () => stack.push(text(8)),
    67: () => [text(1), stack.push(NOTHING)], // bytes
    66: () => [text(4), stack.push(NOTHING)],
    78: () => stack.push(NOTHING),
    136: () => stack.push(1),
    137: () => stack.push(0),
    40: () => stack.push(MARK),
    41: () => stack.push([]),
    93: () => stack.push([]),
    116: () => stack.push(marked()),
    133: () => tuple(1),
    134: () => tuple(2),
    135: () => tuple(3),
    97: () => {
      const value = stack.pop();
      list().push(value);
    },
    101: () => {
      const values = marked();
      list().push(...values);
    },
  };
  try {
    while (bytes[at] !== 46) {
      const code = codes[number(1)];
      if (!code) return null;
      code();
    }
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
  // the state of an array: its version, shape, dtype, order and values
  const state = stack[0];
  const values = Array.isArray(state) ? state[4] : null;
  return Array.isArray(values) && values.flat().every((value) => typeof value === "string")
    ? values
    : null;
}
