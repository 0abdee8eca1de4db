// Parts of the page that come after the first picture: nobody waits for what is not looked at yet.

import { NOT_LOADED, RELOAD } from "../words/problem.js";
import { button, make, scripted } from "./dom.js";

/**
 * @template T
 * @typedef {object} Coming a module that is loaded once
 * @property {T | null} there null: it has not come yet
 * @property {() => Promise<T>} come asked again after a failure
 */

/** @template T @param {() => Promise<T>} load @returns {Coming<T>} */
export function coming(load) {
  const come = once(async () => {
    await words(); // which its modules look up when they are read
    part.there = await load();
    return part.there;
  });
  /** @type {Coming<T>} */
  const part = { there: null, come };
  return part;
}

/** One that the first picture needs. @template T @param {T} module @returns {Coming<T>} */
export const there = (module) => ({ there: module, come: async () => module });

/**
 * Make a part in its element: at once if it is there, else when it has come.
 * @template T
 * @param {HTMLElement} root
 * @param {Coming<T>} part
 * @param {(module: T) => void} fill
 */
export async function fillWith(root, part, fill) {
  if (part.there) return fill(part.there);
  root.setAttribute("aria-busy", "true");
  const module = await part.come().catch((/** @type {unknown} */ error) => {
    console.error(error);
    const reload = button(RELOAD, () => location.reload()); // the address has all choices
    root.append(make("p", { class: "problem", text: NOT_LOADED }, [reload]));
  });
  root.removeAttribute("aria-busy");
  if (module) fill(module);
}

/** What all parts say in the reader's language (server/pages/assets/translated.py); English stands in them. */
const words = once(async () => {
  const address = /** @type {any} */ (globalThis).headlightLater;
  if (address) await scripted(address);
});

/** The same promise for all who ask, until it fails. @template T @param {() => Promise<T>} ask @returns {() => Promise<T>} */
function once(ask) {
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
