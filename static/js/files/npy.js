// A reader for .npy: a magic string, a version, a header that is a Python dict, then the numbers of one array.

import { DTYPES } from "./dtypes.js";
import { FileError } from "./errors.js";
import { pickledStrings } from "./pickled.js";

/** @import { Tensor } from "../types.d.ts" */
/** @typedef {{shape: number[], strings: any[]}} Strings an array of text, or of lists of it */

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // "\x93NUMPY"
const MAX_HEADER = 2 ** 20; // bytes

/** NumPy's names of number types, without the byte order. @type {Record<string, string>} */
const NUMBERS = {
  f2: "F16",
  f4: "F32",
  f8: "F64",
  b1: "BOOL",
  i1: "I8",
  i2: "I16",
  i4: "I32",
  i8: "I64",
  u1: "U8",
  u2: "U16",
  u4: "U32",
  u8: "U64",
};

/** Whether bytes begin as a .npy file does. @param {Uint8Array} bytes */
export const isNpy = (bytes) => MAGIC.every((byte, index) => bytes[index] === byte);

/**
 * @param {ArrayBuffer} buffer
 * @param {string} name for messages
 * @returns {(Tensor & {dtype: string}) | Strings}
 * @throws {FileError} if it is cut short, or holds anything but numbers and text
 */
export function readNpy(buffer, name) {
  const bytes = new Uint8Array(buffer);
  if (!isNpy(bytes)) throw new FileError(`${name} is not a NumPy array.`);
  const { descr, fortran, shape, start } = readHeader(buffer, name);
  const size = shape.reduce((a, b) => a * b, 1);
  if (/O/.test(descr)) {
    const strings = pickledStrings(bytes.subarray(start));
    if (strings) return { shape, strings };
    throw new FileError(
      `${name} holds Python objects, which are pickled: opening them could run any program, so they are refused. Save numbers as np.asarray(${name}, dtype="float32"), and text as np.asarray(${name}, dtype=str).`,
    );
  }
  const [, order, kind] = /^'([<>|=]?)([a-zA-Z]\d+)'$/.exec(descr) ?? [];
  const dtype = kind && Object.hasOwn(NUMBERS, kind) ? NUMBERS[kind] : null;
  const width = dtype ? DTYPES[dtype].bytes : textWidth(kind);
  if (width === null) {
    throw new FileError(
      `${name} has the NumPy dtype ${descr}; expected floats, integers, booleans or text.`,
    );
  }
  if (buffer.byteLength - start < size * width) {
    throw new FileError(
      `The file is cut short: ${name} has ${(buffer.byteLength - start).toLocaleString("en")} bytes, but its shape [${shape.join(", ")}] needs ${(size * width).toLocaleString("en")}.`,
    );
  }
  const data = buffer.slice(start, start + size * width);
  if (dtype === null) {
    const strings = texts(data, kind, order === ">");
    return { shape, strings: fortran ? inRows(strings, shape) : strings };
  }
  if (order === ">") swap(new Uint8Array(data), width);
  const numbers = DTYPES[dtype].read(data);
  return { shape, dtype, data: fortran ? inRows(numbers, shape) : numbers };
}

/** @param {ArrayBuffer} buffer @param {string} name */
function readHeader(buffer, name) {
  const view = new DataView(buffer);
  const short = () => new FileError(`The file is cut short: ${name} has no complete header.`);
  if (buffer.byteLength < 12) throw short();
  const version = view.getUint8(6);
  if (version < 1 || version > 3)
    throw new FileError(`${name} is in version ${version} of the .npy format; expected 1 to 3.`);
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const begin = version === 1 ? 10 : 12;
  if (length > MAX_HEADER) throw new FileError(`The header of ${name} is too long to be one.`);
  if (begin + length > buffer.byteLength) throw short();
  const header = new TextDecoder().decode(new Uint8Array(buffer, begin, length));
  const descr = /'descr'\s*:\s*('[^']*'|\[[^\]]*\])/.exec(header)?.[1];
  const fortran = /'fortran_order'\s*:\s*(True|False)/.exec(header)?.[1];
  const sizes = /'shape'\s*:\s*\(([\dL,\s]*)\)/.exec(header)?.[1];
  if (descr === undefined || fortran === undefined || sizes === undefined)
    throw new FileError(`The header of ${name} is damaged: it lacks the dtype or the shape.`);
  const shape = sizes.split(",").flatMap((n) => (n.trim() ? [Number.parseInt(n, 10)] : []));
  return { descr, fortran: fortran === "True", shape, start: begin + length };
}

/** The bytes of one text; null: it is not text. @param {string | undefined} kind "U12": characters of four bytes; "S12": bytes */
function textWidth(kind) {
  if (kind?.[0] === "U") return 4 * Number(kind.slice(1));
  return kind?.[0] === "S" ? Number(kind.slice(1)) : null;
}

/** @param {ArrayBuffer} data @param {string} kind @param {boolean} isBig whether the first byte is the highest */
function texts(data, kind, isBig) {
  const width = textWidth(kind) ?? 0;
  const view = new DataView(data);
  const decoder = new TextDecoder();
  return Array.from({ length: width ? data.byteLength / width : 0 }, (_, index) => {
    if (kind[0] === "S")
      return decoder.decode(new Uint8Array(data, index * width, width)).replace(/\0+$/, "");
    let text = "";
    for (let at = index * width; at < (index + 1) * width; at += 4) {
      const point = view.getUint32(at, !isBig);
      if (point) text += point <= 0x10ffff ? String.fromCodePoint(point) : "�";
    }
    return text;
  });
}

/** Reverse the bytes of each number. @param {Uint8Array} bytes @param {number} width */
function swap(bytes, width) {
  for (let at = 0; at < bytes.length; at += width) bytes.subarray(at, at + width).reverse();
}

/**
 * An array whose first index changes fastest (Fortran order), with the last changing fastest.
 * @template {string[] | Float32Array | Uint8Array} T
 * @param {T} values
 * @param {number[]} shape
 * @returns {T}
 */
function inRows(values, shape) {
  const found = values.slice();
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((a, b) => a * b, 1));
  const place = shape.map(() => 0);
  for (let i = 0; i < values.length; i++) {
    found[i] = values[place.reduce((at, index, axis) => at + index * strides[axis], 0)];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      place[axis] += 1;
      if (place[axis] < shape[axis]) break;
      place[axis] = 0;
    }
  }
  return /** @type {T} */ (found);
}
