// Asking the class something new: a form for each kind of activity.

import { make, need } from "../../dom/dom.js";
import { ACTIVITIES } from "../activities/activities.js";
import { field } from "../activities/compose/fields.js";
import * as words from "./words.js";

/** @param {import("../types.d.ts").ClassApi} api */
export function asking(api) {
  const box = need("#ask", HTMLDetailsElement);
  const kind = need("#ask-kind", HTMLSelectElement);
  const about = need("#ask-about", HTMLElement);
  const form = need("#ask-form", HTMLElement);
  const start = need("#ask-start", HTMLButtonElement);
  const said = need("#ask-said", HTMLElement);
  /** @type {import("../types.d.ts").ClassDocument | null} */
  let doc = null;
  const why = make("textarea", { verbatim: true });
  Object.assign(why, { maxLength: 500, rows: 2 });
  const because = field(words.WHY, why);
  start.before(because);
  /** @type {import("../activities/types.d.ts").Composer | null} */
  let composer = null;
  let made = "";

  for (const row of Object.values(ACTIVITIES)) {
    const option = make("option", { text: row.name });
    option.value = row.kind;
    kind.append(option);
  }
  const compose = () => {
    if (!doc || !box.open) return;
    const key = `${kind.value} ${doc.choice}`;
    if (key === made) return;
    made = key;
    const row = ACTIVITIES[kind.value];
    about.textContent = row.about;
    said.textContent = "";
    why.value = "";
    because.hidden = Boolean(row.live); // what is live has no answer
    form.replaceChildren();
    composer = row.compose(form, doc, api);
  };
  kind.addEventListener("change", compose);
  box.addEventListener("toggle", compose);
  start.addEventListener("click", async () => {
    if (!composer) return;
    start.disabled = true;
    try {
      const written = why.value.trim();
      const question = await composer.question();
      await api.start(kind.value, written ? { ...question, why: written } : question);
      said.textContent = words.STARTED;
      made = "";
      box.open = false;
      box.querySelector("summary")?.focus();
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : "";
    }
    start.disabled = false;
  });
  return (/** @type {import("../types.d.ts").ClassDocument} */ next) => {
    const first = doc === null;
    const other = doc?.choice !== next.choice;
    doc = next;
    // what the teacher has begun to write stays, even if the projector moves
    if (first || (other && !form.contains(document.activeElement))) compose();
  };
}
