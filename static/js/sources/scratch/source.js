// "From scratch" as a source with settings: its row in sources.js.

import { gettext } from "../../language/gettext.js";
import { configured, DEFAULT, NAME, read, write } from "./settings.js";
import { withTargets } from "./texts.js";
import { changesInWords, differenceInWords, scratchInWords, sizeInWords } from "./words.js";

/** @import { Scratch } from "../../types.d.ts" */

/** @type {import("../sources.js").Source} */
export const SCRATCH = {
  name: NAME,
  label: gettext("From scratch"),
  initial: DEFAULT,
  read,
  write,
  upload: "weights",
  configured,
  // cross-attention shows nothing without a target; a decoder may start without one
  fit: ({ targets, texts }, { takes_targets }) =>
    takes_targets ? { targets: withTargets(targets, texts.length) } : {},
  tokenization: ({ tokens = "words" }) => tokens,
  size: ({ scratch }) => (scratch ? sizeInWords(scratch) : ""),
  inWords: scratchInWords,
  difference: differenceInWords,
  changes: changesInWords,
  isRandom: ({ weights }) => weights === undefined,
  program: (settings, { name }, literal) => ({
    library: settings.weights ? ["from pathlib import Path"] : [],
    imports: [
      "from model.scratch.mechanisms import configure",
      "from model.sources.scratch import ScratchSource",
    ],
    source: `ScratchSource(${literal(name)})`,
    settings: configuration(settings, literal),
  }),
};

/** A mechanism with the settings that were changed. @param {Scratch} scratch @param {(value: unknown) => string} literal */
function configuration({ mechanism, weights, ...changed }, literal) {
  const changes = Object.entries(changed).map(([name, value]) => [literal(name), literal(value)]);
  const given =
    changes.length > 0 ? [`{${changes.map((pair) => pair.join(": ")).join(", ")}}`] : [];
  const file = weights === undefined ? [] : ['weights=Path("weights.safetensors").read_bytes()'];
  return `configure(${[literal(mechanism), ...given, ...file].join(", ")})`;
}
