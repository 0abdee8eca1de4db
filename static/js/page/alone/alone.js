// Going on without the server: offered when it does not answer, said while it lasts, with a way back once it answers again.

import { backend } from "../../api/backend.js";
import { pause } from "../../api/pauses.js";
import { isUp } from "../../api/server.js";
import { button, make, need } from "../../dom/dom.js";
import { ALONE } from "../words.js";

/** @import { Lane } from "../../asking/lane.js" */

const LOOK_S = 5; // seconds between two looks whether the server answers again

/**
 * @param {Lane} lane
 * @param {() => void} [retry] ask again for what was refused
 */
export function alone(lane, retry = () => {}) {
  /** @param {boolean} isAlone */
  const goOn = (isAlone) => {
    backend.goOn(isAlone);
    lane.renew();
    retry();
  };
  const offer = message(
    ALONE.offer,
    button(ALONE.go, () => goOn(true)),
  );
  const line = message(
    ALONE.is,
    button(ALONE.back, () => goOn(false)),
  );
  const say = (/** @type {boolean} */ canAct) => {
    const why = backend.isAlone ? ALONE.why : ""; // else a link or a setting says so
    line.show(backend.isInPage && backend.couldLeave, canAct, why);
  };
  offer.root.classList.add("offer");
  line.root.classList.add("alone");
  const messages = need("#messages", HTMLElement);
  messages.prepend(offer.root); // before the button of what it waits for
  messages.after(line.root);

  /** @type {object | null} */
  let silent = null;
  lane.silence.watch(async (request) => {
    silent = request;
    offer.show(false);
    if (!request || backend.isHere(request.model) || !backend.runs(request.model)) return;
    offer.show(true, false);
    try {
      await backend.engine.open(request.model); // its files are here already, or can still be fetched
    } catch {
      return; // without them there is nothing to offer
    }
    if (silent === request) offer.show(true);
  });

  let looks = 0;
  backend.watch(async () => {
    say(false);
    looks += 1;
    const look = looks;
    while (backend.isAlone && look === looks) {
      const up = await isUp();
      if (look !== looks) return;
      say(up);
      await pause(LOOK_S);
    }
  });
}

/**
 * A line with a button.
 * @param {string} text
 * @param {HTMLButtonElement} act
 */
function message(text, act) {
  const words = make("p");
  words.setAttribute("role", "status");
  act.classList.add("quiet");
  const root = make("section", { class: "waiting" }, [words, act]);
  root.setAttribute("aria-label", ALONE.label);
  root.hidden = true;
  return {
    root,
    /** @param {boolean} isShown @param {boolean} [canAct] @param {string} [why] a sentence more, where there is room */
    show: (isShown, canAct = true, why = "") => {
      root.hidden = !isShown;
      act.hidden = !canAct;
      root.title = why;
      const said = isShown ? [text, why].filter(Boolean).join(" ") : "";
      if (words.textContent === said) return; // setting it again would read it out again
      words.replaceChildren();
      if (!isShown) return;
      words.append(text);
      if (why) words.append(make("span", { class: "alone-why", text: ` ${why}` }));
    },
  };
}
