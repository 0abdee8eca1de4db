import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import {
  analyseOf,
  nbytes,
  read,
  SERVER_ONLY,
} from "../../../static/js/engine/answering/analyses.js";
import { maskSettings } from "../../../static/js/engine/masks/rules.js";
import { isNear, scored } from "./near.mjs";
import { shippedSource } from "./shipped.mjs";

const { answered } = JSON.parse(
  readFileSync(new URL("data/analyses.json", import.meta.url), "utf8"),
);

const shipped = shippedSource();
const CELL = { text: null, layer: null, head: null, query: null, key: null, kind: null };

/** The inputs that a request names. @param {{texts: string[], masks?: any, muted?: any[]}} request */
function inputsOf({ texts, masks = {}, muted = [] }) {
  const cells = (/** @type {object[]} */ list = []) => list.map((cell) => ({ ...CELL, ...cell }));
  const painted = { blocked: cells(masks.blocked), allowed: cells(masks.allowed) };
  return {
    texts,
    targets: null,
    pairs: null,
    masks: { ...maskSettings(), ...masks, ...painted },
    muted: muted.map(([layer, head]) => [layer, head, null]),
    generate: null,
    settings: null,
  };
}

/** What the engine answers, as data/analyses.json has it. @param {object} request */
function analysed(request) {
  const analyse = analyseOf(request.analyse);
  const inputs = inputsOf(request);
  const trace = shipped.trace(inputs);
  nbytes(trace, analyse, 4);
  const found = read(trace, analyse, { mutes: (asked) => shipped.muteEffects(inputs, asked) });
  for (const [name, value] of Object.entries(found)) if (value === null) delete found[name];
  for (const text of found.scores ?? []) text.heads = text.heads.map(scored);
  for (const text of found.mute_effects ?? []) {
    text.effects = text.effects.map(({ kind, layer, head, change, reason }) => [
      kind,
      layer,
      head,
      change,
      reason,
    ]);
  }
  return found;
}

for (const { request, answer, error } of answered) {
  test(`the analyses of the shipped model are the server's: ${JSON.stringify(request)}`, () => {
    if (answer) {
      isNear(analysed(request), answer);
    } else {
      assert.throws(() => analysed(request), error);
    }
  });
}

test("a request without analyses computes none", () => {
  const defaults = Object.values(analyseOf({}));
  assert.ok(defaults.every((value) => value === false || value === null));
  const trace = shipped.trace(inputsOf({ texts: ["a dog"] }));
  const found = read(trace, analyseOf({ specials: true }), {
    mutes: () => assert.fail("nothing is muted"),
  });
  assert.deepEqual(new Set(Object.values(found)), new Set([null]));
});

test("what the engine does not keep is said to need the server", () => {
  const trace = shipped.trace(inputsOf({ texts: ["a dog"] }));
  for (const { name } of SERVER_ONLY) {
    assert.throws(() => read(trace, analyseOf({ [name]: {} }), { mutes: () => [] }), {
      code: "unavailable",
      field: `analyse.${name}`,
      message: /needs .*from a Headlight server/,
    });
  }
});

test("null asks for the place or token that the model chooses", () => {
  const asked = { lens: { position: null }, mute_effects: { position: null, token: null } };
  const found = analyseOf(asked);
  assert.deepEqual(found.lens, { top_k: 5, position: null, tuned: false });
  assert.deepEqual(found.mute_effects, asked.mute_effects);
  assert.equal(analyseOf({ lens: null }).lens, null);
});

test("a quick analysis that is refused spares the slow ones", () => {
  const trace = shipped.trace(inputsOf({ texts: ["a dog"] }));
  const unread = { ...trace, sites: trace.sites.map(() => null) };
  const analyse = analyseOf({ scores: true, rollout: true, flow: true, lens: { position: 99 } });
  assert.throws(() => read(unread, analyse, { mutes: () => [] }), {
    field: "analyse.lens.position",
  });
});

test("a tuned lens needs a server", () => {
  const trace = shipped.trace(inputsOf({ texts: ["a dog"] }));
  for (const name of ["lens", "decided"]) {
    const analyse = analyseOf({ [name]: { tuned: true } });
    assert.throws(() => read(trace, analyse, { mutes: () => [] }), {
      field: `analyse.${name}.tuned`,
      message: /fitted on a server/,
    });
  }
});
