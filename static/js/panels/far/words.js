// What the far links say, in the panel and in saved files.

import { gettext } from "../../language/gettext.js";
import { grouped, isolated, quote, weight } from "../../words/format.js";
import { headInText } from "../../words/heads.js";

/** @import { Link } from "./links.js" */

export const OVERVIEW = {
  label: gettext("Overview of the text"),
  title: gettext(
    "The whole text, from the first token to the last. The marks show how much the selected token attends to each; the arcs are the links below. Click or drag to go to a token.",
  ),
};
export const SCOPE = gettext("Whose links");
export const SCOPES = /** @type {const} */ ([
  { value: "all", text: gettext("all heads") },
  { value: "head", text: gettext("this head") },
]);
export const AT_LEAST = gettext("at least");
export const FIRST = gettext("first token too");
export const FIRST_WHY = gettext(
  "Also list links to the first token and to special tokens. Many heads attend to those when they look for nothing.",
);
export const CAPTION = gettext("The strongest far links, the strongest first");
export const COLUMNS = [
  gettext("weight"),
  gettext("from"),
  gettext("to"),
  gettext("apart"),
  gettext("head"),
];
export const LOOKING = gettext("Looking for far links …");
export const NO_NUMBERS = gettext("There are no far links yet.");
export const CLICK = gettext("Click a link to see it in the picture.");

/** @param {number} n */
export const apart = (n) => gettext("{n} tokens apart", { n });

/** How far a link goes, and to which side. @param {Pick<Link, "query" | "key" | "distance">} link */
export const distance = ({ query, key, distance }) =>
  key < query ? `← ${grouped(distance)}` : `${grouped(distance)} →`;

/** @param {{place: number, token: string}} token */
export const token = ({ place, token }) =>
  gettext("token {place}: {token}", { place, token: isolated(token) });

/** @param {number} n */
export const nothing = (n) =>
  gettext(
    "Nothing here is at least {apart}: the text is too short, or masks block it. Move the slider to the left.",
    { apart: apart(n) },
  );

/** @param {number} searched */
export const source = (searched) =>
  gettext(
    "The largest weights of {searched} cells. What a weight moves also depends on the value there.",
    { searched },
  );

/** @param {{from: string, to: string, end: "from" | "to"}} around */
export const context = ({ from, to, end }) =>
  end === "from" ? `… ${isolated(from)} …` : `… ${isolated(to)} …`;

/** @param {Link} link */
export function inWords(link) {
  const { from, to, query, key, distance } = link;
  const far = grouped(distance);
  return key < query
    ? gettext("In {link}, {from} attends to {to}, {far} tokens before it, with weight {weight}.", {
        link: headInText(link),
        from: quote(from),
        to: quote(to),
        far,
        weight: weight(link.weight),
      })
    : gettext("In {link}, {from} attends to {to}, {far} tokens after it, with weight {weight}.", {
        link: headInText(link),
        from: quote(from),
        to: quote(to),
        far,
        weight: weight(link.weight),
      });
}

/** @param {Link} link */
export const rowLabel = (link) => gettext("{inWords} Show it.", { inWords: inWords(link) });

export const PICTURE_COLUMNS = { name: gettext("from → to"), value: gettext("weight") };
export const CSV = {
  head: ["kind", "layer", "head"],
  link: ["weight", "distance in tokens"],
};

/** @param {number} n */
export const pictureTitle = (n) => gettext("The strongest links of at least {n} tokens", { n });

/** @param {Link} link */
export const pictureName = ({ from, to }) => `${isolated(from)} → ${isolated(to)}`;

/** @param {{link: Link, head: string}} row */
export const pictureValue = ({ link, head }) =>
  `${weight(link.weight)}  ${head}, ${distance(link)}`;
