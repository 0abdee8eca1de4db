// Weights of one's own: a safetensors file that travels with every request, and nowhere else.

import { button, make } from "../../dom/dom.js";

/** @typedef {import("../../state/store.js").Store} Store */

const LARGEST = 180_000; // bytes: in base64, with the rest of a request, about what the API takes
const NOTE =
  "Weights of a file are in no link: a view saved as a file holds them. Of " +
  "embedding.weight (a row for each token id, padding first) and parameters by name, as layers.0.attention.w_q.weight, " +
  "what the file lacks is drawn from the seed.";

/** @param {Store} store @returns {HTMLElement} */
export function weights(store) {
  const file = make("input");
  Object.assign(file, { type: "file", accept: ".safetensors", hidden: true });
  file.setAttribute("aria-label", "Weights as a safetensors file");
  const choose = button("Weights from a file …", () => file.click(), { title: NOTE });
  const discard = () => {
    put(undefined);
    choose.focus();
  };
  const remove = button("Remove", discard, { class: "quiet" });
  remove.setAttribute("aria-label", "Remove the weights of the file");
  const said = make("span", { class: "faint" });
  said.setAttribute("role", "status");
  const problem = make("span", { class: "setting-problem" });
  const root = make("span", { class: "setting weights" }, [choose, remove, said, file, problem]);
  /** What files were called, by what is in them, which the state holds. @type {Map<string, string>} */
  const called = new Map();

  /** @param {string | undefined} held */
  const put = (held) => {
    const { weights: _, ...rest } = store.state.scratch;
    store.update({ scratch: held === undefined ? rest : { ...rest, weights: held } });
  };
  file.addEventListener("change", async () => {
    const [given] = file.files ?? [];
    if (!given) return;
    if (given.size > LARGEST) {
      const [size, most] = [given.size, LARGEST].map((bytes) => Math.ceil(bytes / 1000));
      problem.textContent = `${given.name} has ${size} kB, and at most ${most} kB travel with a request. Choose smaller sizes.`;
    } else {
      const content = base64(new Uint8Array(await given.arrayBuffer()));
      called.set(content, given.name);
      put(content);
    }
    file.value = ""; // the same file may be chosen again
  });

  store.watch(
    ["scratch", "problem", "detail", "status"],
    ({ scratch, problem: refused, detail, status }) => {
      const held = scratch.weights !== undefined;
      const name = called.get(scratch.weights ?? "");
      remove.hidden = !held;
      choose.hidden = held;
      const wrong = refused?.field === "scratch.weights";
      const names = detail?.trace.scratch?.weights;
      const stands = held && names && status === "ready";
      const n = stands ? `${names.length} ${names.length === 1 ? "tensor" : "tensors"}` : "tensors";
      said.textContent = held
        ? `${n} of ${name || "a file"}${wrong ? "" : "; in no link, in a saved view"}`
        : "";
      said.title = stands ? `${names.join(", ")}. ${NOTE}` : NOTE;
      problem.textContent = wrong ? refused.message : "";
    },
  );
  return root;
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
