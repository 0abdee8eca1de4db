// Sentences of this folder, which the page and the Python client read: by the value that they are of, or "other".

/** @typedef {Readonly<Record<string, string>>} Words by the value as JSON has it, or by the number; `{n}` stands for that number */

/** @param {Words} words @param {unknown} value that of a list is its length */
export function said(words, value) {
  const n = String(Array.isArray(value) ? value.length : value);
  return (words[n] ?? words.other).replaceAll("{n}", n);
}
