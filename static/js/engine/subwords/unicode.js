// Characters: those that readers see, and what later versions of Unicode added. A browser's tables are mostly newer than those of Python and of the `tokenizers` library,
// so a character that is a letter in the page may be an unknown sign on the server.

/** Letters and digits since Unicode 15, in the brackets of a regular expression. Python 3.11 has the tables of Unicode 14. */
export const SINCE_15 = /* @__PURE__ */ ranges(
  "88f c5c cdc 1c89-1c8a a7cb-a7cf a7d2 a7d4 a7da-a7dc a7f1 105c0-105f3 10940-10959 10d40-10d65 10d6f-10d85 10ec2-10ec7 " +
    "1123f-11240 11380-11389 1138b 1138e 11390-113b5 113b7 113d1 113d3 116d0-116e3 11bc0-11be0 11bf0-11bf9 11db0-11ddb " +
    "11de0-11de9 11f02 11f04-11f10 11f12-11f33 11f50-11f59 1342f 13441-13446 13460-143fa 16100-1611d 16130-16139 16d40-16d6c " +
    "16d70-16d79 16ea0-16eb8 16ebb-16ed3 16ff2-16ff6 187f8-187ff 18cff 18d09-18d1e 18d80-18df2 1b132 1b155 1ccf0-1ccf9 " +
    "1d2c0-1d2d3 1df25-1df2a 1e030-1e06d 1e4d0-1e4eb 1e4f0-1e4f9 1e5d0-1e5ed 1e5f0-1e5fa 1e6c0-1e6de 1e6e0-1e6e2 1e6e4-1e6e5 " +
    "1e6e7-1e6ed 1e6f0-1e6f4 1e6fe-1e6ff 2b739-2b73f 2cea2-2cead 2ebf0-2ee5d 31350-33479",
);

/** Punctuation and symbols since Unicode 15. */
export const SIGNS_SINCE_15 = /* @__PURE__ */ ranges(
  "1b4e-1b4f 1b7f 20c1 2427-2429 2b96 2ffc-2fff 31e4-31e5 31ef fbc3-fbd2 fd90-fd91 fdc8-fdce 10d6e 10d8e-10d8f " +
    "10ed0-10ed8 113d4-113d5 113d7-113d8 11b00-11b09 11be1 11f43-11f4f 16d6d-16d6f 1cc00-1ccef 1ccfa-1ccfc 1cd00-1ceb3 " +
    "1ceba-1ced0 1cee0-1cef0 1e5ff 1f6d8 1f6dc 1f774-1f77f 1f7d9 1f8b2-1f8bb 1f8c0-1f8c1 1f8d0-1f8d8 1fa54-1fa57 " +
    "1fa75-1fa77 1fa87-1fa8a 1fa8e-1fa8f 1faad-1faaf 1fabb-1fabf 1fac6 1fac8 1facd-1facf 1fada-1fadc 1fadf 1fae8-1faea " +
    "1faef 1faf7-1faf8 1fbcb-1fbef 1fbfa",
);

/** Combining marks since Unicode 15. */
export const MARKS_SINCE_15 = /* @__PURE__ */ ranges(
  "897 cf3 ece 1acf-1add 1ae0-1aeb 10d69-10d6d 10efa-10eff 11241 113b8-113c0 113c2 113c5 113c7-113ca 113cc-113d0 113d2 " +
    "113e1-113e2 11b60-11b67 11f00-11f01 11f03 11f34-11f3a 11f3e-11f42 11f5a 13440 13447-13455 1611e-1612f 1e08f 1e4ec-1e4ef " +
    "1e5ee-1e5ef 1e6e3 1e6e6 1e6ee-1e6ef 1e6f5",
);

/** Letters and marks since Unicode 17. The `tokenizers` library has the tables of Unicode 16. */
export const SINCE_17 = /* @__PURE__ */ ranges(
  "88f c5c cdc 1acf-1add 1ae0-1aeb a7ce-a7cf a7d2 a7d4 a7f1 10940-10959 10ec5-10ec7 10efa-10efb 11b60-11b67 11db0-11ddb " +
    "16ea0-16eb8 16ebb-16ed3 16ff2-16ff3 187f8-187ff 18d09-18d1e 18d80-18df2 1e6c0-1e6de 1e6e0-1e6f5 1e6fe-1e6ff 2b73a-2b73f " +
    "2cea2-2cead 323b0-33479",
);

// The bundler leaves out a table that a page does not use: making one does nothing else.

/** @param {string} codes hexadecimal, "88f a7ce-a7cf" */
function ranges(codes) {
  return codes.replace(/[0-9a-f]+/g, "\\u{$&}").replaceAll(" ", "");
}

const SEGMENTER = new Intl.Segmenter("und", { granularity: "grapheme" });
const ENOUGH = 256; // UTF-16 units

/**
 * The characters of a text as readers see them, one by one: a letter with its marks, a syllable of Devanagari, a family of emoji (UAX #29). The segmenter copies all of its text for each of them, so it gets little at a time; where
 * one character ends, whatever was before no longer matters.
 * @param {string} text
 */
export function* graphemes(text) {
  for (let [from, size] = [0, ENOUGH]; from < text.length; ) {
    const isLast = from + size >= text.length;
    const part = text.slice(from, from + size);
    const whole = isLast ? part : part.replace(/[\ud800-\udbff]$/, ""); // not half of a code point
    const found = Array.from(SEGMENTER.segment(whole), ({ segment }) => segment);
    const open = isLast ? "" : (found.pop() ?? ""); // it may go on
    yield* found;
    from += whole.length - open.length;
    size = found.length ? ENOUGH : 2 * size;
  }
}
