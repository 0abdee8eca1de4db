// On the projector: how to join, large enough for the last row, as long as the teacher shows it.

import { make } from "../../dom/dom.js";
import { joinAt } from "../address.js";
import { CODE_IS, JOIN_BY, people, spaced } from "../words.js";
import { slideIn } from "./slide.js";

const WELCOME = "welcome"; // the slide that leaves room for it

/**
 * @param {string} code
 * @param {string} found the address under which a class joins, unless the teacher has said another one
 * @returns {(document: import("../types.d.ts").ClassDocument | null) => void}
 */
export function codeOverlay(code, found) {
  const picture = make("img", { class: "class-qr" });
  const address = make("p", { class: "class-address" });
  picture.alt = ""; // the address beside it says the same
  const count = make("p", { class: "class-count" });
  const root = make("div", { class: "class-join" }, [
    picture,
    make("div", {}, [
      make("p", { text: JOIN_BY }),
      address,
      make("p", { text: CODE_IS }),
      make("p", { class: "class-code", text: spaced(code) }),
      count,
    ]),
  ]);
  root.hidden = true;
  document.body.append(root);
  return (document) => {
    const at = joinAt(document, found);
    if (address.textContent !== at) {
      address.textContent = at;
      picture.src = `/class/${code}/qr.svg?${new URLSearchParams({ at })}`; // another picture
    }
    const slide = document && slideIn(document);
    // with the first slide, and before the first step; later it would cover the picture
    const isEarly = slide ? slide === WELCOME : !document?.step;
    const isFree = document?.activity === null && isEarly;
    root.hidden = !(document?.shows.code && isFree); // the bar has the code, too
    if (document) count.textContent = people(document.people);
  };
}
