// What a frame says to its host about a message that it cannot take, and the lines that put a view into another page.

import { gettext } from "../../language/gettext.js";

// For the host's programs, in English
export const EXPECTED = {
  /** @param {string} max characters */
  query: (max) =>
    `a query string of at most ${max} characters, such as "text=The+keys&layer=2&head=3"`,
  /** @param {string[]} names */
  oneOf: (names) => names.map((name) => `"${name}"`).join(", "),
};
/** @param {string[]} types */
export const unknownType = (types) => `Expected the type ${types.join(", ")}; got another one.`;
/** @param {{type: string, version: number}} message */
export const otherVersion = ({ type, version }) =>
  `Expected version: ${version} in ${type}; got another one.`;
/** @param {{type: string, name: string, expected: string}} field */
export const unfit = ({ type, name, expected }) => `${type}: expected ${name} to be ${expected}.`;

/** What to know about the lines that put a view into another page. */
export const LINES = {
  /** The name of the frame, for a screen reader. @param {{head: string, text: string}} view */
  name: ({ head, text }) => gettext("Attention of {head}: {text}", { head, text }),
  /** @param {string} text */
  quiz: (text) => gettext("Attention: {text}", { text }),
  own: gettext(
    "No link can carry this model: it is a file of yours, only in this browser. Save it as a page, put that on a web space, and choose Share there.",
  ),
  /** @param {string[] | null} origins */
  allowed: (origins) => {
    if (origins === null) {
      return gettext(
        "Put this file on a web space, and paste these lines where the view is to stand. Any page can show it.",
      );
    }
    if (origins.length === 0) {
      return gettext(
        "Paste these lines where the view is to stand. So far, only pages of this server can show it: whoever runs it has to name the origins of others when starting it, as in HEADLIGHT_FRAME_ANCESTORS=https://blog.example.org.",
      );
    }
    return gettext(
      "Paste these lines where the view is to stand. Pages of this server can show it, and those of {origins}. Whoever runs the server can add others to HEADLIGHT_FRAME_ANCESTORS.",
      { origins: origins.join(", ") },
    );
  },
};

/** A script for other pages: it makes the frame as high as its view. Where they run none, the frame keeps the height that it has. */
export const FOLLOW = `
  addEventListener("message", ({ source, origin, data }) => {
    if (data.type !== "headlight.height") return;
    for (const frame of document.querySelectorAll("iframe"))
      if (frame.contentWindow === source && new URL(frame.src).origin === origin)
        frame.style.height = data.height + "px";
  });
`;
