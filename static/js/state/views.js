// The views: one row each in static/js/facts/views.json, in the order of the page, the default first. The code of a view is in its folder
// (static/js/views/).
// `reads`: the numbers of a head that it draws; "matrix" is the selected one. `tells`: it says what was done to the model, so a quiz hides it.
// `own_words`: it says itself what it shows, so that no explanation stands below it.
// `tokens`: the pointer is at a token, not at a cell. `only`: the one depth of the page that offers it. `beside`: it is opened
// beside the thumbnails of all heads, and the switch of the views has it only while it is open. `group`: it is in a menu of the switch, under this
// name. `settings` are choices that only this view has: parameters of the address, each
// with its values, the default first. (The map also reads `measured`, which belongs to Paths.)

import VIEW_FACTS from "../facts/views.json" with { type: "json" };
import { worded } from "../language/facts.js";

export const VIEWS = worded(VIEW_FACTS, "views");

/** @typedef {typeof VIEWS[number]["name"]} ViewName */

export const VIEW_NAMES = VIEWS.map(({ name }) => name);

/** @typedef {Extract<typeof VIEWS[number], {settings: object}>["settings"]} Settings */
/** @typedef {Settings extends infer One ? One extends unknown ? keyof One : never : never} SettingName */
/** @typedef {{[K in SettingName]: Settings extends infer One ? One extends Record<K, readonly (infer Value)[]> ? Value : never : never}} ViewSettings */

/** The settings of all views. */
export const SETTINGS = /** @type {[SettingName, readonly ViewSettings[SettingName][]][]} */ (
  VIEWS.flatMap((view) => ("settings" in view ? Object.entries(view.settings) : []))
);
