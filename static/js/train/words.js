// What the page for training by hand says, as whole sentences with named places.

import FACTS from "../facts/mechanisms.json" with { type: "json" };
import { grouped, quote } from "../words/format.js";

/** @import { TrainedNetwork, TrainingPoint, TrainingResponse, TrainingTask } from "../types.d.ts" */

export const TASK = "Task";
export const OWN_TEXT = "Lines of my own";
export const OWN_ABOUT =
  "Each line is learnt character by character; a tenth of them is kept to see how well it does.";
export const OWN_LABEL = "Your lines, ten at least";
export const MORE = "More settings";
export const COMPARE = "Compare with a second network";
export const DIFFERS = "It differs in";
export const TO = "and has";
export const SEEDS = "Random weights";
export const SEED_NAMES = { 1: "1 seed", 3: "3 seeds" };
export const OFF =
  "This server trains nothing. Ask whoever runs it to set HEADLIGHT_TRAINING=true.";
export const STOP = "Stop";
export const RESUME = "Go on";
export const OPEN = "Look inside";
export const SAVE = "Save as a file";
export const SAVE_TITLE =
  "The weights with all settings, and your own lines if it learnt those. Whoever has the file can open it on this page.";
export const OPEN_FILE = "Open a saved network …";
export const STARTING = "Starting …";

/** What each setting is called, its help, and whether it is among the first. @type {Record<string, {label: string, title: string, first?: boolean}>} */
export const SETTINGS = {
  mechanism: {
    label: "Attention",
    title: "A mechanism of From scratch, with the settings that it has there.",
    first: true,
  },
  n_layers: { label: "Layers", title: "How many layers follow each other.", first: true },
  n_heads: { label: "Heads in each", title: "Attentions side by side in a layer.", first: true },
  positions: { label: "Positions", title: "How it knows where a token stands.", first: true },
  d_mlp: {
    label: "Feed-forward width",
    title: "Of the network after attention; 0 leaves it out.",
    first: true,
  },
  residual: {
    label: "Residual",
    title: "Whether each part adds to its input, or replaces it.",
    first: true,
  },
  causal: {
    label: "Causal mask",
    title: "Without it, the network sees the answers that it should give.",
    first: true,
  },
  d_model: { label: "Width (d_model)", title: "Numbers in the vector of a token." },
  d_head: { label: "Width of a head (d_head)", title: "Channels of one head." },
  norm: { label: "LayerNorm", title: "Before each part, after it, or not at all." },
  scale: { label: "Scale of q · k", title: "What the dot products are multiplied by." },
  learning_rate: { label: "Learning rate", title: "How far a step goes." },
  steps: { label: "Steps at most", title: "It ends earlier at the goal of the task." },
  seed: { label: "Seed", title: "The same one draws the same weights and lines." },
};
export const YES_NO = { true: "yes", false: "no" };

/** The name of a value, as one chooses it. @param {unknown} value */
export const valueInWords = (value) =>
  YES_NO[/** @type {keyof typeof YES_NO} */ (`${value}`)] ??
  MECHANISMS.get(`${value}`) ??
  `${value}`;

/** @type {Map<string, string>} */
const MECHANISMS = new Map(FACTS.rows.map(({ id, name }) => [id, name]));

/** @param {string} name @param {unknown} value */
export const settingInWords = (name, value) => {
  const { label } = SETTINGS[name] ?? { label: name };
  return `${label}: ${valueInWords(value)}`;
};

/** @param {Pick<TrainingTask, "chance" | "goal">} task */
export const expected = ({ chance, goal }) =>
  `Guessing gets ${percent(chance)} right. It ends at ${percent(goal)}.`;

/** @param {number} share */
export const percent = (share) => `${Math.round(100 * share)}%`;

/** @param {Pick<TrainingResponse, "state" | "place" | "problem">} run */
export function stateInWords({ state, place, problem }) {
  if (state === "waiting") {
    if (place === 0) return STARTING;
    return place === 1
      ? "Waiting: one training is before yours."
      : `Waiting: ${place} trainings are before yours.`;
  }
  if (state === "failed") return problem ?? "The training has failed.";
  return { training: "Training …", ended: "Done.", stopped: "Stopped." }[state];
}

/** How far a network has come, or how it has ended. @param {Pick<TrainingTask, "goal">} task @param {TrainingPoint} point @param {Pick<TrainedNetwork, "network">} lane */
export function endInWords({ goal }, { ended, step, score }, { network }) {
  if (score === null)
    return `In step ${grouped(step)} its numbers grew beyond float32. Try a smaller learning rate, or the usual scale.`;
  const right = `${percent(score.accuracy)} right`;
  if (ended === "goal")
    return `${right}: the goal of ${percent(goal)}, after ${grouped(step)} steps.`;
  if (ended === "steps" && goal < 1)
    return `${right} after all ${grouped(Number(network.steps))} steps: the goal of ${percent(goal)} was not reached.`;
  return ended === "stopped"
    ? `${right} after ${grouped(step)} steps, when it was stopped.`
    : `${right} after ${grouped(step)} steps.`;
}

/** Of several seeds. @param {number[]} shares */
export const spreadInWords = (shares) =>
  shares.length < 2
    ? ""
    : `Over ${shares.length} seeds: ${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}, on average ${percent(shares.reduce((sum, one) => sum + one, 0) / shares.length)}.`;

export const CURVE = "Answers right, on lines that training never shows";
/** @param {{now: string, chance: number}} what */
export const curveInWords = ({ now, chance }) =>
  `${CURVE}: ${now} The dotted line is guessing, ${percent(chance)}.`;
export const LOSS = "Loss on these lines, in nats per answer";
/** @param {number | null} loss */
export const lossInWords = (loss) =>
  loss === null ? `${LOSS}.` : `${LOSS}: ${loss.toFixed(2)} now. The dotted line is guessing.`;

/**
 * What two networks that differ in one setting, or one from several seeds, have shown; "" if there is nothing to compare.
 * @param {Pick<TrainingResponse, "task" | "lanes">} run
 * @param {string[]} names of its networks
 * @param {TrainingPoint[][]} points of each lane
 */
export function verdict({ task, lanes }, names, points) {
  const found = names.map((name, at) => {
    const ends = points.filter((_, lane) => lanes[lane].variant === at).map((one) => one.at(-1));
    const reached = ends.filter((end) => end?.ended === "goal");
    const shares = ends.map((end) => end?.score?.accuracy ?? 0);
    return {
      name,
      n: ends.length,
      steps: reached.map((end) => end?.step ?? 0),
      share: mean(shares),
    };
  });
  const [{ n }] = found;
  if (found.length < 2) return "";
  const [all, none] = [found.every(reachesAll), found.every(({ steps }) => steps.length === 0)];
  if (task.goal === 1 || none)
    return [
      task.goal === 1 ? "" : `Neither reaches the goal of ${percent(task.goal)}. `,
      `In the end, “${found[0].name}” gets ${percent(found[0].share)} right, “${found[1].name}” ${percent(found[1].share)}.`,
    ].join("");
  if (all) {
    const after = found.map(({ name, steps }) => `“${name}” after ${grouped(mean(steps))}`);
    const often = n === 1 ? "steps" : `steps on average of ${n} seeds`;
    return `Both reach the goal of ${percent(task.goal)}: ${after[0]} ${often}, ${after[1]}.`;
  }
  const [better, worse] = [...found].sort((a, b) => b.steps.length - a.steps.length);
  return n === 1
    ? `Only “${better.name}” reaches the goal of ${percent(task.goal)}, after ${grouped(mean(better.steps))} steps; “${worse.name}” gets ${percent(worse.share)} right.`
    : `“${better.name}” reaches the goal of ${percent(task.goal)} from ${better.steps.length} of ${n} seeds, “${worse.name}” from ${worse.steps.length}, with ${percent(worse.share)} right on average.`;
}

/** @param {{n: number, steps: number[]}} network */
const reachesAll = ({ n, steps }) => steps.length === n;

/** @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

export const SEED = (/** @type {number} */ seed) => `seed ${seed}`;
/** @param {number} layer @param {number} head */
export const headName = (layer, head) => `L${layer} · H${head}`;
/** @param {string} line */
export const gridInWords = (line) =>
  `What each head looks at in ${quote(line)}: the token that looks stands at the side, the one that it looks at above.`;
/** @param {{head: string, query: string, key: string, weight: number}} cell */
export const cellInWords = ({ head, query, key, weight }) =>
  `${head}: ${quote(query)} looks at ${quote(key)} with ${weight.toFixed(2)}.`;
export const LINES = "What it says on lines that it has never seen";
/** @param {boolean} right @param {string} said @param {string} answer */
export const answerTitle = (right, said, answer) =>
  right ? `${quote(said)}: right` : `It says ${quote(said)}; right is ${quote(answer)}`;
export const BOS = "[BOS]";
/** Questions that a training answers, as addresses of this page. */
export const QUESTIONS = [
  {
    text: "Does one head suffice for induction, or does it take two, one after the other?",
    query: "task=induction&b.n_layers=1&seeds=3",
  },
  {
    text: "Does linear attention, which keeps no keys, learn induction too?",
    query: "task=induction&b.mechanism=linear",
  },
  {
    text: "Can a network copy without knowing where tokens stand?",
    query: "task=copy&b.positions=none",
  },
  { text: "Does addition need the feed-forward part?", query: "task=addition&b.d_mlp=0" },
  { text: "Do brackets need the residual?", query: "task=brackets&b.residual=false" },
  {
    text: "What does a network learn that can see the answers?",
    query: "task=reverse&b.causal=false",
  },
  {
    text: "Which votes does a head count, if all it can do is to average?",
    query: "task=majority",
  },
];
export const QUESTIONS_TITLE = "Questions to begin with";
export const IDLE =
  "A network begins with random weights and knows nothing. Press Train: after each few steps you see what its heads look at, and how many answers are right on lines that it has never been shown.";
