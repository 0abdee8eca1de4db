// On the projector: how to join, large enough for the last row, as long as the teacher shows it.

import { make } from "../../dom/dom.js";
import { CODE_IS, JOIN_BY, people, spaced } from "../words.js";

/**
 * @param {string} code
 * @param {string} address under which a class joins
 * @returns {(document: import("../types.d.ts").ClassDocument | null) => void}
 */
export function codeOverlay(code, address) {
  const picture = make("img", { class: "class-qr" });
  picture.src = `/class/${code}/qr.svg`;
  picture.alt = ""; // the address beside it says the same
  const count = make("p", { class: "class-count" });
  const root = make("div", { class: "class-join" }, [
    picture,
    make("div", {}, [
      make("p", { text: JOIN_BY }),
      make("p", { class: "class-address", text: address }),
      make("p", { text: CODE_IS }),
      make("p", { class: "class-code", text: spaced(code) }),
      count,
    ]),
  ]);
  root.hidden = true;
  document.body.append(root);
  return (document) => {
    root.hidden = !document?.shows.code || document.activity !== null; // the bar has the code, too
    if (document) count.textContent = people(document.people);
  };
}
