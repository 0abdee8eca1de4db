// The reader's own weights: a safetensors file that is sent with every request and kept nowhere else.

import { button, make } from "../../dom/dom.js";
import { WEIGHTS } from "./words.js";

/** @import { Store } from "../../state/store.js" */

const MAX_BYTES = 180_000; // in base64, with the rest of a request, about what the API takes

/** @param {Store} store @returns {HTMLElement} */
export function weights(store) {
  const file = make("input");
  Object.assign(file, { type: "file", accept: ".safetensors", hidden: true });
  file.setAttribute("aria-label", WEIGHTS.label);
  const choose = button(WEIGHTS.choose, () => file.click(), { title: WEIGHTS.note });
  const discard = () => {
    setWeights(undefined);
    choose.focus();
  };
  const remove = button(WEIGHTS.remove, discard, { class: "quiet" });
  remove.setAttribute("aria-label", WEIGHTS.removeLabel);
  const status = make("span", { class: "faint" });
  status.setAttribute("role", "status");
  const problem = make("span", { class: "setting-problem" });
  const root = make("span", { class: "setting weights" }, [choose, remove, status, file, problem]);
  /** The names of files by their content, since the state holds only the content. @type {Map<string, string>} */
  const fileNames = new Map();

  /** @param {string | undefined} content */
  const setWeights = (content) => {
    const { weights: _, ...rest } = store.state.scratch;
    store.update({ scratch: content === undefined ? rest : { ...rest, weights: content } });
  };
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    const { name } = chosen;
    if (chosen.size > MAX_BYTES) {
      const [size, max] = [chosen.size, MAX_BYTES].map((bytes) => Math.ceil(bytes / 1000));
      problem.textContent = WEIGHTS.tooLarge({ name, size, max });
    } else {
      const content = base64(new Uint8Array(await chosen.arrayBuffer()));
      fileNames.set(content, name);
      setWeights(content);
    }
    file.value = ""; // so that the same file can be chosen again
  });

  store.watch(["scratch", "problem", "detail", "status"], (state) => {
    const { scratch, problem: refused, detail } = state;
    const given = scratch.weights !== undefined;
    remove.hidden = !given;
    choose.hidden = given;
    const wrong = refused?.field === "scratch.weights";
    const names = given && state.status === "ready" ? detail?.trace.scratch?.weights : undefined;
    const loaded = {
      n: names ? names.length : null,
      file: fileNames.get(scratch.weights ?? "") || WEIGHTS.aFile,
    };
    const describe = wrong ? WEIGHTS.refused : WEIGHTS.loaded;
    status.textContent = given ? describe(loaded) : "";
    status.title = names ? WEIGHTS.noteWith(names.join(", ")) : WEIGHTS.note;
    problem.textContent = wrong ? refused.message : "";
  });
  return root;
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
