// The step of training on screen, above the heads: a slider, a button to play, and the way back. Where only a sister of the model has a film, a button opens that, and in Start the suggestion of what to do next (panels/next).

import { getFilm, getModels } from "../../api/api.js";
import { button, make, write } from "../../dom/dom.js";
import { player } from "../../dom/player.js";
import { modelIn } from "../../state/choice.js";
import { BY_METRIC } from "../../state/finds.js";
import { labelIn } from "../heads/called.js";
import { becoming, stepsOf } from "./born.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */

const PREVIOUS = BY_METRIC.previous_token.name; // shows in every sentence
const [QUICK_MS, SLOW_MS, FILM_MS] = [700, 1600, 16_000]; // of a film that plays: a step is looked at, not only passed

/**
 * @param {HTMLElement} root
 * @param {HTMLButtonElement} opener
 * @param {Store} store
 * @param {{models: typeof getModels, film: typeof getFilm}} [ask]
 */
export function filmBar(root, opener, store, ask = { models: getModels, film: getFilm }) {
  const slider = make("input", { class: "film-slider" });
  Object.assign(slider, { type: "range", min: "0", step: "1" });
  slider.setAttribute("aria-label", words.SLIDER);
  const {
    root: play,
    start,
    stop,
  } = player(words.PLAYER, {
    begin: () => {
      const { steps, at } = placed();
      if (at === steps.length - 1) go(0);
    },
    step: () => {
      const { steps, at } = placed();
      const isLast = at === steps.length - 1;
      const waits = store.state.status === "loading"; // the last step is still on its way
      if (!waits && !isLast) go(at + 1);
      return waits || !isLast;
    },
    pace: () => Math.min(SLOW_MS, Math.max(QUICK_MS, FILM_MS / placed().steps.length)),
  });
  const back = button(words.BACK, () => store.update({ model: own, searched: null, ...left }), {
    class: "quiet",
  });
  const bar = make("div", { class: "film-bar" }, [play, slider, back]);
  const step = make("b");
  const known = make("span", { class: "known" });
  const said = make("p", { class: "hint" }, [step, known]);
  said.setAttribute("role", "status");
  root.append(bar, said);

  let own = ""; // the model whose sister is on screen
  /** @type {Partial<import("../../types.d.ts").State>} */
  let left = {}; // the head that was selected there
  const placed = () => stepsOf(modelIn(store.state), store.state.models);
  /** @param {number} at the place of a step among those of the film */
  const go = (at) => show(placed().names[at], store);
  slider.addEventListener("input", () => {
    stop();
    go(Number(slider.value));
  });

  /** Play the film of the model's sister, from the beginning, with the head that comes to do the same. */
  const openSister = async () => {
    const { sister } = modelIn(store.state);
    if (!sister) return;
    const label = labelIn(store.state, store.state);
    opener.disabled = true;
    try {
      const { signal } = new AbortController();
      const [models, film] = await Promise.all([
        ask.models(sister, signal),
        ask.film(sister, signal),
      ]);
      const born = becoming(film);
      const like = born.find(({ name }) => name === label) ?? born.find(isPrevious);
      const head = like ? { layer: like.layer, head: like.head } : {};
      const { kind, layer, head: number } = store.state;
      left = { kind, layer, head: number };
      const model = stepsOf({ name: sister, film: film.steps, step: null }, models).names[0];
      store.update({ models, model, searched: null, ...head });
      start();
    } catch (error) {
      write(step, error instanceof Error ? error.message : String(error));
      root.hidden = false;
      bar.hidden = true;
    } finally {
      opener.disabled = false;
    }
  };
  opener.textContent = words.WATCH;
  opener.addEventListener("click", openSister);

  store.watch(["model", "models", "trained", "grid"], (state) => {
    const model = modelIn(state);
    const { steps, at, base, names } = stepsOf(model, state.models);
    const hasFilm = steps.length > 0;
    const drawn = names.indexOf(`${state.grid?.trace.model}`); // what is told is told of the picture
    const told = drawn < 0 ? at : drawn;
    if (!hasFilm) stop();
    root.hidden = !hasFilm;
    root.closest("main")?.toggleAttribute("data-film", hasFilm);
    bar.hidden = false;
    opener.hidden = !model.sister;
    own = state.models.find(({ sister }) => base && sister === base)?.name ?? "";
    back.hidden = !own;
    back.setAttribute("aria-label", words.backTo(own));
    root.title = own ? words.SISTER : "";
    slider.max = String(steps.length - 1);
    slider.value = String(at);
    if (hasFilm) slider.setAttribute("aria-valuetext", words.after(steps, at));
    const film = state.trained?.model === base ? state.trained?.answer : null;
    write(step, hasFilm ? words.brief(steps, told) : "");
    write(known, film ? words.known(film, told) : "");
  });
}

const isPrevious = (/** @type {{name: string}} */ { name }) => name === PREVIOUS;

/** @param {string | undefined} model a step @param {Store} store */
export function show(model, store) {
  if (model && model !== store.state.model) store.update({ model, searched: null });
}
