// Answers that a recording holds beside its run (server/pages/export/answers.py): they are given to who asks the same.

/** @import { TraceJson } from "../../types.d.ts" */
/** @typedef {{name: string, settings: Record<string, any>, found: unknown}} Answer */

/**
 * @param {readonly Answer[]} answers
 * @param {TraceJson} trace
 * @returns {import("../types.d.ts").Answered}
 */
export function answersOf(answers, { predictions, predicted_at }) {
  const usual = {
    position: one(predicted_at ?? []),
    token: one((predictions ?? []).map((row) => row[0]?.id)),
  };
  /** What was asked, with null where it is what the model chooses by itself. @param {Record<string, any>} settings */
  const plain = ({ exact, ...settings }) =>
    JSON.stringify(
      Object.entries(settings)
        .map(([key, value]) => [key, value === usual[/** @type {"token"} */ (key)] ? null : value])
        .filter(([, value]) => value !== null && value !== false)
        .sort(),
    );
  const found = new Map(
    answers.map(({ name, settings, found }) => [name + plain(settings), found]),
  );
  return {
    /** @param {string} name @param {any} asked */
    to: (name, asked) =>
      asked && typeof asked === "object" ? (found.get(name + plain(asked)) ?? null) : null,
    names: new Set(answers.map(({ name }) => name)),
  };
}

/** What all texts have in common; undefined: nothing. @template T @param {readonly T[]} values */
const one = (values) => (values.every((value) => value === values[0]) ? values[0] : undefined);
