// Composition as arcs on the map: which are drawn, from where to where, and what is said of them.

import assert from "node:assert/strict";
import test from "node:test";
import { compositionRequest } from "../../static/js/asking/requests.js";
import { arcOf } from "../../static/js/draw/map/arcs.js";
import { headIn, linkName } from "../../static/js/numbers/composition/words.js";
import { linksIn, MAX_LINKS, OWN } from "../../static/js/views/map/links.js";

const site = (name, kind, layer, n_heads) => ({ name, kind, layer, n_heads });
const SITES = [site("layers.0", "self", 0, 5), site("layers.1", "self", 1, 7)];
const model = { name: "m", sites: SITES };
const place = (id, x, y) => ({ id, x, y, width: 30, height: 20 });
const row = (layer, n) =>
  Array.from({ length: n }, (_, head) =>
    place(`head:self:${layer}:${head}`, 40 * head, 100 * layer),
  );
const PLACES = [...row(0, 5), ...row(1, 7)];
/** Earlier head i, later head j: 10 i + j + 1, and into head 6 as many thousandths, below 0. */
const K = Array.from({ length: 5 }, (_, i) =>
  Array.from({ length: 7 }, (_, j) => (j === 6 ? -(10 * i + j + 1) / 1000 : 10 * i + j + 1)),
);
const pairs = (k) => [{ earlier: "layers.0", later: "layers.1", q: k, k, v: null }];
const trace = {
  model: "m",
  composition: [{ pairs: pairs(K), wholes: [{ site: "layers.1", head: 3, lift: 90, output: 1 }] }],
  weight_composition: { pairs: pairs(K), baseline: 44 },
};
const state = {
  model: "m",
  models: [model],
  view: "map",
  arcs: "k",
  measured: "text",
  shown: 0,
  kind: "self",
  layer: 1,
  head: 6,
  composition: { status: "ready", problem: null, answer: { trace } },
};
const of = (more, places = PLACES) => linksIn({ ...state, ...more }, model, places);
const ends = (links) => links.map(({ from, to }) => [from.id.slice(10), to.id.slice(10)]);

test("the strongest of all are drawn, and the strongest that the selected head reads", () => {
  const links = of({});
  assert.equal(links.length, MAX_LINKS + OWN);
  // by hand: 46, 45, 44, … from head 4, then 36, 35, … from head 3, 26, … from head 2
  assert.deepEqual(ends(links).slice(0, 3), [
    ["0:4", "1:5"],
    ["0:4", "1:4"],
    ["0:4", "1:3"],
  ]);
  assert.deepEqual(ends(links).slice(MAX_LINKS), [
    ["0:4", "1:6"],
    ["0:3", "1:6"],
    ["0:2", "1:6"],
    ["0:1", "1:6"],
  ]);
  assert.equal(links[0].strength, 1);
  assert.ok(Math.abs(links[MAX_LINKS].strength + 0.047 / 46) < 1e-9);
  assert.deepEqual(
    links.map(({ isOwn }) => isOwn),
    links.map((_, at) => at >= MAX_LINKS),
  );
  assert.equal(of({ head: 3 }).length, MAX_LINKS + 1); // 44, 34 and 24 are among the strongest
});

test("an arc is told in one line, and in a sentence", () => {
  const link = of({}).find(({ to, from }) => to === PLACES[5 + 3] && from === PLACES[4]);
  assert.equal(link.name, "L0·H4 → L1·H3 through K: 44.00");
  assert.match(link.told, /^L1·H3 reads L0·H4 through its keys: .* by 44\.00, of 90\.00 in all\.$/);
  assert.deepEqual([link.site.layer, link.head], [1, 3]);
  const cell = { earlier: { site: "encoder.layers.1", head: 2 }, value: -0.125, through: "v" };
  const later = { site: "decoder.layers.2.cross", head: 0 };
  assert.equal(linkName({ ...cell, later }, false), "enc L1·H2 → cross L2·H0 through V: −12.50%");
  assert.equal(linkName({ ...cell, later }, true), "enc L1·H2 → cross L2·H0 through V: −0.13");
  assert.equal(headIn("decoder.layers.2.self", 1), "dec L2·H1");
});

test("from weights, what chance gives or less is not an arc", () => {
  assert.deepEqual(ends(of({ measured: "weights" })), [
    ["0:4", "1:5"],
    ["0:4", "1:4"],
  ]); // 46 and 45; 44 is what chance gives
  assert.match(of({ measured: "weights" })[0].told, /: 46\.00, where chance gives 44\.00\.$/);
});

test("in a folded layer an arc leaves from the box of the layer", () => {
  const folded = [place("heads:self:0", 0, 0), ...row(1, 7)];
  const links = of({}, folded);
  assert.deepEqual(new Set(links.map(({ from }) => from)), new Set([folded[0]]));
});

test("without an answer of this model nothing is drawn", () => {
  assert.equal(of({ arcs: "off" }), null);
  assert.equal(of({ composition: null }), null);
  assert.equal(of({ composition: { ...state.composition, problem: { message: "no" } } }), null);
  assert.equal(linksIn(state, { ...model, name: "other" }, PLACES), null);
  assert.deepEqual(of({ arcs: "v" }), []); // of another stack
});

test("an arc leads from the bottom of a head to the top of another, and is as wide as it is strong", () => {
  const [from, to] = [place("a", 0, 10), place("b", 400, 90)];
  const { d, line } = arcOf(from, to, -0.5);
  const [x1, y1, , , , , x2, y2] = d.match(/[\d.]+/g).map(Number);
  assert.deepEqual([y1, y2], [30, 90]);
  assert.ok(x1 > 15 && x1 < 30 && x2 > 400 && x2 < 415); // towards each other, inside the boxes
  assert.ok(arcOf(from, to, 1).line > line && line > arcOf(from, to, 0.1).line);
});

test("the map asks for composition only while it draws arcs", () => {
  const ready = { name: "m", state: "ready" };
  const choice = { model: "m", texts: ["a"], targets: [], pairs: null, masks: {}, muted: [] };
  const asked = (more, traits = {}) =>
    compositionRequest({ ...state, ...choice, ...more }, { ...ready, ...traits });
  assert.deepEqual(asked({}).analyse, { composition: true, weight_composition: true });
  assert.equal(asked({ arcs: "off" }), null);
  assert.equal(asked({ view: "lines" }), null);
  assert.ok(asked({ view: "paths", arcs: "off" }));
  assert.equal(asked({}, { lacks: "it gives patterns only" }), null);
});
