// What is mounted where: a row for each element of the page, in the order in which they are made. A row gets its element and the page as
// far as it is made; what it gives is the page's, under its name. What is new needs a row here, an element in the template, and a folder.

import { coming, openedBy } from "../dom/coming.js";
import { need } from "../dom/dom.js";
import { menus } from "../dom/menus.js";
import { tokenMenu } from "../edit/menu.js";
import { paint } from "../edit/paint.js";
import { paintTools } from "../edit/paint-tools.js";
import { answerChooser } from "../panels/answer/chooser.js";
import { explain } from "../panels/explain/explain.js";
import { filmBar } from "../panels/film/bar.js";
import { compareWithBefore } from "../panels/head/before.js";
import { colourBar, colours } from "../panels/head/colours.js";
import { hatchLegend, headTitle, readout } from "../panels/head/readout.js";
import { rowTable } from "../panels/head/tables.js";
import { findForm, ranking } from "../panels/heads/find.js";
import { grid } from "../panels/heads/grid.js";
import { kindSwitch, segmentFilter } from "../panels/heads/kinds.js";
import { labelLegend } from "../panels/heads/legend.js";
import { overview } from "../panels/heads/overview.js";
import { paintLegend } from "../panels/heads/painting.js";
import { preview } from "../panels/heads/preview.js";
import { asChat } from "../panels/input/chat.js";
import { chips } from "../panels/input/chips.js";
import { gallery } from "../panels/input/gallery.js";
import { masks } from "../panels/input/masks.js";
import { modelPicker } from "../panels/input/picker.js";
import { sentences } from "../panels/input/sentence.js";
import { hiddenSpecial, specialTokens, wordUnits } from "../panels/input/special.js";
import { besidePicture, toggles } from "../panels/input/toggles.js";
import { interventionChips } from "../panels/intervene/chips.js";
import { missingBox } from "../panels/missing/missing.js";
import { nextStep } from "../panels/next/next.js";
import { rowSums } from "../panels/sources.js";
import { forecast } from "../panels/strip/strip.js";
import { undoing } from "../panels/undo/undo.js";
import { heatmap } from "../views/heatmap/heatmap.js";
import { percent } from "../words/format.js";
import { NOT_LOADED } from "../words/problem.js";
import { languages, matrixSwitch, scheme, vectorSwitch } from "./chrome.js";
import { palette } from "./commands/opening.js";
import { foot } from "./foot.js";
import { largePanel } from "./large.js";
import { lessonLink } from "./lesson.js";
import { moreTools } from "./more.js";
import { viewElement } from "./mounts.js";
import { tabs } from "./tabs.js";

const INTERVENE = coming(() => import("../panels/intervene/dialog.js"));
const OWN = coming(() => import("../panels/own/own.js"));

/** @import { Boot } from "../types.d.ts" */
/** @import { Store } from "../state/store.js" */

/**
 * What elements share: first what all have, then what rows give.
 * @typedef {object} Page
 * @property {Store} store
 * @property {import("../panels/later.js").Later} later gives the store to what draws an answer after the picture
 * @property {Boot} boot
 * @property {(words: string, ms?: number) => void} say
 * @property {import("../views/view.js").Page} ofViews what the page provides to a view
 * @property {ReturnType<typeof scheme>} showScheme
 * @property {ReturnType<typeof gallery>} examples
 * @property {ReturnType<typeof undoing>} undo
 * @property {ReturnType<typeof paintTools>} tools of the brush
 * @property {ReturnType<typeof readout>} readout
 * @property {ReturnType<typeof heatmap>} picture
 * @property {(file: File) => void} openOwn in the dialog of own tensors
 */

/**
 * @template {Element} T
 * @param {string} at its place in the template
 * @param {new () => T} type
 * @param {(element: T, page: Page) => unknown} make
 * @param {keyof Page | null} gives
 * @returns {{at: string, type: new () => Element, make: (element: any, page: Page) => unknown, gives: keyof Page | null}}
 */
const row = (at, type, make, gives = null) => ({ at, type, make, gives });

/** Before the pictures of the views. */
export const CONTROLS = [
  row("#colours", HTMLFormElement, (form, { later }) => colours(form, later.panel())),
  row(
    "#scheme",
    HTMLElement,
    (_, { store }) => scheme((name) => store.update({ scheme: name })),
    "showScheme",
  ),
  row("body", HTMLElement, () => languages()),
  row("body", HTMLElement, (body, { store, boot }) =>
    lessonLink(body.querySelector("#learn"), store, boot.lessons),
  ),
  row("#sentences", HTMLElement, (root, { store, boot }) =>
    sentences(root, store, {
      limits: boot.limits,
      add: need("#add-sentence", HTMLButtonElement),
      addPair: need("#add-pair", HTMLButtonElement),
    }),
  ),
  row("#model", HTMLSelectElement, (select, { store }) =>
    modelPicker(
      {
        select,
        progress: need("#model-state", HTMLElement),
        size: need("#model-size", HTMLElement),
      },
      store,
    ),
  ),
  row(
    "#gallery",
    HTMLDialogElement,
    (dialog, { store, boot }) =>
      gallery(
        { strip: need("#try", HTMLElement), dialog, line: need("#look", HTMLElement) },
        store,
        boot.gallery,
        boot.models[0].name,
      ),
    "examples",
  ),
  row("#commands", HTMLDialogElement, (dialog, { store, boot }) => palette(dialog, store, boot)),
  row("#more-tools", HTMLElement, moreTools),
  row("#missing", HTMLElement, (root, { store }) => missingBox(root, store, document.body)),
  row(
    "#undo",
    HTMLButtonElement,
    (undo, { store, say }) => undoing({ undo, redo: need("#redo", HTMLButtonElement) }, store, say),
    "undo",
  ),
  row("#masks", HTMLFormElement, (form, { store }) =>
    masks(form, need("#masks-said", HTMLElement), store),
  ),
  row("body", HTMLElement, menus),
  row("#as-chat", HTMLButtonElement, (button, { store, say }) => asChat(button, store, say)),
  row("#special", HTMLElement, (label, { store }) => specialTokens(label, store)),
  row("#hide-special", HTMLElement, (label, { store }) => hiddenSpecial(label, store)),
  row("#in-words", HTMLElement, (label, { store }) => wordUnits(label, store)),
  row("#toggles", HTMLElement, (root, { store }) => {
    toggles(root, store);
    besidePicture(root, need(".head-bar", HTMLElement), need("#tour-open", HTMLElement));
  }),
  row(
    "#paint-tools",
    HTMLElement,
    (toolbar, { store }) =>
      paintTools(toolbar, store, {
        status: need("#paint-said", HTMLElement),
        notice: need("#paint-notice", HTMLElement),
        said: need("#paint-of", HTMLElement),
        masks: need("#masks-menu > summary", HTMLElement),
        painted: need("#painted", HTMLButtonElement),
        muted: need("#muted", HTMLButtonElement),
      }),
    "tools",
  ),
  row("#interventions", HTMLElement, (root, { store }) =>
    interventionChips(root, store, () => need("#intervene-open", HTMLButtonElement).focus()),
  ),
  row("#intervene", HTMLDialogElement, (dialog, { store, say }) => {
    const opener = need("#intervene-open", HTMLButtonElement);
    openedBy(opener, INTERVENE, (module) => module.interveneDialog(dialog, opener, store), say);
  }),
  row("#chips", HTMLElement, (root, { store, tools }) =>
    chips(root, store, tokenMenu(need("#main", HTMLElement), store, tools.perform)),
  ),
  row("#kind", HTMLFieldSetElement, (field, { store }) => kindSwitch(field, store)),
  row("#film-bar", HTMLElement, (root, { store }) =>
    filmBar(root, need("#film-open", HTMLButtonElement), store),
  ),
  row("#segments", HTMLFieldSetElement, (field, { store }) => segmentFilter(field, store)),
  row("#grid", HTMLElement, (root, { later }) => grid(root, later.panel())),
  row("#head-title", HTMLElement, (title, { store }) =>
    headTitle(
      {
        title,
        label: need("#head-label", HTMLElement),
        muted: need("#head-muted", HTMLElement),
        mute: need("#mute", HTMLButtonElement),
      },
      store,
    ),
  ),
  row("#legend", HTMLElement, (root, { later }) => hatchLegend(root, later.panel())),
  row("#colour-bar", HTMLElement, (root, { later }) => colourBar(root, later.panel())),
  row("body", HTMLElement, (_, { store }) => matrixSwitch(store)),
  row("#vectors-open", HTMLButtonElement, (button, { store }) => vectorSwitch(button, store)),
  row("#right-tabs", HTMLElement, (_, { store }) => tabs(store)),
  row("#answer-field", HTMLElement, (root, { store }) =>
    answerChooser(root, need("#answer", HTMLDialogElement), store),
  ),
  row("#right-large", HTMLButtonElement, (button, { store }) =>
    largePanel(button, need("#main", HTMLElement), store),
  ),
  row("#find", HTMLFormElement, (form, { later }) =>
    findForm(form, need("#find-said", HTMLElement), later.panel()),
  ),
  row("#find-panel", HTMLElement, (root, { later }) => ranking(root, later.panel())),
  row("#row", HTMLTableElement, (table, { later }) => rowTable(table, later.panel())),
  row("#row-shares", HTMLTableElement, (table, { later }) =>
    rowTable(table, later.panel(), { most: 6, said: percent }),
  ),
  row("#readout", HTMLElement, (root, { later }) => readout(root, later.panel()), "readout"),
  row("#explain", HTMLElement, (root, { later }) => explain(root, later.panel())),
  row(
    "#heatmap-view",
    HTMLElement,
    (_, { store, ofViews }) => heatmap(viewElement("heatmap"), store, ofViews),
    "picture",
  ),
  row("#plot", HTMLElement, (plot, { store, picture, tools }) =>
    paint(plot, store, picture, tools),
  ),
  row("#plot", HTMLElement, (plot, { store, picture }) => rowSums(plot, store, picture)),
  row("#compare-before", HTMLButtonElement, (button, { store }) =>
    compareWithBefore(button, store, need("#view", HTMLElement)),
  ),
  row(
    "#own",
    HTMLDialogElement,
    (dialog, { store, say }) => {
      const opener = need("#own-open", HTMLButtonElement);
      const made = openedBy(
        opener,
        OWN,
        ({ ownTensors }) => ownTensors({ dialog, opener }, store, { say }),
        say,
      );
      return (/** @type {File} */ file) =>
        made().then(
          (open) => open(file),
          () => say(NOT_LOADED),
        );
    },
    "openOwn",
  ),
];

/** After the panels on the right. */
export const FEET = [
  // at once: a phone and the tour arrange the page by its height
  row("#forecast", HTMLElement, (root, { store }) => forecast(root, store)),
  row("#main", HTMLElement, (main) => foot(document.documentElement, main)),
  row("#next-step", HTMLElement, (root, { later, examples, undo }) =>
    nextStep(root, later.panel(), {
      following: examples.following,
      undoEdit: undo.edit,
      watch: () => need("#film-open", HTMLButtonElement).click(),
    }),
  ),
  row("#heads-size", HTMLButtonElement, (button, { later }) =>
    overview(need("#grid", HTMLElement), button, later.panel()),
  ),
  row("#grid", HTMLElement, (heads, { later }) =>
    heads.after(labelLegend(later.panel()), paintLegend(later.panel()), preview(heads)),
  ),
];

/** @param {typeof CONTROLS} rows @param {Page} page */
export function mount(rows, page) {
  for (const { at, type, make, gives } of rows) {
    const given = make(need(at, type), page);
    if (gives) Object.assign(page, { [gives]: given });
  }
}
