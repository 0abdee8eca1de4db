// Errors have the server's codes and statuses; slices report to the innermost caller.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CheckpointError,
  InputError,
  LimitError,
  NumericsError,
  TextError,
  UnavailableError,
} from "../../../static/js/engine/errors.js";
import { endSlice, sliced } from "../../../static/js/engine/slices.js";

test("an error has the code and status of its class, unless it is given a code", () => {
  const of = (Kind, details) => {
    const error = new Kind("why", details);
    return [error.message, error.code, error.field, error.limit, error.status];
  };
  assert.deepEqual(of(InputError), ["why", "invalid_input", null, null, 422]);
  assert.deepEqual(of(TextError, { field: "texts" }), ["why", "invalid_text", "texts", null, 422]);
  assert.deepEqual(of(LimitError, { limit: 8 }), ["why", "limit_exceeded", null, 8, 422]);
  assert.deepEqual(of(UnavailableError), ["why", "unavailable", null, null, 422]);
  assert.deepEqual(of(CheckpointError), ["why", "bad_checkpoint", null, null, 503]);
  assert.deepEqual(of(NumericsError), ["why", "not_finite", null, null, 500]);
  assert.deepEqual(of(InputError, { code: "unknown_model" }).slice(1), [
    "unknown_model",
    null,
    null,
    404,
  ]);
  assert.ok(new LimitError("") instanceof InputError);
});

test("slices report to their caller, which may stop the work", () => {
  const seen = [];
  endSlice(1, 2); // nobody listens
  const result = sliced(
    (done, total) => seen.push(`outer ${done}/${total}`),
    () => {
      endSlice(1, 3);
      sliced(
        (done) => seen.push(`inner ${done}`),
        () => endSlice(2, 3),
      );
      endSlice(3, 3);
      return "result";
    },
  );
  assert.equal(result, "result");
  assert.deepEqual(seen, ["outer 1/3", "inner 2", "outer 3/3"]);
  const stop = () => {
    throw new Error("stopped");
  };
  assert.throws(() => sliced(stop, () => endSlice()), /stopped/);
  endSlice(); // the callback is gone, although the work threw
});
