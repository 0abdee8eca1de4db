// The panels on the right: one row each. panel.js has the type of a row; names and labels are in state/panels.js, because addresses use them.

import { attribution } from "./attribution/panel.js";
import { circuits } from "./circuits/panel.js";
import { effects } from "./effects/panel.js";
import { far } from "./far/panel.js";
import { lens } from "./lens/panel.js";
import { next } from "./predict/panel.js";

/** @type {Record<import("../state/panels.js").PanelName, import("./panel.js").Panel>} */
export const PANELS = { next, lens, effects, attribution, far, circuits };
