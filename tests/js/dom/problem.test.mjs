import assert from "node:assert/strict";
import test from "node:test";
import { button, write } from "../../../static/js/dom/dom.js";
import { problemBox, tryAgain } from "../../../static/js/dom/problem.js";
import { Store } from "../../../static/js/state/store.js";
import { bold, listed, parts } from "../../../static/js/words/parts.js";
import { document } from "./dom.mjs";

/** A box, and how often each of its actions ran. @param {boolean} [protectedServer] */
function box(protectedServer = true) {
  const root = document.createElement("div");
  const store = new Store(/** @type {any} */ ({ status: "ready", problem: null }));
  const ran = { retry: 0, signIn: 0 };
  const count = (/** @type {"retry" | "signIn"} */ name) => () => {
    ran[name] += 1;
  };
  problemBox(root, store, {
    retry: count("retry"),
    ...(protectedServer ? { signIn: count("signIn") } : {}),
  });
  const again = root.querySelector("button");
  return { root, again, ran, fail: (/** @type {any} */ problem) => store.update({ problem }) };
}

test("a problem is shown with what can be done about it", () => {
  const { root, again, ran, fail } = box();
  assert.equal(root.hidden, true);
  fail({ message: "Too busy.", retry: true });
  assert.equal(root.hidden, false);
  assert.equal(root.querySelector("p").textContent, "Too busy.");
  assert.deepEqual([again.hidden, again.textContent], [false, "Try again"]);
  again.click();
  assert.deepEqual(ran, { retry: 1, signIn: 0 });
  fail({ message: "Too long.", retry: false, calm: true });
  assert.deepEqual([again.hidden, root.classList.contains("calm")], [true, true]);
  fail(null);
  assert.equal(root.hidden, true);
});

test("a problem with a code leads to what that means; the page's own has none", () => {
  const { root, fail } = box();
  const link = root.querySelector("a");
  fail({ message: "Too long.", retry: false, code: "too_many_tokens" });
  assert.deepEqual(
    [link.hidden, link.getAttribute("href")],
    [false, "/help/errors#too_many_tokens"],
  );
  fail({ message: "Cut off.", retry: true });
  assert.equal(link.hidden, true);
  fail({ message: "Closed.", retry: false, code: "password_required", closed: true });
  assert.equal(link.hidden, true);
});

test("a server that wants its password again is offered it, where the page can", () => {
  const closed = { message: "The password is needed.", retry: false, closed: true };
  const { again, ran, fail } = box();
  fail(closed);
  assert.deepEqual([again.hidden, again.textContent], [false, "Enter the password"]);
  again.click();
  assert.deepEqual(ran, { retry: 0, signIn: 1 });
  const lesson = box(false);
  lesson.fail(closed);
  assert.equal(lesson.again.hidden, true);
});

test("a button submits no form, and passes no event to what it does", () => {
  /** @type {any[]} */
  const calls = [];
  const one = button("Go", (...args) => calls.push(args), { class: "quiet", title: "Onward" });
  one.click();
  assert.deepEqual(calls, [[]]);
  assert.deepEqual([one.type, one.className, one.title], ["button", "quiet", "Onward"]);
  assert.equal(tryAgain(() => {}).textContent, "Try again");
});

test("places of a sentence are set in bold, and stay text", () => {
  const line = document.createElement("p");
  const numbers = listed([["…"], parts("weight {weight}", { weight: bold("0.25") })]);
  write(line, parts("token {token} of {n}: {numbers}", { token: bold("<i>"), n: 3, numbers }));
  assert.equal(line.textContent, "token <i> of 3: …, weight 0.25");
  assert.deepEqual(
    [...line.querySelectorAll("b")].map(({ textContent }) => textContent),
    ["<i>", "0.25"],
  );
});
