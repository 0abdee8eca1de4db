// What a view is: one row of the table in views.js. Its files lie in a folder of their own, and it finds nothing outside the element
// that it is given.

/** @typedef {import("../types.d.ts").State} State */
/** @typedef {import("../state/store.js").Store} Store */
/** @typedef {import("../draw/scene.js").Scene} Scene */
/** @typedef {"application/json" | "application/safetensors"} FileType */

/**
 * @typedef {object} View
 * @property {(root: HTMLElement, store: Store, page: Page) => Picture} make draws into the element whatever the state says, and goes on
 *   doing so
 * @property {Partial<Record<import("../asking/questions.js").Name, import("../asking/questions.js").Question>>} questions what it asks
 *   of the API beside what every view needs
 * @property {boolean} oneMatrix whether it draws the matrix that the reader chose, and not all of them at once
 * @property {Record<string, (state: Readonly<State>) => Partial<State> | null>} [keys] what keys do while it is looked at and
 *   the page has the focus; the help of the page lists them
 * @property {Save} save
 */

/**
 * What a view may ask of the page that it stands on.
 * @typedef {object} Page
 * @property {() => void} retry ask again for what was refused
 * @property {boolean} [holds] whether the reader may choose what is compared
 * @property {(cell: [query: number, key: number] | null) => void} [onCell] told of the cell under the pointer
 * @property {(cell: {name: string, token: number, channel: number} | null) => void} [onVector] told of the channel under the pointer
 * @property {() => void} [onVectors] q, k and v of a long text are looked at, and not there
 */

/**
 * @typedef {object} Picture a view that stands on a page
 * @property {() => Promise<unknown>} drawn resolves when what is selected now has been drawn
 * @property {() => Scene | null} [scene] for a file or for paper; null while there is none
 * @property {() => HTMLElement} [legend] what its hatching means on paper
 */

/**
 * @typedef {object} Save what a file holds of it
 * @property {(state: Readonly<State>) => (string | number)[]} parts of the file's name
 * @property {(state: Readonly<State>) => Promise<Scene>} [scene] where it is not what stands on the page
 * @property {string} [of] which side the caption is of
 * @property {(state: Readonly<State>) => Promise<string>} csv
 * @property {(state: Readonly<State>, type: FileType) => Promise<Blob>} file the API's own answer
 */

export {};
