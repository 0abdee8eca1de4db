// The type of a view: one row of the table in views.js, and the part that draws it. A view has a folder of its own, and never looks outside
// the element that it is given.

/** @import { State } from "../types.d.ts" */
/** @import { Store } from "../state/store.js" */
/** @import { Scene } from "../draw/scene.js" */
/** @import { Look } from "../draw/pictures/look.js" */
/** @typedef {"application/json" | "application/safetensors"} FileType */

/**
 * @typedef {object} View
 * @property {import("../dom/coming.js").Coming<Part>} part what draws it
 * @property {Partial<Record<import("../asking/questions.js").Name, import("../asking/questions.js").Question>>} questions what it asks
 *   of the API beside what every view needs
 * @property {boolean} oneMatrix whether it draws only the selected matrix, and not all of them at once
 * @property {(model: import("../types.d.ts").Model) => string} [lacks] why it has nothing to show of a model; "" if it has something
 */

/**
 * @typedef {object} Part a module
 * @property {(root: HTMLElement, store: Store, page: Page) => Picture} make draws the state into the element, now and after every
 *   change
 * @property {Save} save
 * @property {Keys} [keys]
 * @property {Releases} [releases]
 */

/** @typedef {Record<string, (state: Readonly<State>) => Partial<State> | null>} Keys what keys do while the view is looked at and the page has the focus; the help of the page lists them */
/** @typedef {Record<string, (state: Readonly<State>) => Partial<State>>} Releases what happens when such a key is released, or the window is left while it is held */

/**
 * What the page provides to a view.
 * @typedef {object} Page
 * @property {() => void} retry asks again for everything that was refused
 * @property {boolean} [holds] whether the reader can choose what to compare
 * @property {import("../state/views.js").ViewName} [before] the view that was looked at before this one
 * @property {boolean} [inText] whether the view stands in a text: it is as high as its content, and leaves the wheel and drags to the text
 * @property {(cell: [query: number, key: number] | null) => void} [onCell] called with the cell under the pointer
 * @property {(cell: {name: string, token: number, channel: number} | null) => void} [onVector] called with the channel under the pointer
 * @property {(place: "sentence" | "prediction") => void} [go] goes to another part of the page
 * @property {() => void} [onVectors] called when q, k and v of a long text are needed
 */

/**
 * @typedef {object} Picture a mounted view
 * @property {() => Promise<unknown>} drawn resolves once the current selection is drawn
 * @property {(look?: Look) => Scene | null} [scene] for a file or for paper; null if there is none yet
 * @property {() => HTMLElement | null} [legend] a legend of its hatching, for paper
 */

/**
 * @typedef {object} Save what files contain
 * @property {(state: Readonly<State>) => (string | number)[]} parts the parts of the file name
 * @property {(state: Readonly<State>, look: Look) => Promise<Scene>} [scene] if it differs from the picture on the page
 * @property {("bar" | "numbers" | "row")[]} [offers] what its scene can have or lack
 * @property {string} [of] the side that the caption describes
 * @property {(state: Readonly<State>) => Promise<string>} csv
 * @property {(state: Readonly<State>, type: FileType) => Promise<Blob>} file the answer of the API
 */

export {};
