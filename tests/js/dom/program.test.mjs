import assert from "node:assert/strict";
import test from "node:test";
import { document, page } from "./dom.mjs";

const { program } = await import("../../../static/js/learn/programs/program.js");
const { indented, newLine } = await import("../../../static/js/learn/programs/editor.js");

/** @type {Map<string, string>} */
const stored = new Map();
globalThis.localStorage = /** @type {any} */ ({
  getItem: (name) => stored.get(name) ?? null,
  setItem: (name, text) => stored.set(name, text),
});

const press = (element, key, more = {}) => {
  const { KeyboardEvent } = element.ownerDocument.defaultView;
  element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more }));
};

const { listProgress, mark } = await import("../../../static/js/learn/progress.js");

const NOTHING = { values: [], printed: "", histograms: [], error: null, checks: [] };
const WRONG = { about: "two rows", wrong: "Expected the shape [2]; got [3]." };

/** A figure of the template, and what the server says to each run. */
function shown({ told = {}, runs = true, answers = [] } = {}) {
  page("#x");
  const root = document.createElement("figure");
  root.innerHTML =
    "<figcaption>Add up.</figcaption><pre></pre><details><summary>A solution</summary></details>";
  document.body.append(root);
  const asked = [];
  globalThis.fetch = async (path, { body }) => {
    asked.push([path, JSON.parse(body).code]);
    const answer = answers.shift() ?? NOTHING;
    const ok = !(answer instanceof Error);
    const content = ok ? answer : { error: { code: "busy", message: answer.message, field: null } };
    return new Response(JSON.stringify(content), { status: ok ? 200 : 403 });
  };
  const code = "x = 1\ny = 2";
  const whole = { code, checked: false, hints: [], recorded: null, ...told };
  program(root, whole, { name: "add", slug: "sums", runs });
  const find = (selector) => root.querySelector(selector);
  const run = async () => {
    find(".program-run").click();
    for (let n = 0; n < 9; n++) await new Promise((done) => setTimeout(done));
  };
  return { root, find, run, asked, area: find("textarea"), status: find(".program-status") };
}
const texts = (root, selector) => [...root.querySelectorAll(selector)].map((e) => e.textContent);

test.beforeEach(() => stored.clear());

test("a run tells what each line made, what was printed, and how values are spread", async () => {
  const made = (line, name, shape, text, times = 1) => ({ line, name, shape, text, times });
  const answer = {
    ...NOTHING,
    values: [made(1, "q", [2, 3], null), made(1, "k", [2, 3], null, 4), made(2, "", null, "7")],
    printed: "hello\n",
    histograms: [{ line: 2, counts: [1, 3], edges: [0, 1, 2], mean: 1.25, std: 12 }],
  };
  const { root, find, run, asked, area } = shown({ answers: [answer] });
  area.value = "x = 3";
  await run();
  assert.deepEqual(asked, [["/api/lessons/sums/programs/add", "x = 3"]]);
  assert.deepEqual(texts(root, ".program-shapes code"), ["q [2, 3] · k [2, 3] ×4", "7"]);
  assert.equal(find(".program-printed").textContent, "hello\n");
  assert.equal(root.querySelectorAll("rect").length, 2);
  assert.equal(find("svg").getAttribute("aria-label"), "4 values: mean 1.250 ± 12.00");
  assert.equal(find(".program-wrong"), null);
});

test("the line at fault is marked until the program changes", async () => {
  const error = { line: 2, message: "NameError: name 'z' is not defined" };
  const { root, find, run, area, status } = shown({ answers: [{ ...NOTHING, error }] });
  await run();
  const editor = find(".program-editor");
  assert.equal(find(".program-wrong").textContent, `Line 2: ${error.message}`);
  assert.ok(editor.hasAttribute("data-wrong"));
  assert.equal(editor.style.getPropertyValue("--wrong"), "2");
  area.value += "\nz = 3";
  area.dispatchEvent(new document.defaultView.Event("input"));
  assert.ok(!editor.hasAttribute("data-wrong"));
  assert.equal(find(".program-numbers").textContent, "1\n2\n3");
  assert.match(status.textContent, /run it again/);
  assert.deepEqual(texts(root, ".program-shapes li"), []);
});

test("the solution is there after three tries, or once all checks agree", async () => {
  const wrong = { ...NOTHING, checks: [WRONG] };
  const right = { ...NOTHING, checks: [{ about: "two rows", wrong: null }] };
  const told = { checked: true };
  const tried = shown({ told, answers: [wrong, NOTHING, wrong, wrong, wrong] });
  await tried.run(); // what nobody has changed
  tried.area.value = "x = 2";
  await tried.run(); // it stopped before its checks
  for (const hidden of [true, true, false]) {
    assert.ok(tried.find("details").hidden);
    await tried.run();
    assert.equal(tried.find("details").hidden, hidden);
    assert.deepEqual(texts(tried.root, ".program-checks li"), [`two rows: ${WRONG.wrong}`]);
  }
  stored.clear();
  const solved = shown({ told, answers: [right] });
  await solved.run();
  assert.ok(!solved.find("details").hidden);
  assert.equal(solved.root.dataset.solved, "true");
  assert.equal(solved.find(".program-right").textContent, "All checks agree.");
});

test("what the reader wrote is there again, and can be put back", async () => {
  const first = shown();
  first.area.value = "mine = 1";
  first.area.dispatchEvent(new document.defaultView.Event("input"));
  const second = shown();
  assert.equal(second.area.value, "mine = 1");
  const again = second.find(".program-bar .quiet:not([hidden])");
  again.click();
  assert.equal(second.area.value, "x = 1\ny = 2");
  assert.equal(again.textContent, "Bring mine back");
  again.click();
  assert.equal(second.area.value, "mine = 1", "nothing is lost");
  again.click();
  assert.equal(shown().area.value, "x = 1\ny = 2");
});

test("what was got right is counted in the list of lessons", async () => {
  const right = { ...NOTHING, checks: [{ about: "two rows", wrong: null }] };
  const place = document.createElement("span");
  Object.assign(place.dataset, { lesson: "sums", tasks: "question/0,program/add" });
  listProgress([place]);
  assert.equal(place.textContent, "");
  await shown({ told: { checked: true }, answers: [right] }).run();
  listProgress([place]);
  assert.equal(place.textContent, "· 1 of 2 right");
  mark("sums", "question/0");
  mark("sums", "question/0");
  mark("sums", "question/9"); // which the lesson had once
  listProgress([place]);
  assert.equal(place.textContent, "· all right");
  stored.set("lesson/sums", "{");
  listProgress([place]);
  assert.equal(place.textContent, "");
});

test("what somebody else stored is not trusted", () => {
  for (const text of ["{", "null", "[]", '{"code": 3}']) {
    stored.set("program/sums/add", text);
    assert.equal(shown().area.value, "x = 1\ny = 2");
  }
});

test("hints come one by one", () => {
  const { root, find } = shown({ told: { hints: ["First.", "Second."] } });
  const hint = [...root.querySelectorAll(".program-bar button")][1];
  assert.equal(hint.textContent, "Hint 1 of 2");
  hint.click();
  assert.equal(hint.textContent, "Hint 2 of 2");
  hint.click();
  assert.deepEqual(texts(find(".program-hints"), "li"), ["First.", "Second."]);
  assert.ok(hint.hidden);
});

test("a refusal is told, and the program can be run again", async () => {
  const { find, run, status } = shown({ answers: [new Error("Many programs wait.")] });
  await run();
  assert.equal(status.textContent, "Many programs wait.");
  assert.ok(!find(".program-run").disabled);
  await run();
  assert.equal(status.textContent, "");
});

test("where programs are not run, a program can be read, or is shown as it was recorded", async () => {
  const off = shown({ runs: false });
  assert.ok(off.find(".program-run").hidden && off.area.readOnly);
  assert.match(off.status.textContent, /runs no programs/);
  assert.ok(!off.find("details").hidden);
  const recorded = { ...NOTHING, printed: "recorded\n" };
  const { find, run, asked, area } = shown({ told: { recorded } });
  await run();
  assert.deepEqual(asked, []);
  assert.ok(area.readOnly);
  assert.equal(find(".program-printed").textContent, "recorded\n");
});

test("Ctrl+Enter runs it, Tab indents, and after Escape Tab leaves the field", async () => {
  const { asked, area } = shown();
  press(area, "Enter", { ctrlKey: true });
  assert.equal(asked.length, 1);
  area.setSelectionRange(0, 0);
  press(area, "Tab");
  assert.equal(area.value, "    x = 1\ny = 2");
  press(area, "Tab", { shiftKey: true });
  assert.equal(area.value, "x = 1\ny = 2");
  press(area, "Escape");
  press(area, "Tab");
  assert.equal(area.value, "x = 1\ny = 2");
});

test("a selection is indented line by line, and the next line begins where it should", () => {
  const apply = (text, from, to, back) => {
    const edit = indented(text, from, to, back);
    return [text.slice(0, edit.start) + edit.text + text.slice(edit.end), edit.from, edit.to];
  };
  assert.deepEqual(apply("ab", 1, 1, false), ["a   b", 4, 4]);
  assert.deepEqual(apply("a\nb\n\nc", 0, 6, false), ["    a\n    b\n\n    c", 4, 18]);
  assert.deepEqual(apply("a\nb\nc", 0, 2, false), ["    a\nb\nc", 4, 6]);
  assert.deepEqual(apply("    a\n  b", 5, 9, true), ["a\nb", 1, 3]);
  assert.deepEqual(apply("  ab", 1, 1, true), ["ab", 0, 0]);
  assert.equal(newLine("def f():", 8), "\n    ");
  assert.equal(newLine("    if x:  # so", 15), "\n        ");
  assert.equal(newLine("    y = x[1:2]", 14), "\n    ");
});
