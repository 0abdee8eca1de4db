import assert from "node:assert/strict";
import test from "node:test";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { Store } from "../../../static/js/state/store.js";
import { shipped } from "../models.mjs";
import { click, document, press, texts } from "./dom.mjs";

const { activityPanel } = await import("../../../static/js/live/activities/panel.js");
const { markButton, markResults } = await import("../../../static/js/live/activities/questions.js");
const { ACTIVITIES } = await import("../../../static/js/live/activities/activities.js");

const VOTE = { text: "Which word?", choices: ["the cat", "<b>the mat</b>", "neither"] };
const DRAWING = { text: "Draw.", tokens: ["the", "cat", "sat"], causal: true };
const BET = { text: "Bet.", layer: 1, head: 2, token: "mat", before: 0.43 };

/** A class's document with an activity. @param {string} kind @param {object} question @param {object} [more] */
const doc = (
  kind,
  question,
  { frozen = false, role = "participant", mine = {}, ...more } = {},
) => ({
  role,
  frozen,
  mine,
  choice: "",
  activity: { id: "a1", kind, phase: "open", round: 1, results: null, question, ...more },
});

/** A file of safetensors that holds only metadata. @param {object} metadata */
function safetensors(metadata) {
  const header = new TextEncoder().encode(JSON.stringify({ __metadata__: metadata }));
  const file = new Uint8Array(8 + header.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.length), true);
  file.set(header, 8);
  return file;
}

/** A panel, and what it sent. @param {object} [page] */
function panel({ refuse, ...page } = {}) {
  const root = document.createElement("section");
  document.body.replaceChildren(root);
  const sent = [];
  const send = async (...answer) => {
    if (refuse) throw new Error(refuse);
    sent.push(answer);
  };
  return { ...activityPanel(root, { store: null, send, ...page }), root, sent };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const said = () => texts(".class-said").at(-1);
const pressed = () => texts('[aria-pressed="true"]');

test("one tap votes, another one changes the vote, and the second round starts without it", async () => {
  const { show, sent } = panel();
  show(doc("vote", VOTE));
  assert.match(said(), /Which word\?/, "announced");
  click(".option", "the cat");
  await settled();
  assert.deepEqual(pressed(), ["the cat"]);
  click(".option", "<b>the mat</b>"); // text, and no markup
  await settled();
  assert.deepEqual(pressed(), ["<b>the mat</b>"]);
  assert.deepEqual(sent, [
    ["a1", "0", { choice: 0 }],
    ["a1", "0", { choice: 1 }],
  ]);
  show(doc("vote", VOTE, { round: 2, mine: { a1: { 1: { 0: { choice: 1 } } } } }));
  assert.deepEqual(pressed(), []);
  assert.match(said(), /again/);
});

test("who comes back finds the own answer", () => {
  const { show } = panel();
  show(doc("vote", VOTE, { mine: { a1: { 1: { 0: { choice: 2 } } } } }));
  assert.deepEqual(pressed(), ["neither"]);
});

test("nothing is sent while the class is frozen or the question is closed, and the reader knows why", async () => {
  const { show, sent } = panel();
  for (const [more, why] of [
    [{ frozen: true }, /stopped/],
    [{ phase: "closed" }, /closed/],
    [{ phase: "talk" }, /Talk about it/],
  ]) {
    show(doc("vote", VOTE, more));
    click(".option", "the cat");
    await settled();
    assert.match(said(), why);
  }
  assert.deepEqual(sent, []);
});

test("an answer that the server refuses is not shown as given", async () => {
  const { show } = panel({ refuse: "You are too fast." });
  show(doc("vote", VOTE));
  click(".option", "the cat");
  await settled();
  assert.deepEqual(pressed(), []);
  assert.equal(said(), "You are too fast.");
});

test("both rounds stand side by side once they are revealed, with the right answer marked", () => {
  const { show } = panel();
  const results = {
    rounds: [
      [3, 1, 0],
      [1, 3, 0],
    ],
    n: [4, 4],
    correct: 1,
  };
  show(doc("vote", VOTE, { phase: "revealed", round: 2, results }));
  assert.deepEqual(texts(".tally thead th").slice(1), [
    "Before the discussion",
    "After the discussion",
  ]);
  assert.deepEqual(texts(".tally tbody tr"), [
    "the cat3 · 75%1 · 25%",
    "<b>the mat</b> ✓ correct1 · 25%3 · 75%",
    "neither0 · 0%0 · 0%",
  ]);
  const shares = [...document.querySelectorAll(".tally .share")].map(({ style }) =>
    style.getPropertyValue("--share"),
  );
  assert.deepEqual(shares.slice(0, 4), ["0.75", "0.25", "0.25", "0.75"]);
  assert.equal(document.querySelector(".answering").hidden, true);
});

test("one's own answer and the reason for the right one stand beside the results", () => {
  const { show } = panel();
  show(doc("vote", { ...VOTE, why: "It fits." })); // as the teacher knows it
  assert.equal(document.querySelector(".class-why").hidden, true);
  const mine = { a1: { 1: { 0: { choice: 2 } } } };
  const results = { rounds: [[0, 0, 1]], n: [1], correct: null };
  show(doc("vote", { ...VOTE, why: "It fits." }, { phase: "revealed", results, mine }));
  assert.deepEqual(texts(".yours"), ["You answered: neither"]);
  assert.deepEqual(texts(".class-why"), ["It fits."]);
  show(doc("vote", VOTE, { phase: "revealed", results, mine }));
  assert.equal(document.querySelector(".class-why").hidden, true);
});

test("a head is submitted with the selected cell and the measured effect", async () => {
  const token = (text, id) => ({ text, id, padding: false, special: false });
  const tokens = [[token("the", 1), token(" cat", 2)]];
  const site = { name: "self.1", kind: "self", layer: 1, heads: [2] };
  const trace = { model: "shipped", tokens, target_tokens: null, predicted_at: [1] };
  const tensor = { shape: [1, 1, 2, 2], data: new Float32Array(4) };
  const detail = {
    trace: { ...trace, sites: [{ ...site, query_tokens: "tokens", key_tokens: "tokens" }] },
    tensors: new Map([
      ["self.1.pattern", tensor],
      ["self.1.blocked_by", { ...tensor, data: new Uint8Array(4) }],
    ]),
  };
  const texts0 = { texts: ["the cat"], targets: [], pairs: null, special_tokens: true };
  const store = new Store({
    model: "shipped",
    models: [shipped],
    detail,
    next: null,
    ...texts0,
    masks: OWN_MASKS,
    muted: [],
    kind: "self",
    layer: 1,
    head: 2,
    shown: 0,
    query: null,
    key: null,
    token: null,
    segments: "all",
    matrix: "pattern",
  });
  const bodies = [];
  globalThis.fetch = async (_, { body }) => {
    const { muted } = JSON.parse(body);
    bodies.push(muted);
    const predictions = [[{ id: 7, text: " mat", probability: muted.length ? 0.1 : 0.6 }]];
    return new Response(safetensors({ trace: JSON.stringify({ ...trace, predictions }) }));
  };
  const { show, sent } = panel({ store });
  show(doc("hunt", { text: "Find it." }));
  click("button", "Submit this head");
  await settled();
  assert.deepEqual([sent, bodies], [[], []], "without a cell there is no evidence");
  store.update({ query: 1, key: 0 });
  assert.match(texts(".evidence")[0], /Layer 1 · head 2.*“cat” → “the”/);
  click("button", "Submit this head");
  while (sent.length === 0) await settled();
  assert.deepEqual(bodies, [[], [[1, 2]]]);
  const [[, , find]] = sent;
  assert.deepEqual([find.layer, find.head, find.cell], [1, 2, [1, 0]]);
  assert.ok(Math.abs(find.effect + 50) < 1e-9, "from 60% to 10%");
});

test("a vote of nobody divides nothing by zero", () => {
  const { show } = panel();
  const results = { rounds: [[0, 0, 0]], n: [0], correct: null };
  show(doc("vote", VOTE, { phase: "revealed", results }));
  assert.deepEqual(texts(".results"), ["Nobody has answered."]);
});

test("a pattern is drawn by taps and by keys, without the blocked cells", async () => {
  const { show, sent, root } = panel();
  show(doc("drawing", DRAWING));
  assert.ok(root.hasAttribute("data-covers"), "the picture is the answer");
  click("button", "Send my drawing");
  await settled();
  assert.match(said(), /at least one/);
  click('[role="gridcell"]', "“cat” → “the”: nothing");
  click('[role="gridcell"]', "“cat” → “the”: a little");
  assert.equal(document.activeElement.getAttribute("aria-label"), "“cat” → “the”: some");
  press("ArrowDown");
  press("End");
  press("3");
  press(" "); // after a lot comes nothing
  press("3");
  press("ArrowUp"); // blocked above the diagonal
  assert.equal(document.activeElement.getAttribute("aria-label"), "“sat” → “sat”: a lot");
  click('[role="gridcell"]', "“the” → “cat”: blocked");
  click("button", "Send my drawing");
  await settled();
  assert.deepEqual(sent, [
    [
      "a1",
      "0",
      {
        cells: [
          [0, 0, 0],
          [2, 0, 0],
          [0, 0, 3],
        ],
      },
    ],
  ]);
  const submit = () => document.querySelector("button.main");
  assert.equal(submit().textContent, "Your drawing is in");
  click('[role="gridcell"]', "“cat” → “cat”: nothing");
  assert.equal(submit().textContent, "Send what I have changed");
  submit().click();
  await settled();
  assert.equal(submit().textContent, "Your drawing is in");
  assert.equal(sent.length, 2);
});

test("the average stands beside the truth and their difference, with the mistake marked in each", () => {
  const { show, root } = panel();
  const results = {
    n: 5,
    average: [
      [1, 0, 0],
      [0.5, 0.5, 0],
      [0, 0.25, 0.75],
    ],
    truth: [
      [1, 0, 0],
      [0.9, 0.1, 0],
      [0.6, 0.2, 0.2],
    ],
    difference: [
      [0, 0, 0],
      [-0.4, 0.4, 0],
      [-0.6, 0.05, 0.55],
    ],
    mistake: { query: 2, key: 0, share: 0.8, too: "little" },
    typical: [
      {
        cells: [
          [1, 0, 0],
          [1, 0, 0],
          [0, 0, 1],
        ],
        n: 3,
      },
      {
        cells: [
          [1, 0, 0],
          [0, 1, 0],
          [1, 0, 0],
        ],
        n: 2,
      },
    ],
  };
  show(doc("drawing", DRAWING, { phase: "revealed", results }));
  assert.ok(!root.hasAttribute("data-covers"));
  assert.deepEqual(texts(".mistake"), ["0", "60", "−60"]);
  assert.equal(document.querySelectorAll(".weights .blocked").length, 9);
  assert.deepEqual(texts(".mistake-said"), [
    "The most common mistake: 80% of you gave “sat” → “the” too little.",
  ]);
  assert.deepEqual(texts(".typical li"), ["3 of 5", "2 of 5"]);
  const truth = document.querySelectorAll(".mistake")[1].style;
  assert.deepEqual(
    ["--from", "--to", "--share"].map((name) => truth.getPropertyValue(name)),
    ["var(--seq-3)", "var(--seq-4)", "0.0%"],
    "0.6 of five steps",
  );
});

test("a bet begins at the probability before, and the model decides", async () => {
  const { show, sent } = panel();
  show(doc("bets", BET));
  const slider = document.querySelector("input[type=range]");
  assert.equal(texts("output")[0], "43% → ?");
  click("button", "Place my bet");
  await settled();
  assert.deepEqual(sent, [], "where the slider stands at first is nobody's bet");
  assert.equal(said(), "Move the slider first.");
  slider.value = "20";
  slider.dispatchEvent(new document.defaultView.Event("input"));
  assert.equal(texts("output")[0], "43% → 20%");
  click("button", "Place my bet");
  await settled();
  assert.deepEqual(sent, [["a1", "0", { after: 0.2 }]]);
  const results = {
    n: 3,
    bins: [0, 1, 2, 0, 0, 0, 0, 0, 0, 0],
    median: 0.2,
    truth: 0.12,
    closest: 1 / 3,
  };
  show(doc("bets", BET, { phase: "revealed", results }));
  assert.match(texts(".outcome")[0], /43% before, 12% with/);
  assert.deepEqual(texts("tr.marked th"), ["10–20% ✓ the model"]);
});

test("the finds of a hunt stand in the order of their arrival, the first right one named", () => {
  const { show } = panel();
  const find = {
    person: "p",
    layer: 0,
    head: 1,
    cell: [4, 2],
    effect: -3.21,
    right: false,
    after_s: 9.2,
  };
  const right = { layer: 2, head: 5, right: true, shown: true, after_s: 23.4 };
  const results = { n: 2, finds: [find, { ...find, ...right }], first: 1, evidence: 1 };
  show(doc("hunt", { text: "Find it." }, { phase: "revealed", results }));
  assert.deepEqual(texts(".finds tbody tr"), [
    "not this oneL0 · H14 → 2−3.2 points9 s",
    "✓ correctL2 · H54 → 2 ✓−3.2 points23 s",
  ]);
  assert.equal(
    texts(".results p")[1],
    "Right heads with a cell that shows what they do (✓): 1 of 1.",
  );
  assert.match(texts(".results p")[0], /layer 2 · head 5, after 23 s/);
});

test("many finds of a hunt are a picture of the heads with counts, and the right ones are marked", () => {
  const { show } = panel();
  const find = { person: "p", cell: [4, 2], effect: -3, after_s: 9 };
  const at = (/** @type {number} */ layer, /** @type {number} */ head, right = false) => ({
    ...find,
    layer,
    head,
    right,
  });
  const finds = [
    ...Array.from({ length: 6 }, () => at(1, 2, true)),
    ...[0, 1, 1].map((head) => at(0, head)),
  ];
  const question = {
    text: "Find it.",
    truth: [
      [1, 2],
      [2, 0],
    ],
  };
  show(
    doc("hunt", question, {
      phase: "revealed",
      results: { n: 9, finds, first: 0, evidence: null },
    }),
  );
  assert.deepEqual(texts(".hunt-grid tr"), ["012", "L012", "L16", "L2"]);
  const right = [...document.querySelectorAll(".hunt-grid .right")];
  assert.deepEqual(
    right.map(({ title }) => title),
    ["Layer 1 · head 2, which is right: 6 answers", "Layer 2 · head 0, which is right: 0 answers"],
  );
  assert.equal(right[0].style.getPropertyValue("--share"), "1");
  assert.deepEqual(texts(".results summary"), ["All 9, in the order of their arrival"]);
  assert.equal(texts(".finds tbody tr").length, 9);
});

test("the wall is live, and only the teacher opens a find for all", () => {
  const thumb = [
    [0, 255],
    [128, 0],
  ];
  const finds = [{ person: "p1", item: "f1", choice: "text=a", sentence: "Look!", thumb }];
  const live = { results: { finds } };
  const student = panel();
  student.show(doc("wall", { text: "What?" }, live));
  assert.deepEqual(texts(".wall p"), ["Look!"]);
  assert.equal(document.querySelectorAll(".wall button").length, 0);
  student.show(doc("wall", { text: "What?" }, { ...live, phase: "revealed" }));
  assert.equal(document.body.textContent.includes("Here is the answer."), false);
  const opened = [];
  const teacher = panel({ open: (choice) => opened.push(choice) });
  teacher.show(doc("wall", { text: "What?" }, { ...live, role: "teacher" }));
  click("button", "Open for all: Look!");
  assert.deepEqual(opened, ["text=a"]);
});

test("on the board people vote for the questions of others, and take their vote back", async () => {
  const { show, sent } = panel();
  const asked = [
    { id: "b".repeat(12), text: "Why √d?", ups: 2, person: "p2", item: "q1" },
    { id: "a".repeat(12), text: "Mine?", ups: 0, person: "p1", item: "q1" },
  ];
  const mine = { a1: { 1: { q1: { text: "Mine?" } } } };
  show(doc("board", { text: "Ask." }, { results: { asked }, mine }));
  assert.deepEqual(texts(".board li"), ["▲ 2Why √d?", "▲ 0Mine?"]);
  assert.equal(document.querySelectorAll(".board button").length, 1, "nobody votes for their own");
  const vote = document.querySelector("[data-up]");
  assert.equal(vote.getAttribute("aria-label"), "▲ 2 Vote for: Why √d?");
  vote.click();
  await settled();
  assert.deepEqual(sent.at(-1), ["a1", `up-${"b".repeat(12)}`, { up: "b".repeat(12) }]);
  show(doc("board", { text: "Ask." }, { results: { asked: [...asked] }, mine }));
  assert.equal(document.querySelector("[data-up]").getAttribute("aria-pressed"), "true");
  document.querySelector("[data-up]").click();
  await settled();
  assert.deepEqual(sent.at(-1), ["a1", `up-${"b".repeat(12)}`, null]);
});

test("who writes for all is told whether it waits, and when it is shown", async () => {
  const { show } = panel();
  const asked = [{ id: "b".repeat(12), text: "Why √d?", ups: 2, person: "p2", item: "q1" }];
  const board = (more = {}, { checks = true } = {}) =>
    show({ ...doc("board", { text: "Ask." }, { results: { asked }, ...more }), checks });
  const ask = async (/** @type {string} */ text) => {
    document.querySelector("input").value = text;
    click("button", "Ask it");
    await settled();
  };
  board();
  await ask("Mine?");
  assert.match(said(), /sees it first/);
  board({ results: { asked: [...asked] } });
  assert.match(said(), /sees it first/, "that of somebody else says nothing of mine");
  const mine = { id: "a".repeat(12), text: "Mine?", ups: 0, person: "p1", item: "q1" };
  board({ results: { asked: [...asked, mine] }, mine: { a1: { 1: { q1: { text: "Mine?" } } } } });
  assert.equal(said(), "Your teacher has shown it to all.");
  await ask("And mine?");
  board({ results: { asked: [...asked, mine] }, mine: { a1: { 1: { q1: { text: "Mine?" } } } } });
  assert.match(said(), /sees it first/, "the first is shown, the second waits");
  document.querySelector("[data-up]").click();
  await settled();
  assert.equal(said(), "Your vote counts.");
  board({}, { checks: false });
  await ask("At once?");
  assert.equal(said(), "All can see it. You can take it back.");
});

test("a question that is folded once it is revealed can be unfolded, and covers nothing", () => {
  const { show, root } = panel();
  show(doc("drawing", DRAWING));
  assert.ok(root.hasAttribute("data-covers"));
  const results = { n: 0, average: [], truth: [[1]], difference: [], mistake: null, typical: [] };
  const question = { ...DRAWING, tokens: ["the"] };
  show(doc("drawing", question, { phase: "revealed", results }));
  for (const said of ["Show the question", "Fold away"]) {
    document.querySelector(".fold").click();
    assert.equal(document.querySelector(".fold").textContent, said);
    assert.equal(document.querySelector(".fold").hidden, false);
    assert.ok(!root.hasAttribute("data-covers"));
  }
});

test("a vote without a right answer ends with what all answered, and one with it has an answer", () => {
  for (const [correct, words] of [
    [null, "Here is what all of you answered."],
    [1, "Here is the answer."],
  ]) {
    const { show } = panel();
    show(doc("vote", VOTE));
    const results = { rounds: [[1, 0, 0]], n: [1], correct };
    show(doc("vote", { ...VOTE, correct }, { phase: "revealed", results }));
    assert.equal(said(), words);
  }
});

test("the desk hides a find, and shows it again", () => {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const asked = [];
  const find = { person: "p1", item: "f2", choice: "", sentence: "Hm", thumb: null };
  const actions = { hide: (...what) => asked.push(what) };
  ACTIVITIES.wall.results(root, null, { finds: [find] }, actions);
  click("button", "Hide: Hm");
  ACTIVITIES.wall.results(root, null, { finds: [{ ...find, hidden: true }] }, actions);
  click("button", "Show to all: Hm");
  assert.deepEqual(asked, [
    ["p1", "f2", true],
    ["p1", "f2", false],
  ]);
});

test("the projector shows the choices and nothing to answer with", () => {
  const { show } = panel();
  show(doc("vote", VOTE, { role: "teacher" }));
  assert.deepEqual(texts(".class-options li"), VOTE.choices);
  assert.equal(document.querySelectorAll(".option").length, 0);
});

test("the panel goes with the activity, and a kind that is not known is not an error", () => {
  const { show, root } = panel();
  show(doc("vote", VOTE));
  assert.equal(root.hidden, false);
  show({ ...doc("vote", VOTE), activity: null });
  assert.equal(root.hidden, true);
  show(doc("chess", { text: "e4" }));
  assert.equal(root.hidden, true);
});

test("a place that is not understood is marked, with a note", async () => {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const sent = [];
  const spots = () => [
    { place: "inspector:plot", name: "The picture of the head" },
    { place: "inspector:masks", name: "The masks" },
  ];
  markButton(root, { send: async (...mark) => sent.push(mark), spots });
  click("button", "I do not understand this");
  assert.equal(document.activeElement.value, "inspector:plot");
  document.querySelector("select").value = "inspector:masks";
  document.querySelector("input").value = " why? ";
  const { Event } = document.defaultView;
  document.querySelector("form").dispatchEvent(new Event("submit", { cancelable: true }));
  await settled();
  const [[id, item, answer]] = sent;
  assert.deepEqual([id, answer], ["questions", { place: "inspector:masks", note: "why?" }]);
  assert.match(item, /^[a-z0-9-]{1,24}$/);
  assert.equal(document.querySelector("form").hidden, true);
  markResults(root, null, {
    places: { "inspector:masks": 1, "learn/scale#why": 3 },
    notes: [{ place: "inspector:masks", note: "why?" }],
  });
  assert.deepEqual(texts(".tally tbody tr"), ["Lesson “scale”: why3 · 75%", "The masks1 · 25%"]);
  assert.deepEqual(texts(".mark-notes li"), ["why?The masks"]);
});
