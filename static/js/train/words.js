// What the page for training by hand says, as whole sentences with named places.

import MECHANISM_FACTS from "../facts/mechanisms.json" with { type: "json" };
import { worded } from "../language/facts.js";
import { gettext, ngettext, sentences, translated } from "../language/gettext.js";
import { fixed } from "../language/language.js";
import { quote } from "../words/format.js";

/** @import { TrainedNetwork, TrainingPoint, TrainingResponse, TrainingTask } from "../types.d.ts" */

export const TASK = gettext("Task");
export const OWN_TEXT = gettext("Lines of my own");
export const OWN_ABOUT = gettext(
  "Each line is learnt character by character; a tenth of them is kept to see how well it does.",
);
export const OWN_LABEL = gettext("Your lines, ten at least");
export const MORE = gettext("More settings");
export const COMPARE = gettext("Compare with a second network");
export const DIFFERS = gettext("It differs in");
export const TO = gettext("and has");
export const SEEDS = gettext("Random weights");
export const SEED_NAMES = { 1: gettext("1 seed"), 3: gettext("3 seeds") };
export const OFF = gettext(
  "This server trains nothing. Ask whoever runs it to set HEADLIGHT_TRAINING=true.",
);
export const STOP = gettext("Stop");
export const RESUME = gettext("Go on");
export const OPEN = gettext("Look inside");
export const SAVE = gettext("Save as a file");
export const SAVE_TITLE = gettext(
  "The weights with all settings, and your own lines if it learnt those. Whoever has the file can open it on this page.",
);
export const OPEN_FILE = gettext("Open a saved network …");
export const STARTING = gettext("Starting …");

/** What each setting is called, its help, and whether it is among the first. @type {Record<string, {label: string, title: string, first?: boolean}>} */
export const SETTINGS = {
  mechanism: {
    label: gettext("Attention"),
    title: gettext("A mechanism of From scratch, with the settings that it has there."),
    first: true,
  },
  n_layers: {
    label: gettext("Layers"),
    title: gettext("How many layers follow each other."),
    first: true,
  },
  n_heads: {
    label: gettext("Heads in each"),
    title: gettext("Attentions side by side in a layer."),
    first: true,
  },
  positions: {
    label: gettext("Positions"),
    title: gettext("How it knows where a token stands."),
    first: true,
  },
  d_mlp: {
    label: gettext("Feed-forward width"),
    title: gettext("Of the network after attention; 0 leaves it out."),
    first: true,
  },
  residual: {
    label: gettext("Residual"),
    title: gettext("Whether each part adds to its input, or replaces it."),
    first: true,
  },
  causal: {
    label: gettext("Causal mask"),
    title: gettext("Without it, the network sees the answers that it should give."),
    first: true,
  },
  d_model: {
    label: gettext("Width (d_model)"),
    title: gettext("Numbers in the vector of a token."),
  },
  d_head: { label: gettext("Width of a head (d_head)"), title: gettext("Channels of one head.") },
  norm: {
    label: gettext("LayerNorm"),
    title: gettext("Before each part, after it, or not at all."),
  },
  scale: {
    label: gettext("Scale of q · k"),
    title: gettext("What the dot products are multiplied by."),
  },
  learning_rate: { label: gettext("Learning rate"), title: gettext("How far a step goes.") },
  steps: {
    label: gettext("Steps at most"),
    title: gettext("It ends earlier at the goal of the task."),
  },
  seed: {
    label: gettext("Seed"),
    title: gettext("The same one draws the same weights and lines."),
  },
};
export const YES_NO = { true: gettext("yes"), false: gettext("no") };

/** The name of a value, as one chooses it. @param {unknown} value */
export const valueInWords = (value) =>
  YES_NO[/** @type {keyof typeof YES_NO} */ (`${value}`)] ?? NAMED.get(`${value}`) ?? `${value}`;

const FACTS = worded(MECHANISM_FACTS, "mechanisms");
/** @type {Map<string, string>} */
const NAMED = new Map([
  ...FACTS.rows.map(({ id, name }) => /** @type {const} */ ([id, name])),
  .../** @type {[string, string][]} */ (FACTS.settings.positions.choose),
  .../** @type {[string, string][]} */ (FACTS.settings.norm.choose),
]);

/** A task with its words in the reader's language. @template {{name: string, about: string}} Task @param {Task} task @returns {Task} */
export const inLanguage = (task) => ({
  ...task,
  name: translated(task.name),
  about: translated(task.about),
});

/** @param {string} name @param {unknown} value */
export const settingInWords = (name, value) => {
  const { label } = SETTINGS[name] ?? { label: name };
  return `${label}: ${valueInWords(value)}`;
};

/** @param {Pick<TrainingTask, "chance" | "goal">} task */
export const expected = ({ chance, goal }) =>
  gettext("Guessing gets {chance} right. It ends at {goal}.", {
    chance: percent(chance),
    goal: percent(goal),
  });

/** @param {number} share */
export const percent = (share) => `${Math.round(100 * share)}%`;

/** @param {Pick<TrainingResponse, "state" | "place" | "problem">} run */
export function stateInWords({ state, place, problem }) {
  if (state === "waiting") {
    if (place === 0) return STARTING;
    return ngettext(
      "Waiting: one training is before yours.",
      "Waiting: {n} trainings are before yours.",
      place,
    );
  }
  if (state === "failed") return problem ?? gettext("The training has failed.");
  return { training: gettext("Training …"), ended: gettext("Done."), stopped: gettext("Stopped.") }[
    state
  ];
}

/** How far a network has come, or how it has ended. @param {Pick<TrainingTask, "goal">} task @param {TrainingPoint} point @param {Pick<TrainedNetwork, "network">} lane */
export function endInWords({ goal }, { ended, step, score }, { network }) {
  if (score === null)
    return gettext(
      "In step {step} its numbers grew beyond float32. Try a smaller learning rate, or the usual scale.",
      { step },
    );
  const right = gettext("{accuracy} right", { accuracy: percent(score.accuracy) });
  if (ended === "goal")
    return gettext("{right}: the goal of {goal}, after {step} steps.", {
      right,
      goal: percent(goal),
      step,
    });
  if (ended === "steps" && goal < 1)
    return gettext("{right} after all {steps} steps: the goal of {goal} was not reached.", {
      right,
      steps: Number(network.steps),
      goal: percent(goal),
    });
  return ended === "stopped"
    ? gettext("{right} after {step} steps, when it was stopped.", { right, step })
    : gettext("{right} after {step} steps.", { right, step });
}

/** Of several seeds. @param {number[]} shares */
export const spreadInWords = (shares) =>
  shares.length < 2
    ? ""
    : gettext("Over {n} seeds: {least} to {most}, on average {mean}.", {
        n: shares.length,
        least: percent(Math.min(...shares)),
        most: percent(Math.max(...shares)),
        mean: percent(mean(shares)),
      });

export const CURVE = gettext("Answers right, on lines that training never shows");
/** @param {{now: string, chance: number}} what */
export const curveInWords = ({ now, chance }) =>
  gettext("{curve}: {now} The dotted line is guessing, {chance}.", {
    curve: CURVE,
    now,
    chance: percent(chance),
  });
export const LOSS = gettext("Loss on these lines, in nats per answer");
/** @param {number | null} loss */
export const lossInWords = (loss) =>
  loss === null
    ? `${LOSS}.`
    : gettext("{curve}: {loss} now. The dotted line is guessing.", {
        curve: LOSS,
        loss: fixed(loss, 2),
      });

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
  if (task.goal === 1 || none) {
    const neither = gettext("Neither reaches the goal of {goal}.", { goal: percent(task.goal) });
    const end = gettext("In the end, “{name}” gets {share} right, “{other}” {less}.", {
      name: found[0].name,
      share: percent(found[0].share),
      other: found[1].name,
      less: percent(found[1].share),
    });
    return task.goal === 1 ? end : sentences([neither, end]);
  }
  if (all) {
    const values = {
      goal: percent(task.goal),
      name: found[0].name,
      steps: mean(found[0].steps),
      other: found[1].name,
      more: mean(found[1].steps),
    };
    return n === 1
      ? gettext(
          "Both reach the goal of {goal}: “{name}” after {steps} steps, “{other}” after {more}.",
          values,
        )
      : gettext(
          "Both reach the goal of {goal}: “{name}” after {steps} steps on average of {n} seeds, “{other}” after {more}.",
          { ...values, n },
        );
  }
  const [better, worse] = [...found].sort((a, b) => b.steps.length - a.steps.length);
  const values = {
    name: better.name,
    goal: percent(task.goal),
    other: worse.name,
    share: percent(worse.share),
  };
  return n === 1
    ? gettext(
        "Only “{name}” reaches the goal of {goal}, after {steps} steps; “{other}” gets {share} right.",
        { ...values, steps: mean(better.steps) },
      )
    : gettext(
        "“{name}” reaches the goal of {goal} from {seeds} of {n} seeds, “{other}” from {fewer}, with {share} right on average.",
        { ...values, n, seeds: better.steps.length, fewer: worse.steps.length },
      );
}

/** @param {{n: number, steps: number[]}} network */
const reachesAll = ({ n, steps }) => steps.length === n;

/** @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

export const SEED = (/** @type {number} */ seed) => gettext("seed {seed}", { seed });
/** @param {number} layer @param {number} head */
export const headName = (layer, head) => `L${layer} · H${head}`;
/** @param {string} line */
export const gridInWords = (line) =>
  gettext(
    "What each head looks at in {line}: the token that looks stands at the side, the one that it looks at above.",
    { line: quote(line) },
  );
/** @param {{head: string, query: string, key: string, weight: number}} cell */
export const cellInWords = ({ head, query, key, weight }) =>
  gettext("{head}: {query} looks at {key} with {weight}.", {
    head,
    query: quote(query),
    key: quote(key),
    weight: fixed(weight, 2),
  });
export const LINES = gettext("What it says on lines that it has never seen");
/** @param {boolean} right @param {string} said @param {string} answer */
export const answerTitle = (right, said, answer) =>
  right
    ? gettext("{said}: right", { said: quote(said) })
    : gettext("It says {said}; right is {answer}", { said: quote(said), answer: quote(answer) });
export const BOS = "[BOS]";
/** Questions that a training answers, as addresses of this page. */
export const QUESTIONS = [
  {
    text: gettext("Does one head suffice for induction, or does it take two, one after the other?"),
    query: "task=induction&b.n_layers=1&seeds=3",
  },
  {
    text: gettext("Does linear attention, which keeps no keys, learn induction too?"),
    query: "task=induction&b.mechanism=linear",
  },
  {
    text: gettext("Can a network copy without knowing where tokens stand?"),
    query: "task=copy&b.positions=none",
  },
  { text: gettext("Does addition need the feed-forward part?"), query: "task=addition&b.d_mlp=0" },
  { text: gettext("Do brackets need the residual?"), query: "task=brackets&b.residual=false" },
  {
    text: gettext("What does a network learn that can see the answers?"),
    query: "task=reverse&b.causal=false",
  },
  {
    text: gettext("Which votes does a head count, if all it can do is to average?"),
    query: "task=majority",
  },
];
export const QUESTIONS_TITLE = gettext("Questions to begin with");
export const IDLE = gettext(
  "A network begins with random weights and knows nothing. Press Train: after each few steps you see what its heads look at, and how many answers are right on lines that it has never been shown.",
);
