// In the place of a picture that a link asks for and this server does not have: what is missing, and what can be shown instead.

import { button, make } from "../../dom/dom.js";
import { MODEL_KEYS } from "../../sources/sources.js";
import { isFile } from "../../standalone/bar.js";
import { modelIn } from "../../state/choice.js";
import { otherWeights } from "../../state/fitting/weights.js";
import { newMoment } from "../../state/history.js";
import { modelLabel } from "../../words/heads.js";
import * as words from "./words.js";
import { weightsInWords } from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { Missing } from "../../types.d.ts" */

/**
 * @param {HTMLElement} root with the role `alert`
 * @param {Store} store
 * @param {HTMLElement} whole what shows nothing else meanwhile: the style sheet hides what it has
 */
export function missingBox(root, store, whole) {
  /** @param {Missing} missing @returns {[message: string, choices: HTMLElement[]]} */
  const offered = ({ model, asked }) => {
    const { state } = store;
    // choosing is no step: there is nothing before it to go back to
    const done = () => ({ missing: null, moment: newMoment() });
    if (model === null) {
      const show = button(words.showHead(state), () => store.update(done()));
      return [words.headMissing({ asked, model: modelIn(state) }), [show]];
    }
    const has = state.models.map(({ name }) => name);
    const choices = has.map((name) =>
      button(words.openWith({ model: modelLabel(name) }), () =>
        store.update({ ...asked, model: name, ...done() }),
      ),
    );
    return [
      words.MODEL_MISSING[isFile ? "file" : "server"]({ model, has: has.map(modelLabel) }),
      choices,
    ];
  };

  store.watch(["missing"], ({ missing }) => {
    root.hidden = missing === null;
    whole.toggleAttribute("data-missing", missing !== null);
    if (!missing) return root.replaceChildren();
    const [message, choices] = offered(missing);
    root.replaceChildren(make("p", { text: message }), make("div", { class: "choices" }, choices));
  });
}

/**
 * Says once, in passing, that a link was made with other weights than its model has here.
 * @param {import("../../state/store.js").Store} store
 * @param {(words: string) => void} say
 */
export function tellOtherWeights(store, say) {
  /** The model of the link; null: nothing is to be told. @type {string | null} */
  let asked = null;
  store.watch(["weights", "missing", ...MODEL_KEYS], (state) => {
    asked = state.weights === null ? null : (asked ?? state.model);
    if (asked === null || state.missing) return;
    const found = asked === state.model && otherWeights(state);
    if (found === null) return; // the model is not loaded yet
    store.update({ weights: null });
    if (found) say(weightsInWords(found));
  });
}
