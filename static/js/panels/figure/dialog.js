// The dialog that saves a picture as the reader wants it on paper, with a preview.

import { asPng, asSvg, drawScene, MAX_SIDE } from "../../dom/canvas.js";
import { make, need } from "../../dom/dom.js";
import { onTyped } from "../../dom/keys.js";
import { palette } from "../../dom/palette.js";
import { fixed, grouped, pointed } from "../../language/language.js";
import * as saved from "../save/words.js";
import { composed, INCH, pixelsOf } from "./compose.js";
import { optionsForm } from "./form.js";
import { choiceFrom, keepChoice, lastChoice } from "./options.js";
import { withDpi } from "./png.js";
import * as words from "./words.js";

/** @import { State } from "../../types.d.ts" */
/** @import { Subject } from "../save/subjects.js" */
/** @import { Choice } from "./options.js" */
/** @import { Composed } from "./compose.js" */
/** @typedef {{choice: Choice, picture: Composed}} Made */

const SHARP = 2; // canvas pixels per CSS pixel of the preview

/** At most two decimals. @param {number} value */
const brief = (value) => String(Number(value.toFixed(2)));

/**
 * @param {HTMLDialogElement} dialog
 * @param {(blob: Blob, name: string) => void} download
 */
export function pictureDialog(dialog, download) {
  const form = need(".picture-options", HTMLFormElement, dialog);
  const canvas = need("canvas", HTMLCanvasElement, dialog);
  const size = need("figcaption", HTMLElement, dialog);
  const note = need(".picture-note", HTMLElement, dialog);
  const status = need("[role=status]", HTMLElement, dialog);
  const caption = make("textarea", { verbatim: true });
  Object.assign(caption, { rows: 4, ariaLabel: words.CAPTION });
  caption.setAttribute("aria-label", words.CAPTION);
  form.append(caption);
  const options = optionsForm(form);
  const act = (/** @type {string} */ name) => need(`[data-act=${name}]`, HTMLButtonElement, dialog);
  const save = act("save");

  /** What is drawn. @type {{subject: Subject, state: Readonly<State>} | null} */
  let shown = null;
  let turn = 0; // only the newest preview is shown
  /** @type {Promise<Made | null>} */
  let made = Promise.resolve(null);

  /** @returns {Promise<Made | null>} null if there is nothing to save */
  const compose = async () => {
    const choice = options.read();
    if (!shown || typeof choice === "string") {
      note.textContent = typeof choice === "string" ? choice : "";
      return null;
    }
    const { subject, state } = shown;
    options.fit(choice, subject.offers(state));
    caption.hidden = !choice.caption;
    const { paper } = palette(choice.scheme);
    const draw = (/** @type {import("../../draw/pictures/look.js").Look} */ look) =>
      subject.scene(state, look);
    const picture = await composed(draw, choice, caption.value.split("\n"), paper);
    return { choice, picture };
  };

  const preview = async () => {
    turn += 1;
    const mine = turn;
    status.textContent = "";
    made = compose().catch((error) => {
      note.textContent = error instanceof Error ? error.message : String(error);
      return null;
    });
    const found = await made;
    if (mine !== turn) return;
    save.disabled = true;
    if (!found) return;
    const { choice, picture } = found;
    const { scene, cm } = picture;
    const problem = problemOf(found);
    note.textContent = problem || noteOf(found);
    save.disabled = problem !== "";
    const pixels = pixelsOf(picture, choice.dpi);
    size.textContent = words.sizeOnPaper({
      width: pointed(brief(cm.width)),
      height: pointed(brief(cm.height)),
      pixels:
        choice.format === "png"
          ? words.inPixels({ width: grouped(pixels.width), height: grouped(pixels.height) })
          : "",
    });
    const wide = (cm.width / INCH) * 96; // CSS pixels: as large as on paper, if there is room
    drawScene(canvas, scene, (SHARP * Math.min(wide, 1200)) / scene.width);
    canvas.style.maxWidth = `min(100%, ${wide}px)`;
    canvas.setAttribute("aria-label", scene.title);
    canvas.classList.toggle("clear", choice.transparent);
    canvas.style.colorScheme = choice.scheme; // what shows through is the paper of the picture, not of the page
  };

  onTyped(form, preview);
  form.addEventListener("submit", (event) => {
    event.preventDefault(); // Enter in a field
    save.click();
  });
  act("usual").addEventListener("click", () => {
    if (!shown) return;
    options.write(choiceFrom({}), shown.subject.offers(shown.state));
    preview();
  });
  save.addEventListener("click", async () => {
    const found = await made;
    if (!found || !shown || problemOf(found)) return;
    keepChoice(found.choice);
    const name = `${shown.subject.name(shown.state)}.${found.choice.format}`;
    status.textContent = saved.ONE_MOMENT;
    try {
      const { blob, pixels } = await fileOf(found);
      download(blob, name);
      status.textContent = pixels ? saved.withPixels(saved.saved(name)) : saved.saved(name);
    } catch (error) {
      status.textContent = saved.notSaved(error instanceof Error ? error.message : String(error));
    }
  });

  /** @param {Subject} subject @param {Readonly<State>} state */
  return async (subject, state) => {
    shown = { subject, state };
    options.write(lastChoice(), subject.offers(state));
    caption.value = subject.caption(state).filter(Boolean).join("\n");
    dialog.showModal();
    form.querySelector("input")?.focus();
    await preview();
  };
}

/** Why it cannot be saved; "" if it can. @param {Made} made */
function problemOf({ choice, picture }) {
  if (choice.format !== "png") return "";
  const { width, height } = pixelsOf(picture, choice.dpi);
  const side = Math.max(width, height);
  return side > MAX_SIDE ? words.tooFine({ side: grouped(side), most: grouped(MAX_SIDE) }) : "";
}

/** That the picture had to shrink; "" if it did not. @param {Made} made */
function noteOf({ choice, picture: { points, cm } }) {
  if (points > 0.97 * choice.size) return "";
  const said = fixed(points, 1);
  if (choice.height !== null) return words.smallerBoth(said);
  return words.smaller({ points: said, width: fixed((cm.width * choice.size) / points, 1) });
}

/** @param {Made} made @returns {Promise<{blob: Blob, pixels: boolean}>} `pixels`: whether the cells of an SVG are an image */
async function fileOf({ choice, picture }) {
  const { scene, cm } = picture;
  if (choice.format === "svg") {
    const mm = (/** @type {number} */ length) => `${brief(10 * length)}mm`;
    return asSvg(scene, { width: mm(cm.width), height: mm(cm.height) });
  }
  const png = await asPng(scene, pixelsOf(picture, choice.dpi).width / scene.width);
  const bytes = withDpi(new Uint8Array(await png.arrayBuffer()), choice.dpi);
  return { blob: new Blob([bytes], { type: png.type }), pixels: false };
}
