// On the projector: the slide of a step, over the inspector. In a frame the page of all slides shows the one that its address names.

import { make } from "../../dom/dom.js";

/** The slide that the projector shows now. @param {Pick<import("../types.d.ts").ClassDocument, "step" | "shows" | "activity">} document @returns {string | null} */
export const slideIn = ({ step, shows, activity }) =>
  (shows.slide && activity === null && step?.slide) || null;

/** @param {string} code of the class @param {HTMLElement} main what it covers */
export function slideOver(code, main) {
  /** @type {HTMLIFrameElement | null} */
  let frame = null;
  let shown = "";
  /** @param {string} name */
  const go = (name) => {
    const address = `/class/${code}/slides#${name}`;
    if (!frame) {
      frame = make("iframe", { class: "class-slide" });
      frame.inert = true; // keys and clicks belong to the page around it
      frame.src = address;
      document.body.append(frame);
    } else frame.contentWindow?.location.replace(address); // no entry of the history
  };
  return (/** @type {import("../types.d.ts").ClassDocument | null} */ document) => {
    const name = (document && slideIn(document)) ?? "";
    if (name === shown) return;
    shown = name;
    if (name) go(name);
    if (frame) {
      frame.title = document?.step?.title ?? "";
      frame.hidden = name === "";
    }
    main.inert = name !== "";
  };
}
