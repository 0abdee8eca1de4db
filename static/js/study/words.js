// What the page of studies says, as whole sentences with named places.

import { share } from "../views/patch/words.js";
import { capitalised, grouped, nearly, quote } from "../words/format.js";
import { modelLabel } from "../words/heads.js";

/** @import { StudyCircuit, StudyRequest, StudyRow, StudyStep } from "../types.d.ts" */
/** @typedef {NonNullable<StudyRequest["of"]>} Of */

export const MODEL = "Model";
export const NO_MODELS = "No model of this server gives answers that could be studied.";
export const BEGIN_WITH = "Begin with";
export const OWN_QUESTION = "a question of my own";
export const CLEAN = "Clean sentence";
export const CORRUPTED = "Corrupted sentence";
export const ANSWER = "Its answer";
export const WRONG = "The rival";
export const ANSWER_TITLE =
  "One token; begin it with a space where the model’s words do. Empty: the likeliest after the clean sentence.";
export const WRONG_TITLE =
  "The token that the answer competes with. Empty: the likeliest after the corrupted sentence.";
export const PAIRS = "Pairs";
export const SLOTS_ABOUT =
  "{A} is a slot. Words for each, between commas; slots of one sentence get different words.";
/** @param {string} name */
export const slot = (name) => `{${name}}`;
export const SOURCES = { templates: "Templates", lines: "My own pairs" };
export const SOURCE = "Where the sentences come from";
export const LINES = "A pair in each line: clean | corrupted | answer | rival";
export const LINES_ABOUT =
  "Answer and rival may be left out. A file of JSON lines, as headlight.study reads, can be opened, too.";
export const OPEN_FILE = "Open a file …";
/** @param {number} line */
export const wrongLine = (line) =>
  `Line ${line} is no pair. Expected: clean sentence | corrupted sentence | answer | rival, or a JSON object with clean and corrupted.`;
/** @param {string} name */
export const noWords = (name) => `Give words for ${slot(name)}, between commas.`;
export const NO_LINES = "Write at least one pair, or choose templates.";
/** @param {{n: number, most: number}} what */
export const tooMany = ({ n, most }) =>
  `These are ${grouped(n)} pairs; at most ${most} are studied at once. headlight.study in Python takes any number.`;

export const READS = "Answer";
export const LIKE = "Sentences to compare with, one in each line";
export const NO_LIKE = "Write a sentence to compare with.";
export const ASK = "Ask";
/** @type {Record<Of, {choice: string, about: string}>} */
export const ASKED = {
  patching: {
    choice: "what brings the answer back (patching)",
    about:
      "The corrupted sentence runs again and again, each time with one part as it is in the clean one. The share of the answer that comes back is the number.",
  },
  attribution: {
    choice: "what adds to the answer (attribution)",
    about:
      "Each part adds something to the lead of the answer over its rival in the clean sentence. The number is its share of the lead.",
  },
  mutes: {
    choice: "what muting a head does (mutes)",
    about:
      "Each head of the clean sentence is muted in turn. The number is the change of ln p(answer).",
  },
  circuit: {
    choice: "which few edges give the answer (circuit)",
    about:
      "An edge is what one part reads of another. All but a few carry the corrupted sentence. Edges are taken in the order of their estimates until they give nine tenths of the answer; then those that are not needed are dropped. A third of the pairs only checks the circuit.",
  },
  paths: {
    choice: "which paths carry the answer",
    about:
      "The edges from part to part that carry most of the lead, by the roles of their tokens. The number is a share of the lead.",
  },
};
export const AT = "Patch";
export const BY = "A cell for each";
export const BY_NAMES = { head: "head", position: "layer and role" };
export const RUN = "Measure";
export const RUNS = /** @type {const} */ ([
  ["all", "each part, in runs of its own"],
  ["0", "nothing: estimates alone"],
]);
export const RUN_TITLE =
  "Each part is a run of the model, so many heads take long. A gradient promises something of all parts at once.";

export const GO = "Study";
export const STOP = "Stop";
export const GO_ON = "Go on";
export const STARTING = "Making the pairs …";
/** @param {{done: number, n: number}} what */
export const progress = ({ done, n }) => `${done} of ${n} pairs`;
/** @param {{done: number, n: number}} what */
export const stopped = ({ done, n }) =>
  `Stopped after ${done} of ${n} pairs. What is here is of those; “Go on” continues.`;
export const ALL_FAIL =
  "No pair follows the rule: the model does not prefer the answer after the clean sentences. Try other words, or another model.";

/** The mean in a sentence. @param {Of} of @param {StudyRow} row */
export function meanInWords(of, row) {
  const value = row.mean ?? null;
  if (value === null) return `an estimated ${amount(of, row.estimate ?? 0)}`;
  const span =
    row.low === null || row.high === null
      ? ""
      : ` (in 95% of samples ${amount(of, row.low)} to ${amount(of, row.high)})`;
  return `${amount(of, value)}${span}`;
}

/** "66%", or nats. @param {Of} of @param {number} value */
export const amount = (of, value) => (of === "mutes" ? `${nearly(value)} nats` : share(value));

/** What each number is the number of. @param {Of} of @param {string} part @param {string} mean */
export const says = (of, part, mean) =>
  capitalised(
    {
      patching: `${part} brings back ${mean} of the answer.`,
      attribution: `${part} adds ${mean} of the lead.`,
      mutes: `Without ${part}, ln p(answer) changes by ${mean}.`,
      circuit: `${part} promises ${mean} of the answer.`,
      paths: `${part} carries ${mean} of the lead.`,
    }[of],
  );

/** @param {{part: string, mean: string, of: Of, n: number, left: number}} what `left`: the pairs that are left out */
export function outcome({ part, mean, of, n, left }) {
  const found = says(of, part, mean);
  const most =
    n === 1
      ? `${found} That is the most, in 1 sentence.`
      : `${found} That is the most, in ${n} sentences.`;
  if (left === 0) return most;
  return left === 1
    ? `${most} 1 pair does not follow the rule and is left out.`
    : `${most} ${left} pairs do not follow the rule and are left out.`;
}

/** The name of a part or an edge. @param {StudyRow} row @param {(place: {layer: number, head: number}) => string} headName */
export function partInWords({ kind, layer, head, role, sender, receiver, through }, headName) {
  if (sender && receiver) {
    const ends = `${wiredName(sender)} → ${wiredName(receiver)}`;
    return ["q", "k", "v"].includes(through ?? "") ? `${ends} (${through})` : ends;
  }
  const where = layer ?? 0;
  if (head !== undefined && head !== null) return headName({ layer: where, head });
  if (role) return `layer ${where} at ${role}`;
  const names = /** @type {Record<string, string>} */ (KINDS);
  const name = names[kind ?? ""] ?? `${kind}`;
  return layer === undefined || layer === null ? name : `${name} of layer ${layer}`;
}

const KINDS = {
  embedding: "the embedding",
  position: "the position",
  segment: "the segment",
  mlp: "the feed-forward network",
  mixer: "the mixer",
  bias: "the bias of W_O",
  norm: "the bias of a norm",
  intervention: "an intervention",
};

export const MLP = "feed-forward";
export const MAP = "Mean over the sentences";
/** @param {number} pair */
export const mapOf = (pair) => `Sentence ${pair + 1} alone`;
export const LEGEND =
  "Blue: more; orange: less than 0. Dotted: the interval holds 0, so that not even the sign is sure. Grey: not measured.";
export const LARGEST = "The largest";
export const SENTENCES = "Sentences";
export const CORRUPTED_COLUMN = "Corrupted";
export const SENTENCE_COLUMNS = ["No.", "Clean", CORRUPTED_COLUMN, "Answer", "Its lead", "In full"];
export const FOLLOWS = "follows the rule";
export const BREAKS = "does not follow the rule, and is left out of the mean";
export const NO_NUMBERS = "This pair does not follow the rule, so it has no numbers.";
export const ALL = "Mean of all";
export const BEFORE = "Sentence before";
export const NEXT = "Next sentence";
export const INSPECT = "Inspect";
export const SAVE_TABLE = "Save the table (CSV)";
export const SAVE_ALL = "Save everything (JSON)";

/** @param {string} answer @param {string | null | undefined} wrong */
export const answerInWords = (answer, wrong) =>
  wrong ? `${quote(answer.trim())}, not ${quote(wrong.trim())}` : quote(answer.trim());

/** @param {string} name */
export const modelName = (name) => modelLabel(name);

export const IDLE =
  "One sentence can mislead. Ask the same of many, and see what holds of all of them, how sure that is, and which sentences break the rule.";
export const HOW =
  "In a pair of sentences one thing differs, and the answer hangs on it. Tokens are compared by their role, {A} with {A}, wherever they stand.";

export const WIRING = "The circuit";
export const WIRING_ABOUT =
  "Read it from the tokens up. A thicker line promises more of the answer; q, k and v say through what a head reads. What is not drawn carries the corrupted sentence.";
/** @param {string} name */
export const wiredName = (name) =>
  name === "logit"
    ? "answer"
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
  return edges.length === 1
    ? `A circuit of 1 edge: ${wires}`
    : `A circuit of ${edges.length} edges: ${wires}`;
}
/** @param {StudyStep} step */
export const searching = ({ step, edges, faithfulness }) =>
  step === "add"
    ? `Searching: the first ${grouped(edges)} give ${share(faithfulness)} of the answer.`
    : `Searching: ${grouped(edges)} are enough for ${share(faithfulness)}.`;
/** @param {StudyCircuit} circuit */
export const circuitInWords = ({ edges, n_edges, faithfulness, held_out, without }) =>
  `${grouped(edges.length)} of ${grouped(n_edges)} edges give ${spanInWords(faithfulness)} of the answer, and ${spanInWords(held_out)} in the sentences that were held out. Without them, all the others give ${spanInWords(without)}.`;
/** @param {(number | null)[]} interval the value, and its ends */
const spanInWords = ([value, low, high]) =>
  low === null || high === null
    ? share(value ?? 0)
    : `${share(value ?? 0)} (${share(low)} to ${share(high)})`;
