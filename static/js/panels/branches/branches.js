// Branches: what the model would say after each of the likeliest tokens. A press writes one into the text; two are compared.

import { busyWith } from "../../dom/busy.js";
import { button, make, write } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { comparing, heldOf } from "../../state/against.js";
import { modelIn } from "../../state/choice.js";
import { apart } from "../../state/history.js";
import { percent } from "../../words/format.js";
import { withText } from "../predict/append.js";
import { branchesRequest } from "./request.js";
import { save as savedWith } from "./save.js";
import { branchesIn } from "./told.js";
import * as words from "./words.js";

/** @import { Model, State } from "../../types.d.ts" */
/** @import { Store } from "../../state/store.js" */
/** @import { Told } from "./told.js" */

/** @param {HTMLElement} panel @param {Store} store @param {() => void} retry */
export function branches(panel, store, retry) {
  const summary = make("p", { class: "summary" });
  summary.setAttribute("role", "status");
  const again = tryAgain(retry);
  const list = make("ol", { class: "branches" });
  const hint = make("p", { class: "source" });
  panel.append(summary, again, list, hint);
  /** The first of two branches to compare, by its place. @type {number | null} */
  let held = null;

  /** @param {Told} told @param {number} place */
  const take = ({ spot, branches }, place) => {
    const texts = withText(store.state, spot, branches[place].text);
    apart(texts[spot.key] ?? []);
    store.update({ ...texts, query: null }); // so that the page shows what comes next
  };

  /** @param {Told} told @param {number} place */
  const compare = (told, place) => {
    if (held === null || held === place) {
      held = held === place ? null : place;
      return draw(store.state);
    }
    const { spot, branches } = told;
    const [a, b] = [held, place].map((one) => withText(store.state, spot, branches[one].text));
    held = null;
    apart(b[spot.key] ?? []);
    const against = heldOf({ ...store.state, ...a });
    store.update({ ...b, ...comparing(against), query: spot.position }); // so that the branches stay
  };

  /** @param {Readonly<State>} state */
  const draw = (state) => {
    const found = branchesIn(state);
    const { query } = state;
    const waits = state.branches?.status === "loading" && query !== null;
    const isOlder = waits && found?.spot.position !== query;
    const told = isOlder ? null : found; // those after another token would mislead
    const problem = state.branches?.problem ?? null;
    again.hidden = !problem?.retry;
    list.hidden = hint.hidden = !told;
    write(summary, summaryOf(state, told));
    if (!told) return;
    write(hint, held === null ? words.HINT : words.SECOND);
    const focused = list.querySelector(":focus")?.getAttribute("data-does");
    list.replaceChildren(
      ...told.branches.map((branch, place) =>
        line(branch, place === held, place, {
          take: () => take(told, place),
          compare: () => compare(told, place),
        }),
      ),
    );
    const same = focused && list.querySelector(`[data-does="${focused}"]`);
    if (same instanceof HTMLElement) same.focus({ preventScroll: true });
  };

  busyWith(panel, store, ["branches"]);
  store.watch(["branches", "shown", "model", "models", "answer", "right"], (state) => {
    held = null; // of an older answer
    if (state.right === "branches") draw(state);
  });
}

/** @param {Readonly<State>} state @param {Told | null} told */
function summaryOf(state, told) {
  const model = modelIn(state);
  if (model.recorded) return words.recorded(model.lacks ?? "");
  if (model.itself !== undefined) return words.ELSE;
  if (model.predicts && model.predicts !== "next") return words.NOT_NEXT[model.predicts];
  const { status, problem } = state.branches ?? { status: "loading", problem: null };
  if (problem) return problem.message;
  if (!told) return status === "loading" ? words.FOLLOWING : words.NONE;
  return words.summary(told.after);
}

/**
 * @param {Told["branches"][number]} branch
 * @param {boolean} isHeld
 * @param {number} place
 * @param {{take: () => void, compare: () => void}} acts
 */
function line(branch, isHeld, place, { take, compare }) {
  const { first, rest, ended, isOwn, reason } = branch;
  const share = percent(first.probability);
  const written = button("", reason ? null : take, { class: "branch" }, [
    make("b", { text: first.label, verbatim: true }),
    make("span", { text: rest, verbatim: true }),
    ...(ended ? [make("i", { text: ` ${words.ENDS}` })] : []),
  ]);
  written.dataset.does = `take-${place}`;
  written.title = reason || words.taken(branch);
  if (reason) written.setAttribute("aria-disabled", "true");
  written.style.setProperty("--share", String(Math.min(1, first.probability)));
  const beside = button("⇄", compare, { class: "quiet", title: words.COMPARE });
  beside.dataset.does = `compare-${place}`;
  beside.setAttribute("aria-label", words.compareLabel(first.label));
  beside.setAttribute("aria-pressed", String(isHeld));
  beside.disabled = reason !== "";
  return make("li", { class: isOwn ? "typed" : "", title: isOwn ? words.OWN : "" }, [
    written,
    make("span", { text: share, class: "number" }),
    beside,
  ]);
}

/** @type {import("../panel.js").Part["make"]} */
const made = (root, store, { retry }) => branches(root, store, retry);
const save = savedWith(branchesRequest);

export { made as make, save };
