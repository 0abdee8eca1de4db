// For a model that predicts nothing: every head, ranked by how far the vector of the text turns without it.

import { busyWith } from "../../dom/busy.js";
import { button, make, write } from "../../dom/dom.js";
import { tryAgain } from "../../dom/problem.js";
import { shortName } from "../../words/heads.js";
import { save } from "./save.js";
import { turnsIn, widest } from "./turns.js";
import * as words from "./words.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @import { Turn } from "./turns.js" */

/** @param {HTMLElement} panel @param {Store} store @param {() => void} retry */
export function vector(panel, store, retry) {
  const summary = make("p", { class: "summary" });
  summary.setAttribute("role", "status");
  const again = tryAgain(retry);
  const axis = make(
    "p",
    { class: "effects-axis turns" },
    words.COLUMNS.map((text) => make("span", { text })),
  );
  const list = make("ol", { class: "effects turns" });
  panel.append(summary, again, axis, list, make("p", { class: "source", text: words.ABOUT }));

  busyWith(panel, store, ["vector"]);
  store.watch(["vector", "shown", "kind", "right", "models"], (state) => {
    const turns = turnsIn(state) ?? [];
    const most = widest(turns);
    axis.hidden = list.hidden = turns.length === 0;
    again.hidden = !state.vector?.problem?.retry;
    const focused = list.querySelector("button:focus")?.getAttribute("data-place");
    list.replaceChildren(...turns.map((turn) => row(turn, most, store)));
    const same = focused && list.querySelector(`[data-place="${focused}"]`);
    if (same instanceof HTMLElement) same.focus({ preventScroll: true });
  });
  const from = /** @type {const} */ (["vector", "shown", "kind", "right", "models"]);
  store.watch([...from, "layer", "head"], (state) => {
    for (const line of list.querySelectorAll("button")) {
      const isSelected = line.dataset.place === `${state.layer}.${state.head}`;
      if (isSelected) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
    }
    write(summary, summaryOf(state));
  });
}

/** The line above the list. @param {Readonly<State>} state */
function summaryOf(state) {
  const { status, problem } = state.vector ?? { status: "loading", problem: null };
  if (problem) return problem.message;
  const turns = turnsIn(state);
  if (!turns) return status === "loading" ? words.COMPUTING : words.NO_NUMBERS;
  const turn = turns.find(({ layer, head }) => layer === state.layer && head === state.head);
  return turn ? words.turnInWords(turn) : "";
}

/** @param {Turn} turn @param {number} most the angle of a bar of full length @param {Store} store */
function row(turn, most, store) {
  const { layer, head, angle, cosine, reason } = turn;
  const drawn = make("span", { class: "drawn" });
  drawn.style.setProperty("--start", "0");
  drawn.style.setProperty("--length", String(most > 0 ? (angle ?? 0) / most : 0));
  const children =
    angle === null
      ? [make("span", { text: reason ?? words.NO_NUMBER, class: "reason" })]
      : [
          make("span", { class: "track falls" }, [drawn]),
          make("span", { text: words.inDegrees(angle), class: "number" }),
          make("span", { text: words.cosineText(cosine), class: "number nats" }),
        ];
  const name = make("span", { text: shortName(turn) });
  const line = button("", () => store.update({ layer, head }), {}, [name, ...children]);
  line.dataset.place = `${layer}.${head}`;
  line.setAttribute("aria-label", words.turnInWords(turn));
  return make("li", {}, [line]);
}

/** @param {Readonly<State>} state @returns {import("../panel.js").Painting | null} */
function paint(state) {
  const turns = state.vector?.status === "ready" ? turnsIn(state) : null;
  if (!turns) return null;
  const most = widest(turns);
  return {
    heads: new Map(
      turns.map((turn) => [
        `${turn.layer}.${turn.head}`,
        {
          tint: turn.angle === null ? null : "falls",
          strength: most > 0 ? (turn.angle ?? 0) / most : 0,
          text: words.inDegrees(turn.angle),
          words: words.withoutHead(turn),
        },
      ]),
    ),
    legend: { words: words.LEGEND, low: "0°", high: words.inDegrees(most), isOneSided: true },
  };
}

/** @type {import("../panel.js").Part["make"]} */
const made = (root, store, { retry }) => vector(root, store, retry);

export { made as make, paint, save };
