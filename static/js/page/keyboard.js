// The keyboard shortcuts, and the dialog that lists them.

import { arrived } from "../dom/coming.js";
import { need } from "../dom/dom.js";
import { composes, isModified, keyOf, WRITTEN } from "../dom/keys.js";
import { zoomBy } from "../draw/viewport.js";
import { paintKeys } from "../edit/paint.js";
import { detailOf } from "../numbers/detail.js";
import { nextBlock } from "../numbers/segments.js";
import { STEP_NAMES } from "../panels/head/words.js";
import { hasSegments } from "../panels/heads/kinds.js";
import { sourceOf } from "../sources/sources.js";
import { opening, pressed } from "../state/against.js";
import { kindsOf, matricesOf, modelIn, selectKind, sitesOf, toggleMute } from "../state/choice.js";
import { maskKeys } from "../state/masks.js";
import { nextMatrix } from "../state/matrices.js";
import { tells, viewsIn } from "../state/quiz.js";
import { VIEW_NAMES, VIEWS as VIEW_ROWS } from "../state/views.js";
import { VIEWS } from "../views/views.js";

/** @import { Store } from "../state/store.js" */
/** @import { State } from "../types.d.ts" */

/** Keys for looking only: a view in a frame of another page shows no controls, and what it shows is for that page to say. */
const LOOKING = [
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "ArrowDown",
  "[",
  "]",
  "+",
  "=",
  "-",
  "0",
  "s",
  "k",
  "b",
  "o",
  "l",
];

/**
 * @param {Store} store
 * @param {object} other
 * @param {import("../edit/paint.js").Tools} other.tools of the brush
 * @param {ReturnType<typeof import("../panels/undo/undo.js").undoing>} other.undo
 * @param {Record<string, () => Partial<State> | null>} other.presenting what keys do in a presentation
 * @param {() => void} other.endTour
 */
export function keyboard(store, { tools, undo, presenting, endTour }) {
  const help = need("#help", HTMLDialogElement);
  const openHelp = () => {
    help.showModal();
    need("#help-title", HTMLElement).focus(); // by script: browsers log an error for autofocus in a frame
  };
  need("#help-open", HTMLButtonElement).addEventListener("click", openHelp);

  /** @type {Record<string, (state: Readonly<State>) => Partial<State> | null>} */
  const keys = {
    ArrowLeft: (state) => walk(state, 0, -1),
    ArrowRight: (state) => walk(state, 0, 1),
    ArrowUp: (state) => walk(state, -1, 0),
    ArrowDown: (state) => walk(state, 1, 0),
    "+": (state) => zoomed(state, "+"),
    "=": (state) => zoomed(state, "+"), // the same key without Shift
    "-": (state) => zoomed(state, "-"),
    0: (state) => zoomed(state, "0"),
    "[": (state) => step(state, -1),
    "]": (state) => step(state, 1),
    s: (state) => {
      const available = matricesOf(modelIn(state), state.kind);
      return { matrix: nextMatrix(state.matrix, available, state.lacks) };
    },
    o: ({ scale }) => ({ scale: scale === "ink" ? "sea" : "ink" }),
    l: ({ steps }) => ({ steps: STEP_NAMES[(STEP_NAMES.indexOf(steps) + 1) % STEP_NAMES.length] }),
    v: (state) => opening(state, nextView(state)),
    k: (state) => {
      const model = modelIn(state);
      const kinds = kindsOf(model);
      if (kinds.length < 2) return null;
      return selectKind(state, kinds[(kinds.indexOf(state.kind) + 1) % kinds.length], model);
    },
    b: (state) => (hasSegments(state) ? { segments: nextBlock(state.segments) } : null),
    d: () => {
      need('[data-save="head"]', HTMLButtonElement).click();
      return null;
    },
    "/": () => {
      need("#sentences textarea", HTMLTextAreaElement).focus();
      return null;
    },
    "?": () => {
      openHelp();
      return null;
    },
  };
  /** Those of controls that a quiz hides. @type {typeof keys} */
  const telling = {
    ...Object.fromEntries(maskKeys().map(([key, change]) => [key, edit(change)])),
    m: edit(toggleMute),
    ...paintKeys(tools.perform),
    a: pressed,
    f: () => {
      need("#find-menu", HTMLDetailsElement).open = true;
      need("#find input:checked", HTMLInputElement).focus();
      return { left: "find" };
    },
    r: (state) => {
      const source = sourceOf(state.model);
      if (!source) return null;
      const panel = need(`#${source.name}`, HTMLDetailsElement);
      panel.open = !panel.open;
      if (panel.open) need("select, input", HTMLElement, panel).focus();
      return null;
    },
    g: ({ view }) => {
      if (view === "map") return { view: beside };
      store.update({ view: "map" });
      // it is drawn once it has come, and has a width
      arrived().then(() => requestAnimationFrame(() => requestAnimationFrame(focusMap)));
      return null;
    },
    i: () => {
      need("#intervene-open", HTMLButtonElement).click();
      return null;
    },
    e: () => {
      need("#gallery-open", HTMLButtonElement).click();
      return null;
    },
  };

  const looking = Object.fromEntries(LOOKING.map((key) => [key, keys[key]]));

  /** The last view of a head, to which the map leads back. @type {State["view"]} */
  let beside = VIEW_NAMES[0];
  store.watch(["view"], ({ view }) => {
    if (view !== "map") beside = view;
  });

  /** @param {Readonly<State>} state @param {number} down @param {number} right */
  const walk = (state, down, right) => {
    const sites = sitesOf(modelIn(state), state.kind);
    if (sites.length === 0) return null; // the model is not loaded yet
    const place = sites.findIndex(({ layer }) => layer === state.layer);
    const { layer, n_heads } = sites[clamp(place + down, sites.length)];
    return { layer, head: clamp(state.head + right, n_heads) };
  };

  /** @param {Readonly<State>} state @param {number} by */
  const step = (state, by) => {
    const detail = detailOf(state);
    return detail ? { query: clamp(detail.row + by, detail.queries.length) } : null;
  };

  // after a click on a mask or a tab the arrow keys move between heads again, not within the control
  document.addEventListener("pointerup", () => {
    const { activeElement } = document;
    if (activeElement?.matches('input, [role="tab"]') && !activeElement.matches(WRITTEN))
      setTimeout(() => /** @type {HTMLElement} */ (activeElement).blur());
  });

  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const key = keyOf(event);
    if (composes(event)) return;
    if (document.querySelector("dialog[open]") || store.state.missing) return;
    if (undo.key(event)) event.preventDefault();
    if (isModified(event)) return;
    if (target instanceof HTMLElement) {
      if (key === "Escape") {
        if (store.state.tour && !document.querySelector(":popover-open")) endTour();
        else if (target.matches("textarea, select, input")) target.blur();
      }
      if (ownKeys(target, key)) return;
    }
    const { depth, view } = store.state;
    const moves = event.shiftKey && key.startsWith("Arrow");
    const all = tells(store.state) ? { ...keys, ...telling } : keys;
    const known = depth === "embed" ? looking : all;
    const act = moves
      ? (/** @type {Readonly<State>} */ now) => zoomed(now, key)
      : (depth === "present" && presenting[key]) ||
        (VIEWS[view].part.there?.keys?.[key] ?? known[key]);
    if (!act) return;
    event.preventDefault();
    store.update(act(store.state) ?? {});
  });

  /** @param {(key: string) => boolean} isReleased */
  const release = (isReleased) => {
    for (const [key, act] of Object.entries(VIEWS[store.state.view].part.there?.releases ?? {}))
      if (isReleased(key)) store.update(act(store.state));
  };
  document.addEventListener("keyup", (event) =>
    release((key) => key === keyOf(event).toLowerCase()),
  );
  window.addEventListener("blur", () => release(() => true));
}

/**
 * The zoom of the heatmap after a key press.
 * @param {Readonly<State>} state
 * @param {string} key
 */
function zoomed(state, key) {
  const detail = detailOf(state);
  if (!detail || state.view !== "heatmap") return null;
  const zoom = zoomBy(key, state.zoom, detail.queries.length, detail.keys.length);
  return String(zoom) === String(state.zoom) ? null : { zoom };
}

function focusMap() {
  const place = document.querySelector('#map-view [data-place][tabindex="0"]');
  if (place instanceof SVGElement) place.focus();
}

/**
 * A change of a mask or a mute, if the model supports them.
 * @param {(state: Readonly<State>) => Partial<State>} act
 * @returns {(state: Readonly<State>) => Partial<State> | null}
 */
const edit = (act) => (state) => (modelIn(state).lacks ? null : act(state));

/** Whether a control handles a key itself. @param {HTMLElement} control @param {string} key */
const ownKeys = (control, key) =>
  control.matches(`select, ${WRITTEN}`) ||
  (control.matches('input, [role="tab"]') && key.startsWith("Arrow"));

/** @param {number} place @param {number} n */
const clamp = (place, n) => Math.max(0, Math.min(n - 1, place));

/** The next one that the depth of the page offers. @param {Readonly<State>} state */
function nextView(state) {
  const elsewhere = VIEW_ROWS.filter((row) => "only" in row && row.only !== state.depth);
  const views = viewsIn(state).filter((name) => !elsewhere.some((row) => row.name === name));
  return views[(views.indexOf(state.view) + 1) % views.length];
}
