// The page for training by hand: what the form asks for, what the address says, and how a run is followed and told.

import assert from "node:assert/strict";
import test from "node:test";
import { ApiError } from "../../../static/js/api/errors.js";
import { click, document, texts } from "./dom.mjs";

const { Form } = await import("../../../static/js/train/form.js");
const { byLane, follow } = await import("../../../static/js/train/follow.js");
const { runView } = await import("../../../static/js/train/run.js");

const NETWORK = {
  n_layers: 2,
  n_heads: 1,
  d_mlp: 64,
  positions: "learned",
  causal: true,
  seed: 1,
  steps: 500,
};
const TASKS = ["copy", "induction"].map((id, at) => ({
  id,
  name: id,
  about: `About ${id}.`,
  example: "ab>ab",
  asked: [3, 4],
  chance: 0.125,
  goal: 0.95,
  settings: { ...NETWORK, n_heads: 1 + at },
}));
const SETTINGS = [
  { name: "n_layers", options: [], kind: "whole", limits: [1, 4] },
  { name: "n_heads", options: [], kind: "whole", limits: [1, 8] },
  { name: "positions", options: ["none", "learned"], kind: "names", limits: null },
  { name: "causal", options: [], kind: "flag", limits: null },
];

/** The form on a page of that address. @param {string} [query] */
function formed(query = "") {
  document.body.innerHTML =
    '<form><div id="train-task"></div><div id="train-network"></div></form>';
  const root = document.querySelector("form");
  const known = { enabled: true, tasks: TASKS, settings: SETTINGS };
  return new Form(
    /** @type {any} */ (root),
    /** @type {any} */ (known),
    new URLSearchParams(query),
  );
}
const own = { n_layers: 2, n_heads: 2, positions: "learned", causal: true };

test("the form begins with a task and its usual network", () => {
  const form = formed();
  assert.deepEqual(form.request(), { task: "induction", networks: [own], seeds: 1 });
  assert.equal(`${form.address()}`, "task=induction");
  assert.match(
    document.body.textContent,
    /About induction\. Guessing gets 13% right\. It ends at 95%\./,
  );
  assert.deepEqual(texts(".train-line b"), ["a", "b"]); // what is asked stands out
});

test("an address gives the choice back", () => {
  const query = "task=copy&n_layers=3&b.causal=false&seeds=3";
  const form = formed(query);
  const first = { ...own, n_layers: 3, n_heads: 1 };
  assert.deepEqual(form.request(), {
    task: "copy",
    networks: [first, { ...first, causal: false }],
    seeds: 3,
  });
  assert.equal(`${form.address()}`, query);
  assert.equal(formed("task=unknown").request().task, "copy");
  assert.equal(formed("task=text").request().task, "");
  const [network] = formed("task=copy&positions=up&causal=maybe").request().networks ?? [];
  assert.deepEqual([network.positions, network.causal], ["learned", true], "no such values");
});

test("a second network is offered another value of the setting in which it differs", () => {
  const form = formed("task=copy");
  const [check] = document.querySelectorAll("[type=checkbox]");
  check.checked = true;
  check.dispatchEvent(new document.defaultView.Event("change"));
  for (const [name, value] of [
    ["n_layers", 1],
    ["n_heads", 2],
    ["positions", "none"],
    ["causal", false],
  ]) {
    form.differs.value = name;
    form.differs.dispatchEvent(new document.defaultView.Event("change"));
    assert.equal(form.request().networks?.[1][name], value);
  }
});

test("lines of one's own are sent instead of a task", () => {
  const form = formed();
  form.task.value = "";
  form.task.dispatchEvent(new document.defaultView.Event("change"));
  assert.equal(form.text.hidden, false);
  assert.equal(form.request().task, "");
  assert.equal(`${form.address()}`, "task=text");
  assert.ok((form.request().text ?? "").split("\n").length >= 10);
});

const point = (lane, step, accuracy, more = {}) => ({
  lane,
  step,
  loss: 1,
  score: { loss: 1, accuracy },
  shown: [{ line: "ab>ab", asked: [3, 4], said: ["a", "a"] }],
  pattern: btoa(String.fromCharCode(...new Uint8Array(2 * 36).fill(51))),
  ended: null,
  ...more,
});
const RUN = {
  id: "abcdefgh",
  task: TASKS[0],
  state: "training",
  place: 0,
  problem: null,
  own: true,
  lanes: [
    { network: NETWORK, variant: 0, seed: 1, model: null },
    { network: { ...NETWORK, n_layers: 1 }, variant: 1, seed: 1, model: null },
  ],
  points: [point(0, 0, 0.1), point(1, 0, 0.1), point(0, 25, 0.5)],
};

test("points are told in the order of their steps, the newest of each", () => {
  const points = [point(0, 25, 0.2), point(0, 0, 0.1), point(0, 25, 0.3)];
  const [first, second] = byLane({ ...RUN, points });
  assert.deepEqual(
    first.map(({ step, score }) => [step, score.accuracy]),
    [
      [0, 0.1],
      [25, 0.3],
    ],
  );
  assert.deepEqual(second, []);
});

/** @param {string[]} events */
const stream = (events) => ({
  body: new Response(events.map((one) => `${one}\n\n`).join("")).body,
});
const event = (name, data) => `event: ${name}\ndata: ${JSON.stringify(data)}`;

test("a stream that breaks is opened again, and ends with the run", async () => {
  const answers = [
    stream([
      event("run", { ...RUN, points: [] }),
      event("beat", {}),
      event("points", { points: RUN.points }),
    ]),
    new ApiError("No answer.", { retry: true }),
    stream([event("run", { ...RUN, state: "ended" })]),
  ];
  const seen = [];
  const problems = [];
  await follow(
    "abcdefgh",
    {
      onRun: (run) => seen.push([run.state, run.points.length]),
      onProblem: (problem) => problems.push(problem),
      signal: new AbortController().signal,
    },
    {
      reach: /** @type {any} */ (
        async (path) => {
          assert.equal(path, "/api/training/abcdefgh/events");
          const answer = answers.shift();
          if (answer instanceof Error) throw answer;
          return answer;
        }
      ),
      pause: async () => {},
    },
  );
  assert.deepEqual(seen, [
    ["training", 0],
    ["training", 3],
    ["ended", 3],
  ]);
  assert.ok(problems.includes("No answer."));
  assert.equal(problems.at(-1), "", "the problem goes away");
});

test("a run that is gone is said once, and not asked for again", async () => {
  let asked = 0;
  const problems = [];
  await follow(
    "abcdefgh",
    {
      onRun: () => {},
      onProblem: (problem) => problems.push(problem),
      signal: new AbortController().signal,
    },
    {
      reach: async () => {
        asked += 1;
        throw new ApiError("There is no such training.", { retry: false });
      },
      pause: async () => {},
    },
  );
  assert.deepEqual([asked, problems], [1, ["There is no such training."]]);
});

/** A view of runs. */
function viewed() {
  document.body.innerHTML = '<section id="run"></section>';
  globalThis.ImageData = /** @type {any} */ (class {});
  const acted = [];
  const view = runView(/** @type {any} */ (document.querySelector("#run")), {
    stop: () => acted.push("stop"),
    resume: () => acted.push("resume"),
    scheme: () => "light",
  });
  return { view, acted };
}

test("a run shows its networks beside each other, named by what differs", () => {
  const { view, acted } = viewed();
  assert.ok(texts(".train-idle a").length > 3, "before it, there are questions to begin with");
  view.show(/** @type {any} */ (RUN));
  assert.deepEqual(texts(".train-variant h2"), ["Layers: 2", "Layers: 1"]);
  assert.match(texts(".train-variant p")[0], /^50% right after 25 steps\./);
  assert.equal(document.querySelectorAll(".train-variant:first-child canvas").length, 2);
  const marks = [...document.querySelectorAll(".train-lines li:first-child b")].slice(0, 2);
  assert.deepEqual(
    marks.map((one) => one.className),
    ["right", "wrong"],
  );
  assert.match(marks[1].title, /It says “a”; right is “b”/);
  click("button", "Stop");
  view.show(/** @type {any} */ ({ ...RUN, state: "stopped" }));
  click("button", "Go on");
  assert.deepEqual(acted, ["stop", "resume"]);
});

test("what has ended says how, and opens in the inspector", () => {
  const { view } = viewed();
  const lanes = RUN.lanes.map((lane, at) => ({ ...lane, model: `trained-abcdefgh-${at}-25` }));
  const points = [point(0, 25, 0.97, { ended: "goal" }), point(1, 500, 0.5, { ended: "steps" })];
  view.show(/** @type {any} */ ({ ...RUN, state: "ended", lanes, points }));
  const [first, second] = texts(".train-variant > p");
  assert.match(first, /97% right: the goal of 95%, after 25 steps/);
  assert.match(second, /50% right after all 500 steps: the goal of 95% was not reached/);
  const [link] = document.querySelectorAll(".train-links a");
  assert.equal(new URL(link.href).searchParams.get("model"), "trained-abcdefgh-0-25");
});

/** What is said in the end of two networks. @param {any[]} points @param {Record<string, unknown>} [more] */
function verdictOf(points, more = {}) {
  const { view } = viewed();
  view.show(/** @type {any} */ ({ ...RUN, state: "ended", points, ...more }));
  return document.querySelector(".train-verdict").textContent;
}

test("two networks are compared in a sentence, once both have ended", () => {
  const goal = (lane, step) => point(lane, step, 0.97, { ended: "goal" });
  const missed = (lane, accuracy) => point(lane, 500, accuracy, { ended: "steps" });
  assert.equal(verdictOf(RUN.points, { state: "training" }), "");
  assert.equal(
    verdictOf([goal(0, 250), goal(1, 1125)]),
    "Both reach the goal of 95%: “Layers: 2” after 250 steps, “Layers: 1” after 1,125.",
  );
  assert.equal(
    verdictOf([missed(0, 0.4), goal(1, 75)]),
    "Only “Layers: 1” reaches the goal of 95%, after 75 steps; “Layers: 2” gets 40% right.",
  );
  assert.match(
    verdictOf([missed(0, 0.4), missed(1, 0.6)]),
    /^Neither reaches the goal of 95%. In the end, “Layers: 2” gets 40% right, “Layers: 1” 60%.$/,
  );
  assert.match(
    verdictOf([missed(0, 0.4), missed(1, 0.6)], { task: { ...TASKS[0], goal: 1 } }),
    /^In the end, “Layers: 2” gets 40%/,
  );
  const lanes = [0, 1].flatMap((variant) =>
    [1, 2].map((seed) => ({ ...RUN.lanes[variant], seed })),
  );
  const seeds = [goal(0, 100), goal(1, 200), goal(2, 300), missed(3, 0.5)];
  assert.equal(
    verdictOf(seeds, { lanes }),
    "“Layers: 2” reaches the goal of 95% from 2 of 2 seeds, “Layers: 1” from 1, with 74% right on average.",
  );
  assert.match(
    verdictOf([...seeds.slice(0, 3), goal(3, 400)], { lanes }),
    /“Layers: 2” after 150 steps on average of 2 seeds, “Layers: 1” after 350\.$/,
  );
});

test("the loss has a curve of its own, on one scale for both networks", () => {
  const { view } = viewed();
  const lossy = (lane, step, loss) => point(lane, step, 0.5, { score: { loss, accuracy: 0.5 } });
  view.show(
    /** @type {any} */ ({ ...RUN, points: [lossy(0, 0, 4), lossy(1, 0, 2), lossy(0, 100, 1)] }),
  );
  const curves = [...document.querySelectorAll(".train-chart:nth-child(2) .film-curve")];
  assert.deepEqual(
    curves.map((one) => one.getAttribute("d")),
    ["M0.0 0.0L300.0 67.5", "M0.0 45.0"],
  );
  assert.match(
    document.querySelectorAll(".train-chart svg")[1].getAttribute("aria-label"),
    /nats per answer: 1.00 now/,
  );
});

test("a network whose numbers have grown beyond float32 says so, and keeps its curve", () => {
  const { view } = viewed();
  const lost = point(0, 31, 0, {
    score: null,
    shown: [],
    pattern: "",
    ended: "diverged",
    loss: null,
  });
  view.show(/** @type {any} */ ({ ...RUN, state: "ended", points: [...RUN.points, lost] }));
  assert.match(texts(".train-variant > p")[0], /In step 31 its numbers grew beyond float32/);
  assert.match(document.querySelector(".film-curve").getAttribute("d"), /^M0\.0 .*L/);
  assert.ok(document.querySelector(".train-variant > div:last-child").hidden);
});

test("another one's run can only be watched", () => {
  const { view } = viewed();
  view.show(/** @type {any} */ ({ ...RUN, own: false }));
  assert.ok([...document.querySelectorAll("button")].every((one) => one.hidden));
});

test("lines of one's own have no goal that could be missed", () => {
  const { view } = viewed();
  const points = [point(0, 500, 0.5, { ended: "steps" })];
  view.show(
    /** @type {any} */ ({ ...RUN, state: "ended", points, task: { ...TASKS[0], goal: 1 } }),
  );
  assert.equal(texts(".train-variant > p")[0], "50% right after 500 steps.");
});

test("several seeds are one network, with their spread", () => {
  const { view } = viewed();
  const lanes = [1, 2, 3].map((seed) => ({ network: NETWORK, variant: 0, seed, model: null }));
  const points = [point(0, 25, 0.4), point(1, 25, 0.6), point(2, 25, 0.8)];
  view.show(/** @type {any} */ ({ ...RUN, lanes, points }));
  assert.equal(document.querySelectorAll(".train-variant").length, 1);
  assert.equal(document.querySelectorAll(".train-chart:first-child .film-curve").length, 3);
  assert.match(texts(".train-variant > p")[0], /Over 3 seeds: 40% to 80%, on average 60%/);
});

test("who waits is told how many are before, and a failure its reason", () => {
  const { view } = viewed();
  view.show(/** @type {any} */ ({ ...RUN, state: "waiting", place: 2, points: [] }));
  assert.equal(texts(".train-state")[0], "Waiting: 2 trainings are before yours.");
  view.show(/** @type {any} */ ({ ...RUN, state: "failed", problem: "It ended 3 times." }));
  assert.equal(texts(".train-state")[0], "It ended 3 times.");
});
