// The page for training by hand: a form, and the run that it started.

import { reach } from "../api/reach.js";
import { need } from "../dom/dom.js";
import { fileButton } from "../dom/fields.js";
import { languages, scheme } from "../page/chrome.js";
import { follow } from "./follow.js";
import { Form } from "./form.js";
import { runView } from "./run.js";
import * as words from "./words.js";

const RUN = "run"; // in the address
const said = need("#train-said", HTMLElement);
const go = need("#train-go", HTMLButtonElement);
const root = need("#train", HTMLFormElement);

/** @type {"light" | "dark"} */
let colours = "light";
let watched = new AbortController();
const view = runView(need("#run", HTMLElement), {
  stop: () => act("stop"),
  resume: () => act("resume"),
  scheme: () => colours,
});
languages();
scheme((chosen) => {
  colours = chosen;
  view.repaint();
});

const asked = new URLSearchParams(location.search);
let id = asked.get(RUN);

/** @param {string} path @param {unknown} [body] */
async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  const text = body === undefined ? undefined : JSON.stringify(body);
  return (await reach(path, { method: "POST", headers, body: text })).json();
}

/** @param {unknown} error */
const tell = (error) => {
  said.textContent = error instanceof Error ? error.message : String(error);
};

function watch() {
  if (id === null) return;
  watched.abort();
  watched = new AbortController();
  follow(id, { onRun: view.show, onProblem: view.problem, signal: watched.signal });
}

/** @param {"stop" | "resume"} what */
async function act(what) {
  try {
    view.show(await post(`/api/training/${id}/${what}`));
    watch();
  } catch (error) {
    view.problem(error instanceof Error ? error.message : String(error));
  }
}

/** Let a file be opened instead of training one. */
function files() {
  const open = async (/** @type {File} */ chosen) => {
    try {
      const body = await chosen.arrayBuffer();
      const run = await (await reach("/api/training/files", { method: "POST", body })).json();
      location.assign(`/train?${new URLSearchParams({ task: run.task.id, run: run.id })}`);
    } catch (error) {
      tell(error);
    }
  };
  go.after(...fileButton(words.OPEN_FILE, ".safetensors", open));
}

async function begin() {
  const known = await (await reach("/api/training", {})).json();
  const form = new Form(root, known, asked);
  go.disabled = !known.enabled;
  if (known.enabled) files();
  else said.textContent = words.OFF;
  root.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!form.isValid()) return;
    go.disabled = true;
    said.textContent = words.STARTING;
    try {
      const run = await post("/api/training", form.request());
      said.textContent = "";
      id = run.id;
      const query = form.address();
      query.set(RUN, run.id);
      history.replaceState(null, "", `?${query}`);
      view.show(run);
      watch();
      need("#run", HTMLElement).scrollIntoView({ block: "nearest" }); // below the form on a phone
    } catch (error) {
      tell(error);
    }
    go.disabled = false;
  });
  watch();
  document.documentElement.dataset.state = "ready";
}

begin().catch((error) => {
  tell(error);
  document.documentElement.dataset.state = "error";
});
