// The type of a panel on the right: one row of the table in panels.js, and the part that draws it. A panel has a folder of its own, and never
// looks outside the element that it is given.

/** @import { State } from "../types.d.ts" */
/** @import { Store } from "../state/store.js" */
/** @import { Scene } from "../draw/scene.js" */
/** @import { Look } from "../draw/pictures/look.js" */

/**
 * @typedef {object} Panel
 * @property {import("../dom/coming.js").Coming<Part>} part what draws it
 * @property {import("../asking/table.js").Own} questions what it asks of the API while its tab is open; an answer is stored in the state under
 *   the name of its question, which is the panel's own for the first
 * @property {boolean} [paints] whether it paints over the thumbnails of the heads
 */

/**
 * @typedef {object} Part a module
 * @property {(root: HTMLElement, store: Store, page: Page) => void} make draws the state into the element, now and after every change
 * @property {Save} save
 * @property {(state: Readonly<State>) => Painting | null} [paint] what it paints over the thumbnails of the heads while it is open; null: nothing
 */

/**
 * Numbers of the heads of the selected kind.
 * @typedef {object} Painting
 * @property {Map<string, Paint>} heads by "layer.head"
 * @property {{words: string, low: string, high: string, isOneSided?: boolean}} legend what the colours mean, and the ends of their scale;
 *   `isOneSided`: all tints are "falls"
 */

/**
 * @typedef {object} Paint
 * @property {"falls" | "rises" | "stays" | null} tint the colour of a negative number, of a positive one, and of one that does not show; null:
 *   there is no number
 * @property {number} strength of the colour, from 0 to 1
 * @property {string} text the number in little room
 * @property {string} words what is added to the name of the head for screen readers
 */

/**
 * What the page provides to a panel.
 * @typedef {object} Page
 * @property {() => void} retry asks again for everything that was refused
 * @property {() => void} undo takes the last change of the text back
 * @property {(name: import("../state/panels.js").PanelName) => void} open opens another panel and focuses its tab
 */

/**
 * What files contain. Each throws an error that says why there is nothing, if so.
 * @typedef {object} Save
 * @property {string} name a part of the file name
 * @property {(state: Readonly<State>, look: Look) => Scene} scene
 * @property {(state: Readonly<State>) => string[]} caption paragraphs
 * @property {(state: Readonly<State>) => string} csv
 * @property {(state: Readonly<State>) => object | null} request whose answer is saved as it is; null: there is none
 * @property {(state: Readonly<State>) => object} [json] what is saved as JSON, where it does not answer such a request
 */

export {};
