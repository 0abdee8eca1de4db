// What the page says and how it colours, as JSON: the tests of headlight/figures compare it with their own.
import { scale } from "../../static/js/draw/color.js";
import { OWN_MASKS, REASONS } from "../../static/js/state/masks.js";
import { MATRIX_ROWS } from "../../static/js/state/matrices.js";
import { label } from "../../static/js/words/format.js";
import { explain } from "../../static/js/words/hatch.js";
import { headName } from "../../static/js/words/heads.js";
import { editsInWords, textInWords } from "../../static/js/words/picture.js";

const asked = JSON.parse(process.argv[2]);
const rgb = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
const model = { takes_targets: true, takes_pairs: true };
process.stdout.write(
  JSON.stringify({
    scales: asked.scales.map((stops) => Array.from(scale(stops.map(rgb)))),
    reasons: REASONS.map(({ bit, words, angle }) => ({ bit, words, angle })),
    matrices: MATRIX_ROWS.filter(({ of }) => of === "head"),
    labels: asked.labels.map((text) => label({ text })),
    explained: asked.bits.map(explain),
    heads: asked.kinds.map((kind) => headName({ kind, layer: 2 }, 3)),
    edits: asked.edits.map(({ masks, muted }) =>
      editsInWords({ masks: { ...OWN_MASKS, ...masks }, muted }),
    ),
    texts: asked.texts.map((choice) => textInWords(choice, 1, model)),
  }),
);
