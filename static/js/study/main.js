// The page of studies: a form, and what is found while the pairs are asked about.

import { refusal } from "../api/errors.js";
import { eventsOf } from "../api/events.js";
import { reach } from "../api/reach.js";
import { button, make, need, write } from "../dom/dom.js";
import { languages, scheme } from "../page/chrome.js";
import { gives, KINDS } from "../state/address/answers.js";
import { Form } from "./form.js";
import { resultView } from "./result.js";
import * as words from "./words.js";

/** @import { Model } from "../types.d.ts" */
/** @import { Study } from "./result.js" */

const root = need("#study", HTMLFormElement);
const go = need("#study-go", HTMLButtonElement);
const said = need("#study-said", HTMLElement);
const idle = need("#study-idle", HTMLElement);

/** @type {"light" | "dark"} */
let colours = "light";
const result = need("#study-result", HTMLElement);
const view = resultView(result, () => colours);
languages();
scheme((chosen) => {
  colours = chosen;
  view.repaint();
});

/** What is going on; null: nothing. @type {AbortController | null} */
let running = null;
const bar = make("progress");
bar.hidden = true;
bar.setAttribute("aria-label", words.GO);
const stop = button(words.STOP, () => running?.abort(), { class: "quiet" });
stop.hidden = true;
go.after(stop, bar);

/** @param {Form} form @param {Model[]} models */
async function run(form, models) {
  const problem = form.problem();
  if (problem) return write(said, problem);
  running?.abort();
  const own = new AbortController();
  running = own;
  const request = form.request();
  const query = form.address();
  history.replaceState(null, "", query.size > 0 ? `?${query}` : location.pathname);
  const model = models.find(({ name }) => name === request.model) ?? models[0];
  /** @type {Study} */
  const study = { request, model, n: 0, pairs: [], table: { n: 0, rows: [] }, circuit: null };
  write(said, words.STARTING);
  stop.hidden = bar.hidden = false;
  bar.removeAttribute("value");
  try {
    const { body } = await reach("/api/study", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal: own.signal,
    });
    if (body)
      for await (const { name, data } of eventsOf(body)) {
        const told = JSON.parse(data);
        if (name === "error") throw refusal(told.status, told.error, told.retry_after);
        if (name === "begin") study.n = bar.max = told.n;
        if (name === "pair") {
          study.pairs.push(told);
          bar.value = study.pairs.length;
          write(said, words.progress({ done: study.pairs.length, n: study.n }));
        }
        if (name === "step") write(said, words.searching(told));
        if (name === "circuit") {
          study.circuit = told;
          view.show(study);
        }
        if (name === "table") {
          study.table = told;
          view.show(study);
          if (!idle.hidden) result.scrollIntoView({ block: "nearest" }); // below the form on a phone
          idle.hidden = true;
        }
      }
    write(said, study.pairs.length < study.n ? stoppedAt(study) : "");
    go.textContent = words.GO;
  } catch (error) {
    if (running !== own) return; // another study has begun
    if (own.signal.aborted) {
      write(said, stoppedAt(study));
      go.textContent = words.GO_ON;
    } else write(said, error instanceof Error ? error.message : String(error));
  } finally {
    if (running === own) {
      running = null;
      stop.hidden = bar.hidden = true;
    }
  }
}

/** @param {Study} study */
const stoppedAt = ({ pairs, n }) => words.stopped({ done: pairs.length, n });

async function begin() {
  /** @type {{models: Model[]}} */
  const { models } = await (await reach("/api/models", {})).json();
  const known = models.filter(
    (model) =>
      model.state !== "ready" ||
      model.predicts !== null ||
      KINDS.some((kind) => kind !== null && gives({ kind }, model)),
  );
  if (known.length === 0) throw new Error(words.NO_MODELS);
  const form = new Form(
    need("#study-form", HTMLElement),
    known,
    new URLSearchParams(location.search),
    () => {
      go.textContent = words.GO;
    },
  );
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    run(form, known);
  });
  go.disabled = false;
  document.documentElement.dataset.state = "ready";
}

begin().catch((error) => {
  write(said, error instanceof Error ? error.message : String(error));
  document.documentElement.dataset.state = "error";
});
