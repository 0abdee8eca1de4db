// Characters as readers see them: a letter with its marks, a syllable of Devanagari, a family of emoji (UAX #29).

const SEGMENTER = new Intl.Segmenter("und", { granularity: "grapheme" });
const ENOUGH = 256; // UTF-16 units

/**
 * The characters of a text, one by one. The segmenter copies all of its text for each of them, so it gets little at a time; where
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
