// What the page of studies says, as whole sentences with named places.

import { gettext, ngettext } from "../language/gettext.js";
import { share } from "../views/patch/words.js";
import { capitalised, nearly, quote } from "../words/format.js";
import { modelLabel } from "../words/heads.js";

/** @import { StudyCircuit, StudyRequest, StudyRow, StudyStep } from "../types.d.ts" */
/** @typedef {NonNullable<StudyRequest["of"]>} Of */

export const MODEL = gettext("Model");
export const NO_MODELS = gettext("No model of this server gives answers that could be studied.");
export const BEGIN_WITH = gettext("Begin with");
export const OWN_QUESTION = gettext("a question of my own");
export const CLEAN = gettext("Clean sentence");
export const CORRUPTED = gettext("Corrupted sentence");
export const ANSWER = gettext("Its answer");
export const WRONG = gettext("The rival");
export const ANSWER_TITLE = gettext(
  "One token; begin it with a space where the model’s words do. Empty: the likeliest after the clean sentence.",
);
export const WRONG_TITLE = gettext(
  "The token that the answer competes with. Empty: the likeliest after the corrupted sentence.",
);
export const PAIRS = gettext("Pairs");
export const SLOTS_ABOUT = gettext(
  "{A} is a slot. Words for each, between commas; slots of one sentence get different words.",
);
/** @param {string} name */
export const slot = (name) => `{${name}}`;
export const SOURCES = { templates: gettext("Templates"), lines: gettext("My own pairs") };
export const SOURCE = gettext("Where the sentences come from");
export const LINES = gettext("A pair in each line: clean | corrupted | answer | rival");
export const LINES_ABOUT = gettext(
  "Answer and rival may be left out. A file of JSON lines, as headlight.study reads, can be opened, too.",
);
export const OPEN_FILE = gettext("Open a file …");
/** @param {number} line */
export const wrongLine = (line) =>
  gettext(
    "Line {line} is no pair. Expected: clean sentence | corrupted sentence | answer | rival, or a JSON object with clean and corrupted.",
    { line },
  );
/** @param {string} name */
export const noWords = (name) =>
  gettext("Give words for {slot}, between commas.", { slot: slot(name) });
export const NO_LINES = gettext("Write at least one pair, or choose templates.");
/** @param {{n: number, most: number}} what */
export const tooMany = ({ n, most }) =>
  gettext(
    "These are {n} pairs; at most {most} are studied at once. headlight.study in Python takes any number.",
    { n, most },
  );

export const READS = gettext("Answer");
export const LIKE = gettext("Sentences to compare with, one in each line");
export const NO_LIKE = gettext("Write a sentence to compare with.");
export const ASK = gettext("Ask");
/** @type {Record<Of, {choice: string, about: string}>} */
export const ASKED = {
  patching: {
    choice: gettext("what brings the answer back (patching)"),
    about: gettext(
      "The corrupted sentence runs again and again, each time with one part as it is in the clean one. The share of the answer that comes back is the number.",
    ),
  },
  attribution: {
    choice: gettext("what adds to the answer (attribution)"),
    about: gettext(
      "Each part adds something to the lead of the answer over its rival in the clean sentence. The number is its share of the lead.",
    ),
  },
  mutes: {
    choice: gettext("what muting a head does (mutes)"),
    about: gettext(
      "Each head of the clean sentence is muted in turn. The number is the change of ln p(answer).",
    ),
  },
  circuit: {
    choice: gettext("which few edges give the answer (circuit)"),
    about: gettext(
      "An edge is what one part reads of another. All but a few carry the corrupted sentence. Edges are taken in the order of their estimates until they give nine tenths of the answer; then those that are not needed are dropped. A third of the pairs only checks the circuit.",
    ),
  },
  paths: {
    choice: gettext("which paths carry the answer"),
    about: gettext(
      "The edges from part to part that carry most of the lead, by the roles of their tokens. The number is a share of the lead.",
    ),
  },
};
export const AT = gettext("Patch");
export const BY = gettext("A cell for each");
export const BY_NAMES = { head: gettext("head"), position: gettext("layer and role") };
export const RUN = gettext("Measure");
export const RUNS = /** @type {const} */ ([
  ["all", gettext("each part, in runs of its own")],
  ["0", gettext("nothing: estimates alone")],
]);
export const RUN_TITLE = gettext(
  "Each part is a run of the model, so many heads take long. A gradient promises something of all parts at once.",
);

export const GO = gettext("Study");
export const STOP = gettext("Stop");
export const GO_ON = gettext("Go on");
export const STARTING = gettext("Making the pairs …");
/** @param {{done: number, n: number}} what */
export const progress = ({ done, n }) => gettext("{done} of {n} pairs", { done, n });
/** @param {{done: number, n: number}} what */
export const stopped = ({ done, n }) =>
  gettext("Stopped after {done} of {n} pairs. What is here is of those; “Go on” continues.", {
    done,
    n,
  });
export const ALL_FAIL = gettext(
  "No pair follows the rule: the model does not prefer the answer after the clean sentences. Try other words, or another model.",
);

/** The mean in a sentence. @param {Of} of @param {StudyRow} row */
export function meanInWords(of, row) {
  const value = row.mean ?? null;
  if (value === null)
    return gettext("an estimated {amount}", { amount: amount(of, row.estimate ?? 0) });
  const mean = amount(of, value);
  return row.low === null || row.high === null
    ? mean
    : gettext("{mean} (in 95% of samples {low} to {high})", {
        mean,
        low: amount(of, row.low),
        high: amount(of, row.high),
      });
}

/** "66%", or nats. @param {Of} of @param {number} value */
export const amount = (of, value) =>
  of === "mutes" ? gettext("{value} nats", { value: nearly(value) }) : share(value);

/** What each number is the number of. @param {Of} of @param {string} part @param {string} mean */
export const says = (of, part, mean) =>
  capitalised(
    {
      patching: gettext("{part} brings back {mean} of the answer.", { part, mean }),
      attribution: gettext("{part} adds {mean} of the lead.", { part, mean }),
      mutes: gettext("Without {part}, ln p(answer) changes by {mean}.", { part, mean }),
      circuit: gettext("{part} promises {mean} of the answer.", { part, mean }),
      paths: gettext("{part} carries {mean} of the lead.", { part, mean }),
    }[of],
  );

/** @param {{part: string, mean: string, of: Of, n: number, left: number}} what `left`: the pairs that are left out */
export function outcome({ part, mean, of, n, left }) {
  const found = says(of, part, mean);
  const most = ngettext(
    "{found} That is the most, in {n} sentence.",
    "{found} That is the most, in {n} sentences.",
    n,
    { found },
  );
  if (left === 0) return most;
  return ngettext(
    "{most} {n} pair does not follow the rule and is left out.",
    "{most} {n} pairs do not follow the rule and are left out.",
    left,
    { most },
  );
}

/** The name of a part or an edge. @param {StudyRow} row @param {(place: {layer: number, head: number}) => string} headName */
export function partInWords({ kind, layer, head, role, sender, receiver, through }, headName) {
  if (sender && receiver) {
    const ends = `${wiredName(sender)} → ${wiredName(receiver)}`;
    return ["q", "k", "v"].includes(through ?? "") ? `${ends} (${through})` : ends;
  }
  const where = layer ?? 0;
  if (head !== undefined && head !== null) return headName({ layer: where, head });
  if (role) return gettext("layer {where} at {role}", { where, role });
  const names = /** @type {Record<string, string>} */ (KINDS);
  const name = names[kind ?? ""] ?? `${kind}`;
  return layer === undefined || layer === null
    ? name
    : gettext("{name} of layer {layer}", { name, layer });
}

const KINDS = {
  embedding: gettext("the embedding"),
  position: gettext("the position"),
  segment: gettext("the segment"),
  mlp: gettext("the feed-forward network"),
  mixer: gettext("the mixer"),
  bias: gettext("the bias of W_O"),
  norm: gettext("the bias of a norm"),
  intervention: gettext("an intervention"),
};

export const MLP = gettext("feed-forward");
export const MAP = gettext("Mean over the sentences");
/** @param {number} pair */
export const mapOf = (pair) => gettext("Sentence {pair} alone", { pair: pair + 1 });
export const LEGEND = gettext(
  "Blue: more; orange: less than 0. Dotted: the interval holds 0, so that not even the sign is sure. Grey: not measured.",
);
export const LARGEST = gettext("The largest");
export const SENTENCES = gettext("Sentences");
export const CORRUPTED_COLUMN = gettext("Corrupted");
export const SENTENCE_COLUMNS = [
  gettext("No."),
  gettext("Clean"),
  CORRUPTED_COLUMN,
  gettext("Answer"),
  gettext("Its lead"),
  gettext("In full"),
];
export const FOLLOWS = gettext("follows the rule");
export const BREAKS = gettext("does not follow the rule, and is left out of the mean");
export const NO_NUMBERS = gettext("This pair does not follow the rule, so it has no numbers.");
export const ALL = gettext("Mean of all");
export const BEFORE = gettext("Sentence before");
export const NEXT = gettext("Next sentence");
export const INSPECT = gettext("Inspect");
export const SAVE_TABLE = gettext("Save the table (CSV)");
export const SAVE_ALL = gettext("Save everything (JSON)");

/** @param {string} answer @param {string | null | undefined} wrong */
export const answerInWords = (answer, wrong) =>
  wrong
    ? gettext("{answer}, not {wrong}", {
        answer: quote(answer.trim()),
        wrong: quote(wrong.trim()),
      })
    : quote(answer.trim());

/** @param {string} name */
export const modelName = (name) => modelLabel(name);

export const IDLE = gettext(
  "One sentence can mislead. Ask the same of many, and see what holds of all of them, how sure that is, and which sentences break the rule.",
);
export const HOW = gettext(
  "In a pair of sentences one thing differs, and the answer hangs on it. Tokens are compared by their role, {A} with {A}, wherever they stand.",
);

export const WIRING = gettext("The circuit");
export const WIRING_ABOUT = gettext(
  "Read it from the tokens up. A thicker line promises more of the answer; q, k and v say through what a head reads. What is not drawn carries the corrupted sentence.",
);
/** @param {string} name */
export const wiredName = (name) =>
  name === "logit"
    ? gettext("answer")
    : name.replace(/^mlp /, "MLP ").replace(/^L(\d+)H(\d+)$/, "L$1 · H$2");
/** @param {{sender: string, receiver: string, through: string, mean: number}} edge */
export const wireInWords = ({ sender, receiver, through, mean }) => {
  const ends = `${wiredName(sender)} → ${wiredName(receiver)}`;
  const read = ["q", "k", "v"].includes(through) ? `${ends} (${through})` : ends;
  return `${read}: ${share(mean)}`;
};
/** @param {Pick<StudyCircuit, "edges">} circuit */
export function wiringInWords({ edges }) {
  const wires = edges.map(wireInWords).join("; ");
  return ngettext(
    "A circuit of {n} edge: {wires}",
    "A circuit of {n} edges: {wires}",
    edges.length,
    { wires },
  );
}
/** @param {StudyStep} step */
export const searching = ({ step, edges, faithfulness }) =>
  step === "add"
    ? gettext("Searching: the first {edges} give {share} of the answer.", {
        edges,
        share: share(faithfulness),
      })
    : gettext("Searching: {edges} are enough for {share}.", { edges, share: share(faithfulness) });
/** @param {StudyCircuit} circuit */
export const circuitInWords = ({ edges, n_edges, faithfulness, held_out, without }) =>
  gettext(
    "{edges} of {n_edges} edges give {faithfulness} of the answer, and {held_out} in the sentences that were held out. Without them, all the others give {without}.",
    {
      edges: edges.length,
      n_edges,
      faithfulness: spanInWords(faithfulness),
      held_out: spanInWords(held_out),
      without: spanInWords(without),
    },
  );
/** @param {(number | null)[]} interval the value, and its ends */
const spanInWords = ([value, low, high]) =>
  low === null || high === null
    ? share(value ?? 0)
    : gettext("{value} ({low} to {high})", {
        value: share(value ?? 0),
        low: share(low),
        high: share(high),
      });
