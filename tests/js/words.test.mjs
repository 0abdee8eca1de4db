// What people read stands in the room words/, or in the words.js of a folder, so that another language is another table. The tables
// of state/ and sources/ hold the words of their rows.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import test from "node:test";
import { literalsIn } from "./literals.mjs";

const JS = join(import.meta.dirname, "../../static/js");
const ROOMS = [
  "api",
  "asking",
  "dom",
  "draw",
  "edit",
  "learn",
  "live",
  "numbers",
  "page",
  "panels",
  "views",
];

/** Two words beside each other, or a word beside a place of a template. */
const SENTENCE = /\p{L}{2,}[.,:;]? [\p{L}…]|[\p{L}…][.,:;]? \p{L}{2,}/u;
/** Code after which a string is shown or read out. */
const READ = new RegExp(
  [
    /\b(?:text|title|placeholder|label|legend|about): (?:[^,]*\? [^,]*: )?$/,
    /\.(?:textContent|title|placeholder|ariaLabel)\s*=\s*(?!=)[^=]*$/,
    /\bsetAttribute\(\s*"(?:aria-label|aria-roledescription|aria-valuetext|title|placeholder)",\s*$/,
    /\b(?:createTextNode|button|say|append|replaceChildren|Option)\($/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
/** Style sheets and markup have words, too. */
const MARKUP = /^(?:linear-gradient|url|rgb|var)\(|^</;
/** Code after which a string is a name for programs, as a column of a file is, or a message for their developers. */
const PLUMBING =
  /\b(?:columns = |csvTable\()\[[^;]*$|\b(?:class|className|font|d|role|mark|type|KIND|[xy]ref)(?::|\s*=)[^,]*$|\bclassList\.\w+\([^)]*$|\b(?:querySelector(?:All)?|closest|matches|need|matchMedia)\($|\bnew Error\($|\bconsole\.\w+\([^)]*$|\bdataset\.only = $|^\s*(?:import|export)\b/;

/** @param {string} source */
const sentencesIn = (source) =>
  literalsIn(source).filter(({ text, before }) => {
    if (PLUMBING.test(before) || MARKUP.test(text)) return false;
    return SENTENCE.test(text) || (READ.test(before) && /\p{L}/u.test(text));
  });

/** @param {string} path */
const foundIn = (path) =>
  sentencesIn(readFileSync(join(JS, path), "utf8")).map(
    ({ line, text }) => `${path}:${line} ${text}`,
  );

const modules = readdirSync(JS, { recursive: true })
  .map(String)
  .filter((path) => path.endsWith(".js"))
  .sort();
const roomOf = (path) => path.split("/")[0];
const isWords = (path) => roomOf(path) === "words" || basename(path) === "words.js";
const files = modules.filter((path) => ROOMS.includes(roomOf(path)) && !isWords(path));

test("what people read stands among the words", () => {
  assert.ok(files.length > 0);
  assert.deepEqual(files.flatMap(foundIn), []);
});

test("a sentence is one template: no piece of it stands in a place of another", () => {
  const pieces = modules
    .filter((path) => isWords(path) && path !== "words/python.js") // that one writes a program
    .flatMap((path) =>
      literalsIn(readFileSync(join(JS, path), "utf8"))
        .filter(({ text, inner }) => inner && /\p{L}/u.test(text))
        .map(({ line, text }) => `${path}:${line} ${text}`),
    );
  assert.deepEqual(pieces, []);
});

test("strings that people read are told from those of the program", () => {
  const shown = [
    'make("p", { class: "faint", text: "Nothing" });',
    'button.title = wide ? "wide" : "";',
    `root.setAttribute("aria-label", \`All \${n}\`);`,
    `say(\`\${n} heads\`);`,
    'const about = n / 2 /* "no" */ > 1 ? "two words" : /a "quoted" word/; // "a comment"',
    `\`M\${x} \${count(n, \`\${n} nested words\`)}\`;`,
  ];
  const plumbing = [
    'import { make } from "../../dom/dom.js";',
    'make("p", { class: wide ? "hint wide" : "hint" });',
    'root.querySelector("li a");',
    'throw new Error("No such view.");',
    `const path = \`M\${x} \${y}L\${x} \${y}\`;`,
    'store.update({ view: "heatmap" });',
  ];
  assert.deepEqual(
    shown.map((line) => sentencesIn(line).length),
    shown.map(() => 1),
  );
  assert.deepEqual(plumbing.flatMap(sentencesIn), []);
});
