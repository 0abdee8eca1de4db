// What the dialog for pictures says.

import { gettext } from "../../language/gettext.js";

/** By option. */
export const LABELS = {
  format: gettext("Format"),
  width: gettext("Width (cm)"),
  height: gettext("Height (cm)"),
  dpi: gettext("Dots per inch"),
  size: gettext("Font size (pt)"),
  scheme: gettext("Colours"),
  transparent: gettext("Transparent ground"),
  bar: gettext("Colour bar"),
  numbers: gettext("Numbers in the cells, where they fit"),
  row: gettext("Frame around the row that is read"),
  caption: gettext("Caption"),
};
/** By value. @type {Record<string, string>} */
export const VALUES = { svg: "SVG", png: "PNG", light: gettext("light"), dark: gettext("dark") };
export const AS_NEEDED = gettext("as needed");
export const CAPTION = gettext("Text of the caption");

/** @param {{label: string, least: number, most: number}} range */
export const outside = ({ label, least, most }) =>
  gettext("“{label}” takes a number from {least} to {most}.", { label, least, most });
/** The size of the file. @param {{width: string, height: string, pixels: string}} size */
export const sizeOnPaper = ({ width, height, pixels }) =>
  pixels
    ? gettext("{width} × {height} cm, {pixels} pixels", { width, height, pixels })
    : gettext("{width} × {height} cm", { width, height });
/** @param {{width: string, height: string}} pixels */
export const inPixels = ({ width, height }) => `${width} × ${height}`;
/** The picture does not fit at the font size that was asked for. @param {{points: string, width: string}} fit */
export const smaller = ({ points, width }) =>
  gettext(
    "The picture is shrunk to fit, so its text is {points} pt. It needs a width of {width} cm for the font size above.",
    { points, width },
  );
/** The same, where a height was asked for. @param {string} points */
export const smallerBoth = (points) =>
  gettext(
    "The picture is shrunk to fit, so its text is {points} pt. Choose a larger width or height, or leave the height empty.",
    { points },
  );
/** @param {{side: string, most: string}} pixels */
export const tooFine = ({ side, most }) =>
  gettext(
    "This would be {side} pixels on one side; browsers draw at most {most}. Choose fewer dots per inch, or a smaller size.",
    { side, most },
  );
