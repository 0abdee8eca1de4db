// What the dialog for pictures says.

/** By option. */
export const LABELS = {
  format: "Format",
  width: "Width (cm)",
  height: "Height (cm)",
  dpi: "Dots per inch",
  size: "Font size (pt)",
  scheme: "Colours",
  transparent: "Transparent ground",
  bar: "Colour bar",
  numbers: "Numbers in the cells, where they fit",
  row: "Frame around the row that is read",
  caption: "Caption",
};
/** By value. @type {Record<string, string>} */
export const VALUES = { svg: "SVG", png: "PNG", light: "light", dark: "dark" };
export const AS_NEEDED = "as needed";
export const CAPTION = "Text of the caption";

/** @param {{label: string, least: number, most: number}} range */
export const outside = ({ label, least, most }) =>
  `“${label}” takes a number from ${least} to ${most}.`;
/** The size of the file. @param {{width: string, height: string, pixels: string}} size */
export const sizeOnPaper = ({ width, height, pixels }) =>
  pixels ? `${width} × ${height} cm, ${pixels} pixels` : `${width} × ${height} cm`;
/** @param {{width: string, height: string}} pixels */
export const inPixels = ({ width, height }) => `${width} × ${height}`;
/** The picture does not fit at the font size that was asked for. @param {{points: string, width: string}} fit */
export const smaller = ({ points, width }) =>
  `The picture is shrunk to fit, so its text is ${points} pt. It needs a width of ${width} cm for the font size above.`;
/** The same, where a height was asked for. @param {string} points */
export const smallerBoth = (points) =>
  `The picture is shrunk to fit, so its text is ${points} pt. Choose a larger width or height, or leave the height empty.`;
/** @param {{side: string, most: string}} pixels */
export const tooFine = ({ side, most }) =>
  `This would be ${side} pixels on one side; browsers draw at most ${most}. Choose fewer dots per inch, or a smaller size.`;
