import assert from "node:assert/strict";
import test from "node:test";
import { ApiError } from "../../static/js/api/errors.js";
import { canSplit, problemOf, recoveryOf, refusedIn } from "../../static/js/api/refusals.js";

const state = /** @type {any} */ ({ query: 3, token: 7, lacks: {}, matrix: "norms" });
/** @param {string | null} field @param {string} [code] */
const error = (field, code = "x") => new ApiError("No.", { field, code, status: 422 });
const unavailable = (/** @type {string} */ field) => error(field, "unavailable");
const bundle = [
  { name: "grid", request: { predict: null } },
  { name: "inside", request: { predict: null } },
  { name: "next", request: { predict: {} } },
  { name: "lens", request: { predict: null, analyse: { lens: {} } } },
];
const refused = (/** @type {ApiError} */ one) => refusedIn(one, bundle).map(({ name }) => name);

test("a link to a place or a token that is not there loses it, and nothing else", () => {
  for (const field of ["predict.position", "analyse.lens.position"]) {
    assert.deepEqual(recoveryOf(error(field), state), { query: null });
    assert.equal(recoveryOf(error(field), { ...state, query: null }), null);
  }
  for (const field of ["predict.tokens.0", "analyse.mute_effects.token"]) {
    assert.deepEqual(recoveryOf(error(field), state), { token: null });
  }
  assert.equal(recoveryOf(error("texts.0"), state), null);
});

test("what a model cannot give is done without, once", () => {
  for (const field of ["select.tensors", "parts.detail.tensors"]) {
    assert.deepEqual(recoveryOf(unavailable(field), state), {
      lacks: { norms: "No." },
      matrix: "pattern",
    });
  }
  assert.equal(recoveryOf(error("select.tensors"), state), null);
  const lens = recoveryOf(unavailable("analyse.lens"), state);
  assert.deepEqual(lens, { lacks: { lens: "No." }, matrix: "norms" });
  assert.equal(recoveryOf(unavailable("analyse.lens"), { ...state, lacks: { lens: "No." } }), null);
});

test("fewer edges are asked for where the server would run a text too often, once", () => {
  const options = { field: "analyse.paths.limit", code: "too_many_runs", limit: 32_768 };
  const tooMany = new ApiError("No.", { ...options, status: 422 });
  assert.deepEqual(recoveryOf(tooMany, { ...state, most_runs: null }), { most_runs: 32_768 });
  assert.equal(recoveryOf(tooMany, { ...state, most_runs: 32_768 }), null);
  const other = new ApiError("No.", { ...options, field: "analyse.mute_effects", status: 422 });
  assert.equal(recoveryOf(other, { ...state, most_runs: null }), null);
});

test("a refusal is of the questions that ask for what it names, else of all", () => {
  assert.deepEqual(refused(error("parts.inside.rows")), ["inside"]);
  assert.deepEqual(refused(error("predict.top_k")), ["next"]);
  assert.deepEqual(refused(error("analyse.lens.top_k")), ["lens"]);
  assert.equal(refused(error("texts.0")).length, 4);
  assert.equal(refused(error(null)).length, 4);
  assert.equal(refused(error("parts.gone.rows")).length, 4);
});

test("what is too much together is asked one by one, but not what is too much alone", () => {
  assert.ok(canSplit(error("parts", "answer_too_large"), bundle));
  assert.ok(!canSplit(error("parts", "answer_too_large"), bundle.slice(1, 2)));
  assert.ok(!canSplit(error("texts.0", "too_long"), bundle));
});

test("an expired password is not an error of the request", () => {
  assert.equal(problemOf(new ApiError("No.", { code: "too_expensive" })).code, "too_expensive");
  const closed = problemOf(new ApiError("Enter it.", { status: 401, retry: false }));
  assert.equal(closed.closed, true);
  assert.match(problemOf(new TypeError("cut off")).message, /could not be read: .*cut off/);
});
