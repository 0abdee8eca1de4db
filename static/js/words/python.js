// A short Python program that prints the numbers of the selected head: with Transformers alone if that is enough, else with
// Headlight's own package. Pure.

import { sourceOf } from "../sources/sources.js";
import { areEdited, changedMasks } from "../state/masks.js";
import { isOfHead } from "../state/matrices.js";
import { label } from "./format.js";

/** @import { Cell, Choice, Kind, Masks, Model, Token } from "../types.d.ts" */

const SHIPPED = "shipped"; // the model that is in the package
/** The output of Transformers for each kind of site. */
const OUTPUTS = {
  self: "attentions",
  encoder: "encoder_attentions",
  decoder: "decoder_attentions",
  cross: "cross_attentions",
};

/**
 * @param {Pick<Choice, "model" | "scratch" | "texts" | "targets" | "pairs" | "special_tokens" | "masks" | "muted" | "interventions" | "kind" | "layer" | "head" | "matrix">} choice
 * @param {Pick<Model, "name" | "library_class" | "takes_targets" | "takes_pairs" | "tensors">} model
 * @param {{text: number, row: number, tokens: Token[], targets: Token[] | null, queries: Token[]}} seen the text and the row that the page shows
 * @returns {string} a program
 */
export function pythonOf(choice, model, seen) {
  const library = model.library_class;
  const plain =
    library !== null &&
    choice.matrix === "pattern" &&
    !areEdited(choice.masks) &&
    choice.muted.length === 0 &&
    !choice.interventions?.length &&
    !seen.tokens.some(({ padding }) => padding) &&
    !(seen.targets ?? []).some(({ padding }) => padding);
  const body = plain ? transformers(choice, model, seen, library) : headlight(choice, model, seen);
  const shown = `${choice.matrix}[${seen.row}]`;
  return `${[
    `# ${heading(choice, plain)}`,
    ...body,
    "",
    "torch.set_printoptions(precision=4, sci_mode=False)",
    `print(${choice.matrix}.shape)  # query, key`,
    `print(${shown})  # the row of ${comment(label(seen.queries[seen.row]))}`,
  ].join("\n")}\n`;
}

/** @param {Parameters<typeof pythonOf>[0]} choice @param {boolean} plain */
function heading({ model, kind, layer, head, matrix }, plain) {
  const where = `${kind === "self" ? "" : `${kind} `}layer ${layer}, head ${head}`;
  const of = !isOfHead(matrix) ? `attention ${matrix}` : `${matrix} of ${where}`;
  const needs = plain ? "torch and transformers" : "Headlight's package (pip install -e .)";
  return `${comment(model)}: ${of}. Needs ${needs}.`;
}

/**
 * @param {Parameters<typeof pythonOf>[0]} choice
 * @param {Parameters<typeof pythonOf>[1]} model
 * @param {Parameters<typeof pythonOf>[2]} seen
 * @param {string} library the model's class
 */
function transformers(choice, model, { text, targets }, library) {
  const { texts, pairs, special_tokens, kind, layer, head } = choice;
  const pair = model.takes_pairs && pairs ? [`    ${py(pairs[text] ?? "")},`] : [];
  const decoder = targets
    ? [
        "# the input of the decoder: its start token, then the target",
        `decoder_input = torch.tensor([${py(targets.map(({ id }) => id))}])`,
      ]
    : [];
  const more = targets ? "decoder_input_ids=decoder_input, " : "";
  return [
    "import torch",
    `from transformers import AutoTokenizer, ${library}`,
    "",
    ...place(model),
    "tokenizer = AutoTokenizer.from_pretrained(CHECKPOINT)",
    `model = ${library}.from_pretrained(`,
    '    CHECKPOINT, attn_implementation="eager", dtype=torch.float32',
    ").eval()",
    "batch = tokenizer(",
    `    ${py(texts[text])},`,
    ...pair,
    '    return_tensors="pt", padding=False, truncation=False,',
    ...(special_tokens === false ? ["    add_special_tokens=False,"] : []),
    ")",
    ...decoder,
    "with torch.inference_mode():",
    `    out = model(**batch, ${more}output_attentions=True)`,
    `pattern = out.${OUTPUTS[kind]}[${layer}][0, ${head}]`,
  ];
}

/** A placeholder: the page does not know where the checkpoint is. @param {{name: string}} model */
const place = ({ name }) => [`CHECKPOINT = ${py(`folder or hub id of ${name}`)}`];

/**
 * @param {Parameters<typeof pythonOf>[0]} choice
 * @param {Parameters<typeof pythonOf>[1]} model
 * @param {Parameters<typeof pythonOf>[2]} seen
 */
function headlight(choice, model, { text }) {
  const { texts, targets, pairs, special_tokens, masks, muted, interventions = [] } = choice;
  const { kind, layer, head, matrix } = choice;
  const own = model.name === SHIPPED;
  const source = sourceOf(model.name);
  const program = source?.program(choice[source.name], model, py);
  const cells = masks.blocked.length + masks.allowed.length > 0;
  const given = maskArguments(masks);
  /** @param {string[]} all */
  const each = (all) => texts.map((_, at) => all[at] ?? "");
  return [
    ...(program?.library.length ? [...program.library, ""] : []),
    "import torch",
    "",
    ...(isOfHead(matrix) ? [] : [`from model.analysis.${matrix} import ${matrix} as compute`]),
    ...(interventions.length > 0 ? ["from model.interventions import Intervention"] : []),
    ...(own ? ["from model.core.checkpoint import SHIPPED"] : []),
    ...(given.length > 0
      ? [`from model.masks.rules import ${cells ? "Cell, " : ""}MaskSettings`]
      : []),
    ...(program?.imports ??
      (own
        ? ["from model.sources.native import NativeSource"]
        : ["from model.sources.opening import open_source"])),
    `from model.sources.source import Inputs${muted.length > 0 ? ", MutedHead" : ""}`,
    "",
    ...(own || program ? [] : place(model)),
    program
      ? `source = ${program.source}`
      : own
        ? `source = NativeSource(${py(model.name)}, SHIPPED)`
        : `source = open_source(${py(model.name)}, CHECKPOINT)`,
    "inputs = Inputs(",
    `    texts=${tuple(texts.map(py), 4)},`,
    ...(program ? [`    settings=${program.settings},`] : []),
    ...(model.takes_targets ? [`    targets=${tuple(each(targets).map(py), 4)},`] : []),
    ...(model.takes_pairs && pairs ? [`    pairs=${tuple(each(pairs).map(py), 4)},`] : []),
    ...(special_tokens === false && !program ? ["    special_tokens=False,"] : []),
    ...(given.length > 0 ? ["    masks=MaskSettings(", ...given, "    ),"] : []),
    ...(muted.length > 0
      ? [
          `    muted=${tuple(
            muted.map((one) => `MutedHead(${one.map(py).join(", ")})`),
            4,
          )},`,
        ]
      : []),
    ...(interventions.length > 0
      ? [`    interventions=${tuple(interventions.map(intervention), 4)},`]
      : []),
    ")",
    "with torch.inference_mode():",
    "    trace = source.trace(inputs)",
    ...(!isOfHead(matrix)
      ? [`    ${matrix} = compute(trace)[${text}]`]
      : [
          `    site = next(s for s in trace.sites if (s.kind, s.layer) == (${py(kind)}, ${layer}))`,
          `    found = site.derive([${py(matrix)}], heads=[${head}], text=${text})`,
          `${matrix} = found[${py(matrix)}][0, 0]`,
        ]),
  ];
}

/** The masks that differ from the model's own. @param {Masks} masks */
function maskArguments(masks) {
  return changedMasks(masks).map(({ name }) => {
    const value = masks[name];
    return `        ${name}=${Array.isArray(value) ? tuple(value.map(cell), 8) : py(value)},`;
  });
}

/** @param {Cell} painted an axis that is null stands for all of it */
function cell(painted) {
  const axes = /** @type {const} */ (["text", "layer", "head", "query", "key", "kind"]);
  const named = axes.filter((axis) => painted[axis] !== null && painted[axis] !== undefined);
  return `Cell(${named.map((axis) => `${axis}=${py(painted[axis])}`).join(", ")})`;
}

/** @param {Choice["interventions"][number]} one */
function intervention(one) {
  /** @param {unknown} value @returns {string} */
  const frozen = (value) =>
    Array.isArray(value) ? `(${value.map((item) => `${frozen(item)},`).join(" ")})` : py(value);
  const fields = Object.entries(one).map(([name, value]) => `${name}=${frozen(value)}`);
  return `Intervention(${fields.join(", ")})`;
}

/** A tuple, with one entry per line if there are several. @param {string[]} entries @param {number} indent */
function tuple(entries, indent) {
  if (entries.length === 1) return `(${entries[0]},)`;
  const space = " ".repeat(indent);
  return `(\n${entries.map((entry) => `${space}    ${entry},\n`).join("")}${space})`;
}

/**
 * A Python literal. JSON strings are valid Python; invisible characters and marks of text direction are escaped.
 * @param {unknown} value
 * @returns {string}
 */
export function py(value) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(py).join(", ")}]`;
  return JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (mark) => {
    const point = mark.codePointAt(0) ?? 0;
    const long = point > 0xffff;
    return `\\${long ? "U" : "u"}${point.toString(16).padStart(long ? 8 : 4, "0")}`;
  });
}

/** Text that fits in a one-line comment. @param {string} text */
const comment = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
