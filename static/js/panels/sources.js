// The panel of each source with settings (sources/sources.js).

import { coming, fillWith } from "../dom/coming.js";
import { modelIn } from "../state/choice.js";

/** @import { Store } from "../state/store.js" */
/** @import { SourceName } from "../sources/sources.js" */
/** @typedef {Partial<Record<import("../asking/questions.js").Name, import("../asking/questions.js").Request>>} Requests */

/**
 * Makes the panel in its element, which it hides while another model is selected, and returns the requests that replace the usual ones.
 * @typedef {(root: HTMLDetailsElement, store: Store, retry: () => void) => Requests} MakePanel
 */

const SCRATCH = coming(() => import("./scratch/panel.js"));
const SUMS = coming(() => import("./scratch/sums.js"));

/** @type {Record<SourceName, MakePanel>} */
export const SOURCE_PANELS = {
  scratch(root, store, retry) {
    /** @type {ReturnType<typeof import("./scratch/panel.js").scratchPanel> | null} */
    let requests = null;
    whenFromScratch(store, () => {
      root.hidden = false;
      fillWith(root, SCRATCH, ({ scratchPanel }) => {
        requests = scratchPanel(root, store, retry);
      });
    });
    return {
      facts: (state) => requests?.facts(state) ?? null,
      reference: (state) => requests?.reference(state) ?? null,
    };
  },
};

/**
 * The sums of rows and columns beside the heatmap of a mechanism.
 * @param {HTMLElement} plot
 * @param {Store} store
 * @param {import("./scratch/sums.js").Picture} picture
 */
export const rowSums = (plot, store, picture) =>
  whenFromScratch(store, () => fillWith(plot, SUMS, (sums) => sums.rowSums(plot, store, picture)));

/** Once somebody chooses a mechanism. @param {Store} store @param {() => void} act */
function whenFromScratch(store, act) {
  let isDone = false;
  store.watch(["model", "models"], (state) => {
    if (isDone || !modelIn(state).mechanisms) return;
    isDone = true;
    act();
  });
}
