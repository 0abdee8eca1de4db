// The panel of each source with settings (sources/sources.js).

import { scratchPanel } from "./scratch/panel.js";

/** @import { Store } from "../state/store.js" */
/** @import { SourceName } from "../sources/sources.js" */
/** @typedef {Partial<Record<import("../asking/questions.js").Name, import("../asking/questions.js").Request>>} Requests */

/**
 * Makes the panel in its element, which it hides while another model is selected, and returns the requests that replace the usual ones.
 * @typedef {(root: HTMLDetailsElement, store: Store, retry: () => void) => Requests} MakePanel
 */

/** @type {Record<SourceName, MakePanel>} */
export const SOURCE_PANELS = {
  scratch(root, store, retry) {
    const requests = scratchPanel(root, store, retry);
    return {
      facts: (state) => requests.facts(state),
      reference: (state) => requests.reference(state),
    };
  },
};
