// The numbers of a panel as CSV, with a header. A missing number is an empty field, so that it does not look like a 0.

import { csvTable } from "../../words/format.js";
import { labelOf } from "../../words/labels.js";
import { CSV_COLUMNS } from "./words.js";

/** @import { HeadScores, Listed } from "../../types.d.ts" */

/** Every head with its scores; an undefined score is empty. @param {HeadScores[]} heads */
export function headsCsv(heads) {
  const metrics = /** @type {import("../../types.d.ts").MetricName[]} */ (
    Object.keys(heads[0]?.scores ?? {})
  );
  const rows = heads.map((one) => [
    one.layer,
    one.head,
    labelOf(one, null).name,
    ...metrics.map((name) => one.scores[name]?.value ?? null),
  ]);
  return csvTable([...CSV_COLUMNS.heads, ...metrics], rows);
}

/** @param {Listed[]} predictions */
export const predictionsCsv = (predictions) =>
  csvTable(
    CSV_COLUMNS.predictions,
    predictions.map(({ id, text, probability, unedited }) => [
      id,
      text,
      probability,
      unedited ?? null,
    ]),
  );

/** @param {import("../../types.d.ts").Lens} lens */
export const lensCsv = ({ stages }) =>
  csvTable(
    CSV_COLUMNS.lens,
    stages.flatMap(({ name, candidates, final }) =>
      candidates.map(({ id, text, probability }, rank) => [
        name,
        rank + 1,
        id,
        text,
        probability,
        final.probability,
      ]),
    ),
  );

/** @param {{token: {id: number, text: string}, effects: import("../effects/ranked.js").Effect[]}} answer */
export const effectsCsv = ({ token, effects }) =>
  csvTable(
    CSV_COLUMNS.effects,
    effects.map(({ kind, layer, head, change, before, after, isEstimate, reason }) => [
      kind,
      layer,
      head,
      change,
      before,
      after,
      token.id,
      token.text,
      isEstimate ? "estimate" : (reason ?? ""),
    ]),
  );
