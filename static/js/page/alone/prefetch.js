// Fetches what the page needs to go on without the server, while there is one.

import { pause } from "../../api/pauses.js";
import { place } from "../../api/place.js";

const AFTER_S = 5; // so that nothing that the reader waits for is slower
const WITHIN_S = 15; // spread, so that a class does not fetch everything at once

/** Once the page is at rest, unless the reader wants to save data. */
export async function prefetch() {
  const { connection } = /** @type {{connection?: {saveData?: boolean}}} */ (navigator);
  if (connection?.saveData) return;
  do await pause(AFTER_S + Math.random() * WITHIN_S);
  while (document.documentElement.dataset.state !== "ready");
  if (place.couldLeave) await place.open().catch(() => {}); // tried again when it is needed
}
