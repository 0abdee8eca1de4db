// The sentence as a message to a chat model: its template makes the text, which takes the sentence's place and can be seen and edited.

import { postTrace } from "../../api/api.js";
import { chatRequest } from "../../asking/requests.js";
import { modelIn } from "../../state/choice.js";
import { notRendered } from "./words.js";

/** @import { Store } from "../../state/store.js" */

/**
 * @param {HTMLButtonElement} button
 * @param {Store} store
 * @param {(words: string) => void} say
 * @param {typeof postTrace} [ask]
 */
export function asChat(button, store, say, ask = postTrace) {
  let made = ""; // the text of the template: it is no message again
  store.watch(["model", "models", "texts", "shown"], (state) => {
    const text = state.texts[state.shown] ?? "";
    button.hidden = !modelIn(state).takes_messages || !text.trim() || text === made;
  });
  button.addEventListener("click", async () => {
    const { state } = store;
    const { texts, shown, model } = state;
    button.disabled = true;
    try {
      const { trace } = await ask(chatRequest(state));
      const [text = ""] = trace.rendered ?? [];
      const isSame = store.state.model === model && store.state.texts === texts;
      if (!isSame || !text) return; // the reader has gone on
      made = text;
      store.update({ texts: texts.with(shown, text), special_tokens: false, query: null });
    } catch (error) {
      say(notRendered(error instanceof Error ? error.message : String(error)));
    } finally {
      button.disabled = false;
    }
  });
}
