// A run as it goes: for each network its curves, its heads, and what it says on lines that it has never seen.

import { button, make, write } from "../dom/dom.js";
import { chart } from "./chart.js";
import { byLane } from "./follow.js";
import { lineOf } from "./form.js";
import { grid } from "./grid.js";
import * as words from "./words.js";

/** @import { TrainedNetwork, TrainingPoint, TrainingResponse } from "../types.d.ts" */

/**
 * @param {HTMLElement} root
 * @param {{stop: () => void, resume: () => void, scheme: () => "light" | "dark"}} page
 */
export function runView(root, { stop, resume, scheme }) {
  const state = make("p", { class: "train-state" });
  state.setAttribute("role", "status");
  const problem = make("p", { class: "hint" });
  problem.setAttribute("role", "status");
  const act = button("", () => (act.textContent === words.STOP ? stop() : resume()), {
    class: "quiet",
  });
  const verdict = make("p", { class: "train-verdict" });
  verdict.setAttribute("role", "status");
  const variants = make("div", { class: "train-variants" });
  const idle = make("div", { class: "train-idle" }, [
    make("p", { text: words.IDLE }),
    make("h2", { text: words.QUESTIONS_TITLE }),
    make("ul", {}, words.QUESTIONS.map(ask)),
  ]);
  const head = make("div", { class: "train-head" }, [state, act]);
  root.replaceChildren(idle, head, problem, verdict, variants);
  head.hidden = true;
  /** @type {ReturnType<typeof variant>[]} */
  let made = [];
  let id = "";

  /** @param {TrainingResponse} run */
  const show = (run) => {
    idle.hidden = true;
    head.hidden = false;
    write(state, words.stateInWords(run));
    const goesOn = run.state === "waiting" || run.state === "training";
    act.textContent = goesOn ? words.STOP : words.RESUME;
    act.hidden = !run.own || !(goesOn || run.state === "stopped" || run.state === "failed");
    const n = 1 + Math.max(...run.lanes.map((lane) => lane.variant));
    if (run.id !== id) {
      id = run.id;
      made = Array.from({ length: n }, () => variant(scheme));
      variants.replaceChildren(...made.map((one) => one.root));
    }
    const points = byLane(run);
    const last = Math.max(100, ...points.flat().map(({ step }) => step));
    const loss = Math.max(...points.flat().map(({ score }) => score?.loss ?? 0)) || 1;
    const names = made.map((_, at) => nameOf(run, at));
    write(verdict, run.state === "ended" ? words.verdict(run, names, points) : "");
    made.forEach((one, at) => {
      const lanes = run.lanes.flatMap((lane, place) =>
        lane.variant === at ? [{ lane, points: points[place] }] : [],
      );
      one.show(run, lanes, { last, loss, name: names[at] });
    });
  };
  return {
    show,
    /** @param {string} text */
    problem: (text) => write(problem, text),
    repaint: () => {
      for (const one of made) one.repaint();
    },
  };
}

/** @param {(typeof words.QUESTIONS)[number]} question */
function ask({ text, query }) {
  const link = make("a", { text });
  link.href = `/train?${query}`;
  return make("li", {}, [link]);
}

/** What tells a network from the other one. @param {TrainingResponse} run @param {number} at */
function nameOf({ lanes, task }, at) {
  const [one, other] = [0, 1].map(
    (variant) => lanes.find((lane) => lane.variant === variant)?.network,
  );
  const own = at === 0 ? one : other;
  const differs = Object.keys(own ?? {}).filter(
    (name) => name !== "seed" && one && other && one[name] !== other[name],
  );
  if (differs.length === 0) return words.inLanguage(task).name;
  return differs.map((name) => words.settingInWords(name, own?.[name])).join(", ");
}

/** One network, from one or several seeds. @param {() => "light" | "dark"} scheme */
function variant(scheme) {
  const title = make("h2");
  const now = make("p");
  const place = make("div");
  const heads = grid(scheme);
  const lines = make("ul", { class: "train-lines" });
  const links = make("p", { class: "train-links" });
  const rest = make("div", {}, [heads.root, make("h3", { text: words.LINES }), lines, links]);
  const root = make("article", { class: "train-variant panel" }, [title, now, place, rest]);

  /**
   * @param {TrainingResponse} run
   * @param {{lane: TrainedNetwork, points: TrainingPoint[]}[]} lanes
   * @param {{last: number, loss: number, name: string}} about `loss`: the largest of the run
   */
  const show = ({ id, task, state }, lanes, { last, loss, name }) => {
    write(title, name);
    const [{ lane, points }] = lanes;
    const newest = soFar(points.at(-1), state);
    rest.hidden = !newest;
    if (!newest) return;
    const shares = lanes.flatMap((one) => one.points.at(-1)?.score?.accuracy ?? []);
    const said = [words.endInWords(task, newest, lane), words.spreadInWords(shares)]
      .join(" ")
      .trim();
    write(now, said);
    const seeds = lanes.map((one) => one.points);
    const { chance, goal } = task;
    place.replaceChildren(
      chart(seeds, {
        of: ({ score }) => score?.accuracy ?? null,
        most: 1,
        last,
        guessing: chance,
        goal,
        caption: words.CURVE,
        said: words.curveInWords({ now: said, chance }),
      }),
      chart(seeds, {
        of: ({ score }) => score?.loss ?? null,
        most: loss,
        last,
        guessing: chance > 0 ? -Math.log(chance) : null,
        goal: null,
        caption: words.LOSS,
        said: words.lossInWords(newest.score?.loss ?? null),
      }),
    );
    rest.hidden = newest.shown.length === 0; // its numbers are no longer any
    if (rest.hidden) return;
    heads.show(newest, lane);
    lines.replaceChildren(...newest.shown.map(answered));
    links.replaceChildren(...lanes.flatMap((one) => open(id, one, newest, lanes.length > 1)));
  };
  return { root, show, repaint: heads.repaint };
}

/** The newest point; one that was stopped goes on. @param {TrainingPoint | undefined} point @param {TrainingResponse["state"]} state */
function soFar(point, state) {
  return point?.ended === "stopped" && state !== "stopped" ? { ...point, ended: null } : point;
}

/** A line with what the network says in the places that are asked. @param {TrainingPoint["shown"][number]} shown */
function answered({ line, asked, said }) {
  const letters = [...line];
  const made = lineOf(line, asked);
  asked.forEach((at, place) => {
    const right = said[place] === letters[at];
    made[at].className = right ? "right" : "wrong";
    made[at].textContent = said[place] === words.BOS ? "·" : said[place];
    made[at].title = words.answerTitle(right, said[place], letters[at]);
  });
  return make("li", { class: "train-line" }, made);
}

/** Links into the inspector, and to a file. @param {string} id @param {{lane: TrainedNetwork, points: TrainingPoint[]}} of @param {TrainingPoint} point @param {boolean} isOne of several */
function open(id, { lane: { model, seed }, points }, { shown }, isOne) {
  if (model === null) return [];
  const link = make("a", { text: isOne ? `${words.OPEN}: ${words.SEED(seed)}` : words.OPEN });
  link.href = `/?${new URLSearchParams({ model, text: shown[0].line, depth: "full", right: "film" })}`;
  const file = make("a", { text: words.SAVE, title: words.SAVE_TITLE });
  file.href = `/api/training/${id}/${points.at(-1)?.lane}/file`;
  file.download = "";
  return [make("span", {}, [link, file])];
}
