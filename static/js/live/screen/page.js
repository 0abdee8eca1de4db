// The inspector in a class: what the store shows as a link holds it, and how to go to another one's.

import { CHOICE_KEYS } from "../../state/address.js";
import { restored } from "../../state/history.js";
import { toQuery } from "../../state/url.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */

const BY_HAND_MS = 1000; // a change this long after a touch or a key is the reader's

/**
 * @param {Store} store
 * @param {(search: string) => {choice: import("../../types.d.ts").Choice, missing: State["missing"]}} read
 */
export function classPage(store, read) {
  let going = false;
  let touched = Number.NEGATIVE_INFINITY;
  const shown = () => toQuery(store.state, store.state.models).slice(1);
  for (const type of ["pointerdown", "keydown", "input", "wheel"])
    addEventListener(type, () => (touched = performance.now()), { capture: true, passive: true });
  return {
    shown,
    /** @param {string} query without its "?" @param {Partial<import("../../types.d.ts").Choice>} [kept] what stays as it is */
    show(query, kept = {}) {
      const { choice, missing } = read(`?${query}`);
      going = true;
      store.update({ ...restored(store.state, { ...choice, ...kept }), missing });
      going = false;
      touched = Number.NEGATIVE_INFINITY; // what the new state makes of itself is not the reader's
    },
    /** Call back after a change of the choice. @param {(byHand: boolean) => void} changed whether the reader made it */
    watch(changed) {
      let last = shown();
      store.watch(CHOICE_KEYS, () => {
        const now = shown();
        if (now === last) return;
        last = now;
        if (!going) changed(performance.now() - touched < BY_HAND_MS);
      });
    },
  };
}
