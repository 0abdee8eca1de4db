// Follows a run: everything first, then its points as they come. A stream that breaks is opened again.

import { ApiError } from "../api/errors.js";
import { eventsOf } from "../api/events.js";
import { pause as wait } from "../api/pauses.js";
import { reach } from "../api/reach.js";

/** @import { TrainingPoint, TrainingResponse } from "../types.d.ts" */

const AGAIN_S = 1.5;
const GOES_ON = ["waiting", "training"];

/**
 * @param {string} id
 * @param {object} page
 * @param {(run: TrainingResponse) => void} page.onRun called with every new state of it
 * @param {(problem: string) => void} page.onProblem "" once it is over
 * @param {AbortSignal} page.signal
 * @param {{reach: typeof reach, pause: (seconds: number) => Promise<void>}} [by]
 */
export async function follow(id, { onRun, onProblem, signal }, by = { reach, pause: wait }) {
  /** @type {TrainingResponse | null} */
  let run = null;
  while (!signal.aborted && (run === null || GOES_ON.includes(run.state))) {
    try {
      const { body } = await by.reach(`/api/training/${id}/events`, { signal });
      if (!body) return;
      for await (const { name, data } of eventsOf(body)) {
        if (signal.aborted) return;
        onProblem("");
        if (name === "beat") continue;
        const told = JSON.parse(data);
        run =
          name === "run"
            ? told
            : {
                .../** @type {any} */ (run),
                points: [.../** @type {any} */ (run).points, ...told.points],
              };
        if (run) onRun(run);
      }
    } catch (error) {
      if (signal.aborted) return;
      const problem = error instanceof Error ? error.message : String(error);
      if (error instanceof ApiError && !error.retry) return onProblem(problem);
      onProblem(problem);
    }
    if (run === null || GOES_ON.includes(run.state)) await by.pause(AGAIN_S);
  }
}

/**
 * The points of each network in the order of their steps; one that is told again replaces itself.
 * @param {Pick<TrainingResponse, "points" | "lanes">} run
 * @returns {TrainingPoint[][]}
 */
export function byLane({ points, lanes }) {
  const found = lanes.map(() => /** @type {Map<number, TrainingPoint>} */ (new Map()));
  for (const point of points) found[point.lane].set(point.step, point);
  return found.map((steps) => [...steps.values()].sort((one, other) => one.step - other.step));
}
