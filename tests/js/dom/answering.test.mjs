import assert from "node:assert/strict";
import test from "node:test";
import { click, document } from "./dom.mjs";

const { numberIn } = await import("../../../static/js/learn/answering.js");
const { question } = await import("../../../static/js/learn/questions.js");

/** A question on the page. @param {string} fields @param {object} right @param {string} [reasons] */
function asked(fields, right, reasons = "") {
  const root = document.createElement("section");
  root.innerHTML = `<fieldset>${fields}</fieldset><button type="button" data-reveal hidden>Reveal</button>
    <details class="answer"><summary>Answer</summary><p><b>It</b> Because.</p>${reasons}</details>`;
  document.body.replaceChildren(root);
  /** @type {string[]} */
  const seen = [];
  question(
    root,
    { answer: null, number: null, within: 0, ...right },
    {
      reveal: (verdict) => seen.push(verdict),
      right: () => seen.push("counted"),
      clear: () => seen.push("cleared"),
    },
  );
  const said = () => root.querySelector(".verdict")?.textContent;
  return { root, seen, said };
}

test("a wrong option is told why it is wrong, and then what is right", () => {
  const options = ["a", "b", "c"].map(
    (name, at) => `<label><input type="radio" name="q" value="${at}">${name}</label>`,
  );
  const reasons = `<ul><li data-wrong="0"><span>a</span> Not a, because.</li><li data-wrong="2"><span>c</span> Nor c.</li></ul>`;
  const { root, seen, said } = asked(options.join(""), { answer: 1 }, reasons);
  click("button", "Reveal");
  assert.equal(said(), "Give an answer first: a guess is enough.");
  const [first, second] = root.querySelectorAll("input");
  first.checked = true;
  click("button", "Reveal");
  assert.equal(said(), "Not quite. Not a, because.It Because.");
  second.checked = true;
  second.dispatchEvent(new document.defaultView.Event("change", { bubbles: true }));
  click("button", "Reveal");
  assert.equal(said(), "Right. It Because.");
  assert.deepEqual(seen, ["Not quite.", "cleared", "counted", "Right."]);
});

test("a number is right within its tolerance, with a comma or a point", () => {
  const { root, said } = asked(`<label><input type="text"></label>`, {
    number: -0.97,
    within: 0.05,
  });
  const field = root.querySelector("input");
  for (const [typed, told] of [
    ["", "Give an answer first"],
    ["about one", "Give an answer first"],
    ["-0,95", "Right."],
    ["−1.0", "Right."],
    ["0.97", "Not quite."],
    ["-1.03", "Not quite."],
  ]) {
    field.value = typed;
    click("button", "Reveal");
    assert.ok(said()?.startsWith(told), `${typed}: ${said()}`);
  }
  assert.deepEqual(["1e-3", ".5", "0.97.", "≈ 1", "1.2.3", "Infinity"].map(numberIn), [
    0.001,
    0.5,
    0.97,
    1,
    null,
    null,
  ]);
});

test("parts are put in order with their buttons, and the focus stays on the button", () => {
  const parts = [1, 0, 2].map(
    (place) => `<li data-place="${place}"><span class="step">p${place}</span></li>`,
  );
  const { root, said } = asked(`<ol class="order">${parts.join("")}</ol>`, {});
  click("button", "Reveal");
  assert.match(said() ?? "", /^Give an answer first/, "as it stands it is nobody's answer");
  root.querySelector('[aria-label="Move down: p0"]').click();
  click("button", "Reveal");
  assert.match(said() ?? "", /^Not quite\./);
  assert.equal(root.querySelectorAll(".order .right").length, 0);
  root.querySelector('[aria-label="Move up: p0"]').click();
  const up = root.querySelector('[aria-label="Move up: p0"]');
  up.click();
  assert.equal(said(), "", "another order is another answer");
  assert.equal(document.activeElement, up);
  up.click(); // it is the first already
  click("button", "Reveal");
  assert.match(said() ?? "", /^Right\./);
});
