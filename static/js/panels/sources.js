// The panel of each source with settings (sources/sources.js).

import { scratchPanel } from "./scratch/panel.js";

/** @typedef {import("../state/store.js").Store} Store */
/** @typedef {import("../sources/sources.js").SourceName} SourceName */
/** @typedef {Partial<Record<import("../asking/questions.js").Name, import("../asking/questions.js").Request>>} Requests */

/**
 * Makes the panel. It is shown while its source's model is selected, and gives the requests that it asks in place of the usual ones.
 * @typedef {(store: Store, retry: () => void) => Requests} MakePanel
 */

/** @type {Record<SourceName, MakePanel>} */
export const SOURCE_PANELS = {
  scratch(store, retry) {
    const measuring = scratchPanel(store, retry);
    return {
      facts: (state) => measuring.facts(state),
      reference: (state) => measuring.reference(state),
    };
  },
};
