// A program of a lesson: the reader changes it, runs it, and is told what each line made and where it differs.

import { ApiError } from "../../api/errors.js";
import { runProgram } from "../../api/server.js";
import { button, make, write } from "../../dom/dom.js";
import { mark } from "../progress.js";
import { editor } from "./editor.js";
import { isSolved, showOutcome } from "./outcome.js";
import {
  AFTER_TRIES,
  AGAIN,
  BRING_BACK,
  CHANGED,
  CHECK,
  hintButton,
  NOT_RUN,
  RECORDED,
  RUN,
  RUNNING,
  SOLVED_BEFORE,
} from "./words.js";

/** @import { LessonBoot, ProgramAnswer } from "../../types.d.ts" */

const TRIES = 3; // after which a solution can be looked at

/**
 * @param {HTMLElement} root the figure of the template
 * @param {LessonBoot["programs"][string]} told
 * @param {{name: string, slug: string, runs: boolean}} where `runs`: whether the server runs programs
 */
export function program(root, told, { name, slug, runs }) {
  const caption = root.querySelector("figcaption")?.textContent ?? "";
  const solution = root.querySelector("details");
  const stored = `program/${slug}/${name}`;
  const kept = read(stored);
  const readOnly = !runs || told.recorded !== null;
  const status = make("p", { class: "program-status faint" });
  status.setAttribute("role", "status");
  const output = make("div", { class: "program-output" });
  const hints = make("ul", { class: "program-hints" });
  let tries = kept?.solved ? TRIES : 0;
  let running = false;
  /** What was there before the reader started over. @type {string | null} */
  let thrown = null;

  const field = editor(readOnly ? told.code : (kept?.code ?? told.code), caption, {
    change: () => {
      field.mark(null);
      field.show([]);
      thrown = null;
      write(again, AGAIN);
      if (output.childElementCount) write(status, CHANGED);
      keep(stored, { code: field.area.value, solved: root.dataset.solved === "true" });
    },
    run,
  });
  field.area.readOnly = readOnly;
  const start = button(told.checked ? CHECK : RUN, run, { class: "program-run" });
  const again = button(AGAIN, startOver, { class: "quiet" });
  const hint = button("", oneMore, { class: "quiet" });
  const bar = make("div", { class: "program-bar" }, [start, hint, again, status]);
  again.hidden = readOnly;
  start.hidden = !runs && told.recorded === null;
  if (start.hidden) write(status, NOT_RUN);
  else if (told.recorded) write(status, RECORDED);
  else if (kept?.solved) write(status, SOLVED_BEFORE);
  root.querySelector("pre")?.replaceWith(field.root, bar, hints, output);
  root.dataset.solved = String(Boolean(kept?.solved));
  revealHints(0);
  reveal();

  async function run() {
    if (running || start.hidden) return;
    running = true;
    start.disabled = true;
    write(status, RUNNING);
    try {
      const code = field.area.value;
      show(told.recorded ?? (await runProgram(slug, name, code)), code);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      write(status, error.message);
    } finally {
      running = false;
      start.disabled = false;
    }
  }

  /** @param {ProgramAnswer} answer @param {string} code */
  function show(answer, code) {
    const isAsRun = field.area.value === code;
    field.show(isAsRun ? answer.values : []);
    field.mark(isAsRun ? (answer.error?.line ?? null) : null);
    showOutcome(output, answer);
    const solved = isSolved(answer.checks);
    const isTry = answer.checks.length > 0 && code !== told.code; // it ran, and it is the reader's
    if (isTry && !solved) tries += 1;
    if (solved) {
      mark(slug, `program/${name}`);
      tries = TRIES;
      root.dataset.solved = "true";
    }
    keep(stored, { code: field.area.value, solved: root.dataset.solved === "true" });
    write(status, told.recorded ? RECORDED : isAsRun ? "" : CHANGED);
    if (tries === TRIES && !solved && solution?.hidden) write(status, AFTER_TRIES);
    reveal();
  }

  function startOver() {
    const code = thrown ?? told.code;
    thrown = thrown === null && field.area.value !== told.code ? field.area.value : null;
    write(again, thrown === null ? AGAIN : BRING_BACK);
    field.write(code);
    field.mark(null);
    field.show([]);
    output.replaceChildren();
    write(status, "");
    keep(stored, { code, solved: root.dataset.solved === "true" });
    field.area.focus();
  }

  function oneMore() {
    const n = hints.childElementCount;
    hints.append(make("li", { text: told.hints[n] }));
    revealHints(n + 1);
  }

  /** @param {number} n how many are shown */
  function revealHints(n) {
    const all = told.hints.length;
    hint.hidden = n === all || readOnly;
    write(hint, hintButton({ n: n + 1, all }));
  }

  function reveal() {
    if (solution) solution.hidden = tries < TRIES && !readOnly;
  }
}

/** What the reader wrote here before. @param {string} name @returns {{code: string, solved: boolean} | null} */
function read(name) {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? "null");
    return typeof kept?.code === "string"
      ? { code: kept.code, solved: kept.solved === true }
      : null;
  } catch {
    return null; // storage is blocked, or somebody else wrote there
  }
}

/** @param {string} name @param {{code: string, solved: boolean}} what */
function keep(name, what) {
  try {
    localStorage.setItem(name, JSON.stringify(what));
  } catch {
    // storage is blocked or full: the program lives as long as the page
  }
}
