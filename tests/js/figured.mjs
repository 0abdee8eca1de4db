// What the page says and how it colours, as JSON: the tests of headlight/figures compare it with their own.
import { scale, shareAt } from "../../static/js/draw/color.js";
import { sentences } from "../../static/js/language/gettext.js";
import { OWN_MASKS, REASONS } from "../../static/js/state/masks.js";
import { MATRIX_ROWS } from "../../static/js/state/matrices.js";
import { coloursOf } from "../../static/js/views/lines/heads.js";
import { linesOf, seriesOf } from "../../static/js/views/lines/strengths.js";
import { captionOf, notes, sideNames, titleOf } from "../../static/js/views/lines/words.js";
import { axisTitles } from "../../static/js/words/axes.js";
import { label, shorten, weight } from "../../static/js/words/format.js";
import { blockedBy, explain } from "../../static/js/words/hatch.js";
import { headName } from "../../static/js/words/heads.js";
import { editsInWords, sumsInWords, textInWords } from "../../static/js/words/picture.js";

const asked = JSON.parse(process.argv[2]);
const rgb = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** Heads as lines: their strengths, colours and words. */
function linesIn({ heads, matrices, rows, cols, most }) {
  const every = (n) => Array.from({ length: n }, (_, index) => index);
  const shown = { from: every(rows), to: every(cols) };
  const [own, ...others] = heads;
  const series = matrices.map((data, index) =>
    seriesOf(
      { name: "", colour: index, matrix: { rows, cols, data }, blocked: null },
      { shown, renormalise: false, mass: 1 },
    ),
  );
  const faded = { queries: every(rows).fill(false), keys: every(cols).fill(false) };
  const drawn = linesOf(series, shown, faded, most);
  const { by, colours, groups } = coloursOf(others);
  const picture = {
    matrix: "pattern",
    asked: "pattern",
    series,
    shown,
    by,
    specials: "shown",
    mass: 1,
    missing: 0,
    left: 0,
    block: false,
  };
  const detail = { site: { kind: "self", layer: own[0] }, head: own[1] };
  return {
    drawn,
    colours,
    legend: groups.map(({ name }) => name),
    title: titleOf(picture, detail),
    notes: sentences(notes(picture, drawn, 0)),
    caption: captionOf(picture, rows),
  };
}

process.stdout.write(
  JSON.stringify({
    scales: asked.scales.map((stops) => Array.from(scale(stops.map(rgb)))),
    diverging: asked.scales.map((stops) => Array.from(scale(stops.map(rgb), 2))),
    steps: asked.steps.map((steps) => asked.places.map((place) => shareAt(place, steps))),
    reasons: REASONS.map(({ bit, words, angle }) => ({ bit, words, angle })),
    matrices: MATRIX_ROWS.filter(({ of }) => of === "head"),
    labels: asked.labels.map((text) => label({ text })),
    shortened: asked.long.map((text) => [2, 3, 4].map((most) => shorten(text, most))),
    explained: asked.bits.map(explain),
    legend: REASONS.map(blockedBy),
    axes: asked.kinds.map(axisTitles),
    numbers: asked.numbers.map((value) => weight(value)),
    sums: asked.sums.map((site) => sumsInWords(site)),
    heads: asked.kinds.map((kind) => headName({ kind, layer: 2 }, 3)),
    edits: asked.edits.map(({ masks, muted }) =>
      editsInWords({ masks: { ...OWN_MASKS, ...masks }, muted }),
    ),
    lines: asked.lines.map(linesIn),
    sides: asked.kinds.map(sideNames),
    texts: asked.texts.map((choice) =>
      textInWords(choice, 1, { takes_targets: choice.targets !== null, takes_pairs: true }),
    ),
  }),
);
