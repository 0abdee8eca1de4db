// Parts of the page that come after the first picture: nobody waits for what is not looked at yet.

import { NOT_LOADED, RELOAD } from "../words/problem.js";
import { button, make, scripted } from "./dom.js";

/**
 * @template T
 * @typedef {object} Coming a module that is loaded once
 * @property {T | null} there null: it has not come yet
 * @property {() => Promise<T>} come asked again after a failure, though Chromium then gives the same one until the page is loaded again
 */

/** All parts that come, for who brings them before they are needed. @type {Coming<unknown>[]} */
export const PARTS = [];

/** @template T @param {() => Promise<T>} load @returns {Coming<T>} */
export function coming(load) {
  const come = once(async () => {
    try {
      await words(); // which its modules look up when they are read
      const module = await load();
      part.there = module;
      return module;
    } catch (cause) {
      throw new Error(NOT_LOADED, { cause });
    }
  });
  /** @type {Coming<T>} */
  const part = { there: null, come };
  PARTS.push(part);
  return part;
}

/** One that the first picture needs. @template T @param {T} module @returns {Coming<T>} */
export const there = (module) => ({ there: module, come: async () => module });

/** Parts that are on their way to their place. @type {Set<Promise<void>>} */
const onTheWay = new Set();

/** Resolves once no part is on its way. */
export async function arrived() {
  while (onTheWay.size > 0) await Promise.all(onTheWay);
}

/**
 * Make a part in its element: at once if it is there, else when it has come.
 * @template T
 * @param {HTMLElement} root
 * @param {Coming<T>} part
 * @param {(module: T) => void} fill
 */
export function fillWith(root, part, fill) {
  if (part.there) return fill(part.there);
  root.setAttribute("aria-busy", "true");
  const coming = part
    .come()
    .catch((/** @type {unknown} */ error) => {
      console.error(error);
      const reload = button(RELOAD, () => location.reload()); // the address has all choices
      root.append(make("p", { class: "problem", text: NOT_LOADED }, [reload]));
    })
    .then((module) => {
      root.removeAttribute("aria-busy");
      if (module) fill(module);
    })
    .finally(() => onTheWay.delete(coming));
  onTheWay.add(coming);
}

/**
 * What a button opens is made when it is first pressed, and takes its presses from then on.
 * @template T
 * @template Made
 * @param {HTMLButtonElement} opener
 * @param {Coming<T>} part
 * @param {(module: T) => Made} fill
 * @param {(words: string) => void} say
 * @returns {() => Promise<Made>} makes it for whatever else opens it
 */
export function openedBy(opener, part, fill, say) {
  const made = once(async () => {
    const module = await part.come();
    opener.removeEventListener("click", press);
    return fill(module);
  });
  const pressed = once(async () => {
    await made();
    opener.click();
  });
  const press = () =>
    pressed().catch((error) => {
      console.error(error);
      say(NOT_LOADED);
    });
  opener.addEventListener("click", press);
  return made;
}

/** What all parts say in the reader's language (server/pages/assets/translated.py); English stands in them. */
const words = once(async () => {
  const address = /** @type {any} */ (globalThis).headlightLater;
  if (address) await scripted(address);
});

/** The same promise for all who ask, until it fails. @template T @param {() => Promise<T>} ask @returns {() => Promise<T>} */
export function once(ask) {
  /** @type {Promise<T> | null} */
  let asked = null;
  return () => {
    asked ??= ask().catch((error) => {
      asked = null;
      throw error;
    });
    return asked;
  };
}
