// Questions: people mark the place that they do not understand, and the teacher sees how many marked which.

import { button, make } from "../../dom/dom.js";
import { composes } from "../../dom/keys.js";
import { barTable } from "./bars.js";
import * as words from "./words.js";

const ID = "questions"; // of the activity that every class has
const MAX_NOTE = 140;
const INSPECTOR = "inspector:";

/** @typedef {{place: string, name: string}} Spot */

/** @typedef {{element: Element, spot: Spot, until?: Element | null}} Placed `until`: where a lesson's part ends */

/** The lesson at a path. @param {string} path */
const lessonAt = (path) => path.match(/^\/(learn\/[a-z0-9-]+)/)?.[1];

/** The page as a whole, as a place. @param {string} path of the page @returns {{spot: Spot}} */
export const wholePage = (path) => ({
  spot: { place: lessonAt(path) ?? `${INSPECTOR}page`, name: words.THIS_PAGE },
});

/**
 * The places of a page that can be marked, in the page's order; a lesson's are its headings.
 * @param {ParentNode} within
 * @param {string} path of the page
 * @returns {Placed[]}
 */
export function placesIn(within, path) {
  const lesson = lessonAt(path);
  if (lesson) {
    const headings = [...within.querySelectorAll("main :is(h1, h2, h3)[id]")];
    return headings.map((element, i) => ({
      element,
      until: headings[i + 1] ?? within.querySelector("main > :last-child"),
      spot: { place: `${lesson}#${element.id}`, name: element.textContent?.trim() ?? "" },
    }));
  }
  return Object.entries(words.PLACES).flatMap(([id, name]) => {
    const found = within.querySelector(`#${id}`);
    const element = found?.closest("details.more") ?? found; // what is in a menu is at its button
    const hidden = !element || element.closest("[hidden]") !== null;
    return hidden ? [] : [{ element, spot: { place: `${INSPECTOR}${id}`, name } }];
  });
}

/**
 * The places that can be marked, the one in view first.
 * @param {ParentNode} within
 * @param {string} path of the page
 * @param {number} height of the window
 * @returns {Spot[]}
 */
export function spotsIn(within, path, height) {
  const found = placesIn(within, path);
  const middle = height / 2;
  const far = (/** @type {Placed} */ { element }) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top <= middle && bottom >= middle
      ? 0
      : Math.min(Math.abs(top - middle), Math.abs(bottom - middle));
  };
  const nearest = found.toSorted((a, b) => far(a) - far(b)).slice(0, 1);
  const rest = found.filter((one) => !nearest.includes(one));
  return [...nearest, ...rest, wholePage(path)].map(({ spot }) => spot);
}

/**
 * The button "I do not understand this", and its form.
 * @param {HTMLElement} root
 * @param {object} options
 * @param {(id: string, item: string, answer: object) => Promise<unknown>} options.send
 * @param {() => Spot[]} [options.spots] the places to choose from, the likeliest first
 */
export function markButton(
  root,
  { send, spots = () => spotsIn(document, location.pathname, innerHeight) },
) {
  const place = make("select");
  const note = make("input", { verbatim: true });
  Object.assign(note, { type: "text", maxLength: MAX_NOTE });
  const said = make("p", { class: "class-said" });
  said.setAttribute("role", "status");
  const mark = button(words.MARK, null, { class: "main" });
  mark.type = "submit";
  const opener = button(words.NOT_UNDERSTOOD, () => toggle(form.hidden === true), {
    class: "mark-open",
  });
  const form = make("form", { class: "mark-form" }, [
    make("label", {}, [make("span", { text: words.WHAT }), place]),
    make("label", {}, [make("span", { text: words.NOTE }), note]),
    mark,
    button(words.CANCEL, () => toggle(false)),
  ]);
  root.append(opener, form, said);

  /** @param {boolean} open */
  const toggle = (open) => {
    form.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    if (!open) return opener.focus();
    said.textContent = "";
    place.replaceChildren(
      ...spots().map((spot) => {
        const option = make("option", { text: spot.name });
        option.value = spot.place;
        return option;
      }),
    );
    place.focus();
  };
  form.hidden = true;
  opener.setAttribute("aria-expanded", "false");
  form.addEventListener("keydown", (event) => {
    event.stopPropagation(); // the inspector has keys of its own
    if (event.key === "Escape" && !composes(event)) toggle(false);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await send(ID, newItem(), { place: place.value, note: note.value.trim() });
      note.value = "";
      toggle(false);
      said.textContent = words.MARKED;
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : words.NOT_SENT;
    }
  });
}

const newItem = () => `m-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`.slice(0, 24);

/** The name of a place on the desk. @param {string} place */
export const nameOf = (place) =>
  place.startsWith(INSPECTOR)
    ? (words.PLACES[place.slice(INSPECTOR.length)] ?? words.THIS_PAGE)
    : words.inLesson(place.replace(/^learn\//, "").split("#"));

/**
 * How many marked each place, the most first, and what they wrote.
 * @param {HTMLElement} root
 * @param {unknown} _activity
 * @param {import("./types.d.ts").Marks} results
 */
export function markResults(root, _activity, { places, notes }) {
  const found = Object.entries(places).toSorted(([, a], [, b]) => b - a);
  if (found.length === 0) return root.replaceChildren(make("p", { text: words.NO_MARKS }));
  const counts = found.map(([, count]) => count);
  const n = counts.reduce((sum, count) => sum + count, 0);
  root.replaceChildren(
    barTable({
      first: words.WHAT,
      labels: found.map(([place]) => nameOf(place)),
      columns: [{ title: words.answers(n), counts, n }],
    }),
    make(
      "ul",
      { class: "mark-notes" },
      notes
        .filter(({ note }) => note)
        .map(({ place, note }) =>
          make("li", {}, [
            make("span", { text: note }),
            make("span", { text: nameOf(place), class: "faint" }),
          ]),
        ),
    ),
  );
}
