// How a picture is drawn for a file or for paper.

/**
 * @typedef {object} Look
 * @property {"light" | "dark"} scheme
 * @property {number} [width] of all, in pixels of the scene; some pictures have a width of their own
 * @property {number} [height] which a heatmap fills with its cells; other pictures are as high as they need
 * @property {boolean} [bar] whether it has a colour bar; true by default
 * @property {boolean} [numbers] whether the cells of a heatmap have their numbers, where they fit
 * @property {boolean} [row] whether a heatmap marks the row that is read
 * @property {boolean} [bare] whether it has no caption
 */

/** On white paper, with all that the page shows. @type {Look} */
export const LIGHT = { scheme: "light", numbers: true, row: true };
