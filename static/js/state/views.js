// How a head can be drawn: a row for each view, in the order of the page, the default first. What a view does is in its folder
// (static/js/views/).

export const VIEWS = /** @type {const} */ ([
  { name: "heatmap", label: "Heatmap" },
  { name: "lines", label: "Lines" },
  { name: "inside", label: "Inside" },
  { name: "compare", label: "Compare" },
]);

/** @typedef {typeof VIEWS[number]["name"]} ViewName */

export const VIEW_NAMES = VIEWS.map(({ name }) => name);
