// What the far links say, in the panel and in saved files.

import { grouped, isolated, quote, weight } from "../../words/format.js";
import { headInText } from "../../words/heads.js";

/** @import { Link } from "./links.js" */

export const OVERVIEW = {
  label: "Overview of the text",
  title:
    "The whole text, from the first token to the last. The marks show how much the selected token attends to each; the arcs are the links below. Click or drag to go to a token.",
};
export const SCOPE = "Whose links";
export const SCOPES = /** @type {const} */ ([
  { value: "all", text: "all heads" },
  { value: "head", text: "this head" },
]);
export const AT_LEAST = "at least ";
export const FIRST = " first token too";
export const FIRST_WHY =
  "Also list links to the first token and to special tokens. Many heads attend to those when they look for nothing.";
export const CAPTION = "The strongest far links, the strongest first";
export const COLUMNS = ["weight", "from", "to", "apart", "head"];
export const LOOKING = "Looking for far links …";
export const NO_NUMBERS = "There are no far links yet.";
export const CLICK = "Click a link to see it in the picture.";

/** @param {number} n */
export const apart = (n) => `${grouped(n)} tokens apart`;

/** How far a link goes, and to which side. @param {Pick<Link, "query" | "key" | "distance">} link */
export const distance = ({ query, key, distance }) =>
  key < query ? `← ${grouped(distance)}` : `${grouped(distance)} →`;

/** @param {{place: number, token: string}} token */
export const token = ({ place, token }) => `token ${place}: ${isolated(token)}`;

/** @param {number} n */
export const nothing = (n) =>
  `Nothing here is at least ${apart(n)}: the text is too short, or masks block it. Move the slider to the left.`;

/** @param {number} searched */
export const source = (searched) =>
  `The largest weights of ${grouped(searched)} cells. What a weight moves also depends on the value there.`;

/** @param {{from: string, to: string, end: "from" | "to"}} around */
export const context = ({ from, to, end }) =>
  end === "from" ? `… ${isolated(from)} …` : `… ${isolated(to)} …`;

/** @param {Link} link */
export function inWords(link) {
  const { from, to, query, key, distance } = link;
  const far = grouped(distance);
  return key < query
    ? `In ${headInText(link)}, ${quote(from)} attends to ${quote(to)}, ${far} tokens before it, with weight ${weight(link.weight)}.`
    : `In ${headInText(link)}, ${quote(from)} attends to ${quote(to)}, ${far} tokens after it, with weight ${weight(link.weight)}.`;
}

/** @param {Link} link */
export const rowLabel = (link) => `${inWords(link)} Show it.`;

export const PICTURE_COLUMNS = { name: "from → to", value: "weight" };
export const CSV = {
  head: ["kind", "layer", "head"],
  link: ["weight", "distance in tokens"],
};

/** @param {number} n */
export const pictureTitle = (n) => `The strongest links of at least ${grouped(n)} tokens`;

/** @param {Link} link */
export const pictureName = ({ from, to }) => `${isolated(from)} → ${isolated(to)}`;

/** @param {{link: Link, head: string}} row */
export const pictureValue = ({ link, head }) =>
  `${weight(link.weight)}  ${head}, ${distance(link)}`;
