// The inspector: one store, the views that draw it, the loader that fills it, and the URL that records it.

import { place } from "./api/place.js";
import { nameReader } from "./api/server.js";
import { answers, lane } from "./asking/answers.js";
import { probes } from "./asking/probes.js";
import { need } from "./dom/dom.js";
import { tokenMenu } from "./edit/menu.js";
import { paint } from "./edit/paint.js";
import { paintTools } from "./edit/paint-tools.js";
import { address } from "./page/address.js";
import { alone } from "./page/alone/alone.js";
import { ahead, isBurdened, prefetch } from "./page/alone/prefetch.js";
import { announce } from "./page/announce.js";
import { matrixSwitch, scheme, viewSwitch } from "./page/chrome.js";
import { depths, usualDepth } from "./page/depth.js";
import { tellDrawn } from "./page/drawn.js";
import { asView, embed, isEmbedded } from "./page/embed/embed.js";
import { hostOf } from "./page/embed/host.js";
import { embedding } from "./page/embed/lines.js";
import { foot } from "./page/foot.js";
import { keyboard } from "./page/keyboard.js";
import { lessonLink } from "./page/lesson.js";
import { panelElement, sourceElement, viewElement } from "./page/mounts.js";
import { LONG_MS, notice } from "./page/notice.js";
import { present } from "./page/present/present.js";
import { slides } from "./page/present/slides.js";
import { quiz } from "./page/quiz.js";
import { status } from "./page/status.js";
import { tabs } from "./page/tabs.js";
import { tour } from "./page/tour/tour.js";
import { waiting } from "./page/waiting.js";
import { explain } from "./panels/explain/explain.js";
import { printing } from "./panels/figure/printing.js";
import { compareWithBefore } from "./panels/head/before.js";
import { colourBar, colours } from "./panels/head/colours.js";
import { hatchLegend, headTitle, readout } from "./panels/head/readout.js";
import { rowTable } from "./panels/head/tables.js";
import { findForm, ranking } from "./panels/heads/find.js";
import { grid } from "./panels/heads/grid.js";
import { kindSwitch, segmentFilter } from "./panels/heads/kinds.js";
import { labelLegend } from "./panels/heads/legend.js";
import { paintLegend } from "./panels/heads/painting.js";
import { chips } from "./panels/input/chips.js";
import { gallery } from "./panels/input/gallery.js";
import { masks } from "./panels/input/masks.js";
import { modelPicker } from "./panels/input/picker.js";
import { sentences } from "./panels/input/sentence.js";
import { specialTokens } from "./panels/input/special.js";
import { toggles } from "./panels/input/toggles.js";
import { interventionChips } from "./panels/intervene/chips.js";
import { interveneDialog } from "./panels/intervene/dialog.js";
import { Later } from "./panels/later.js";
import { missingBox, tellOtherWeights } from "./panels/missing/missing.js";
import { lostInWords } from "./panels/missing/words.js";
import { nextStep } from "./panels/next/next.js";
import { ownTensors } from "./panels/own/own.js";
import { PANELS } from "./panels/panels.js";
import { questions, UNASKED } from "./panels/questions.js";
import { save } from "./panels/save/save.js";
import { captionIn } from "./panels/save/subjects.js";
import { rowSums } from "./panels/scratch/sums.js";
import { SOURCE_PANELS } from "./panels/sources.js";
import { forecast } from "./panels/strip/strip.js";
import { undoing } from "./panels/undo/undo.js";
import { SOURCES } from "./sources/sources.js";
import { readBar } from "./standalone/bar.js";
import { opening, relationsOf } from "./state/examples.js";
import { fitting } from "./state/fitting/fitting.js";
import { history as edits } from "./state/history.js";
import { PANEL_NAMES } from "./state/panels.js";
import { Store } from "./state/store.js";
import { linked } from "./state/url.js";
import { VIEW_NAMES } from "./state/views.js";
import { heatmap } from "./views/heatmap/heatmap.js";
import { loadPlotly } from "./views/heatmap/plotly.js";
import { VIEWS } from "./views/views.js";

/** @import { Boot } from "./types.d.ts" */

/** @type {Boot} */
const boot = JSON.parse(need("#boot", HTMLScriptElement).textContent ?? "");

place.prepare(boot);
if (isEmbedded) nameReader(); // browsers keep cookies from frames in other sites' pages
const first = opening(boot.gallery);
const read = (/** @type {string} */ search, models = boot.models) =>
  asView(linked(search, models, { ...first, depth: usualDepth() }, boot.limits.texts));
const link = read(readBar());
const store = new Store({
  ...link.choice,
  models: boot.models,
  relations: { model: boot.models[0].name, drawn: relationsOf(boot.gallery) },
  ...UNASKED,
  missing: link.missing,
});
const later = new Later(store); // before the panels
store.watch(["engine"], ({ engine }) => place.choose(engine));

const said = need("#said", HTMLElement);
const say = notice(said);
const sayLost = (/** @type {import("./types.d.ts").Lost} */ lost) =>
  say(lostInWords(lost), LONG_MS);
fitting(store, sayLost);
if (link.lost) sayLost(link.lost);
tellOtherWeights(store, (words) => say(`${said.textContent} ${words}`.trim(), LONG_MS));
edits(store);
quiz(document, store); // before anything is drawn that it hides

const retry = () => asking.retry();

colours(need("#colours", HTMLFormElement), later.panel());
const showScheme = scheme((name) => store.update({ scheme: name }));
lessonLink(document.querySelector("#learn"), store, boot.lessons);
sentences(need("#sentences", HTMLElement), store, {
  limits: boot.limits,
  add: need("#add-sentence", HTMLButtonElement),
  addPair: need("#add-pair", HTMLButtonElement),
});
modelPicker(
  {
    select: need("#model", HTMLSelectElement),
    progress: need("#model-state", HTMLElement),
    size: need("#model-size", HTMLElement),
  },
  store,
);
const examples = gallery(
  {
    strip: need("#try", HTMLElement),
    dialog: need("#gallery", HTMLDialogElement),
    line: need("#look", HTMLElement),
  },
  store,
  boot.gallery,
  boot.models[0].name,
);
missingBox(need("#missing", HTMLElement), store, document.body);
const undo = undoing(
  { undo: need("#undo", HTMLButtonElement), redo: need("#redo", HTMLButtonElement) },
  store,
  say,
);
const maskForm = need("#masks", HTMLFormElement);
masks(maskForm, store);
specialTokens(need("#special", HTMLElement), store);
toggles(need("#toggles", HTMLElement), store);
const tools = paintTools(need("#paint-tools", HTMLElement), store, {
  status: need("#paint-said", HTMLElement),
  notice: need("#paint-notice", HTMLElement),
  masks: maskForm,
  painted: need("#painted", HTMLButtonElement),
  muted: need("#muted", HTMLButtonElement),
});
interventionChips(need("#interventions", HTMLElement), store, () =>
  need("#intervene-open", HTMLButtonElement).focus(),
);
interveneDialog(
  need("#intervene", HTMLDialogElement),
  need("#intervene-open", HTMLButtonElement),
  store,
);
chips(
  need("#chips", HTMLElement),
  store,
  tokenMenu(need("#main", HTMLElement), store, tools.perform),
);
kindSwitch(need("#kind", HTMLFieldSetElement), store);
segmentFilter(need("#segments", HTMLFieldSetElement), store);
const heads = need("#grid", HTMLElement);
grid(heads, later.panel());
headTitle(
  {
    title: need("#head-title", HTMLElement),
    label: need("#head-label", HTMLElement),
    muted: need("#head-muted", HTMLElement),
    mute: need("#mute", HTMLButtonElement),
  },
  store,
);
hatchLegend(need("#legend", HTMLElement), later.panel());
colourBar(need("#colour-bar", HTMLElement), later.panel());
matrixSwitch(store);
const panels = PANEL_NAMES.map((name) => ({ name, root: panelElement(name) }));
tabs(store);
findForm(need("#find", HTMLFormElement), later.panel());
ranking(need("#find-panel", HTMLElement), later.panel());
rowTable(need("#row", HTMLTableElement), later.panel());
const words = readout(need("#readout", HTMLElement), later.panel());
explain(need("#explain", HTMLElement), later.panel());
/** @param {[number, number] | null} cell */
const onCell = (cell) => {
  words.cell(cell);
  asking.point(cell?.[0] ?? null);
};
const elements = /** @type {Record<import("./state/views.js").ViewName, HTMLElement>} */ (
  Object.fromEntries(VIEW_NAMES.map((name) => [name, viewElement(name)]))
);
const page = {
  retry,
  holds: true,
  onCell,
  onVector: words.vector,
  onVectors: () => asking.vectors(),
  go: (/** @type {"sentence" | "prediction"} */ place) =>
    (place === "sentence"
      ? need("#sentences textarea", HTMLElement)
      : need("#next-tab", HTMLElement)
    ).focus(),
};
const picture = heatmap(elements.heatmap, store, page);
const plot = need("#plot", HTMLElement);
paint(plot, store, picture, tools);
rowSums(plot, store, picture);
const pictures = Object.fromEntries(
  VIEW_NAMES.map((name) => [
    name,
    name === "heatmap" ? picture : VIEWS[name].make(elements[name], store, page),
  ]),
);
compareWithBefore(need("#compare-before", HTMLButtonElement), store, need("#view", HTMLElement));
viewSwitch(store, elements);
const requests = Object.assign(
  {},
  ...SOURCES.map(({ name }) => SOURCE_PANELS[name](sourceElement(name), store, retry)),
);
const openOwn = ownTensors(
  { dialog: need("#own", HTMLDialogElement), opener: need("#own-open", HTMLButtonElement) },
  store,
  { say },
);
save(
  {
    menu: need("#save", HTMLElement),
    dialog: need("#copy", HTMLDialogElement),
    picture: need("#picture", HTMLDialogElement),
    shareButton: need("#share", HTMLButtonElement),
    shared: need("#shared", HTMLElement),
    openers: [...document.querySelectorAll("button")].filter(({ dataset }) => dataset.save),
  },
  store,
  pictures,
  boot,
  {
    openOther: openOwn,
    embedding: (state) => embedding(state, boot.frame_ancestors),
  },
);
if (!isEmbedded)
  printing(
    (look) => pictures[store.state.view].scene?.(look) ?? null,
    () => captionIn(store.state),
  );
const presentation = present(
  store,
  slides(store, {
    examples,
    read: (query) => read(query, store.state.models).choice,
  }),
);
const { end: endTour } = tour(store, boot.gallery);
keyboard(store, { tools, undo, presenting: presentation.keys, endTour });

const asking = answers(store, {
  onPainted: tools.note,
  questions: questions({ requests }),
});
status(store, retry);
waiting(lane);
alone(lane, retry);
if (!isEmbedded) prefetch(Boolean(boot.class)); // who reads another page did not come to stay
probes(store);
announce(store); // after the answers, so that it announces them and not the pending requests
/** @param {import("./state/panels.js").PanelName} right */
const open = (right) => {
  store.update({ right });
  need(`#${right}-tab`, HTMLElement).focus();
};
for (const { name, root } of panels) {
  PANELS[name].make(root, later.panel(), { retry, undo: undo.takeBack, open });
}
forecast(need("#forecast", HTMLElement), store); // at once: a phone and the tour arrange the page by its height
foot(document.documentElement, need("#main", HTMLElement));
nextStep(need("#next-step", HTMLElement), later.panel(), {
  following: examples.following,
  undoEdit: undo.edit,
});
heads.after(labelLegend(later.panel()), paintLegend(later.panel()));

// `data-probe` tells tests whether the labels are there: they may come long after the picture.
store.watch(["probe"], ({ probe }) => {
  document.documentElement.dataset.probe = probe?.state ?? "waiting";
});

depths(store);
/** @param {string} search */
const readNow = (search) => read(search, store.state.models);
const inClass = boot.class;
if (inClass) import(inClass.script).then(({ live }) => live(store, readNow, boot)); // a file of its own: few pages are in a class
if (isEmbedded) {
  const origins = boot.frame_ancestors && [location.origin, ...boot.frame_ancestors];
  embed(store, { host: hostOf(origins), read: readNow, showScheme });
}
// the history of a frame is the one of the page around it, and its address is that page's to write
const addressed = isEmbedded ? () => {} : address(store, readNow);

// plotly is loaded once the heads are on the page; without it the canvas picture stays. It does so in a frame, where plotly would come
// late, or never while the frame is out of sight.
let hasHeads = false;
store.watch(["grid"], ({ grid: answer }) => {
  if (!answer || hasHeads) return;
  hasHeads = true;
  requestAnimationFrame(() =>
    setTimeout(async () => {
      performance.mark("heads"); // all heads are on the screen, and the selected one: see benchmarks/first_view.py
      const { plotly_url: url } = boot;
      if (!url || isEmbedded || isBurdened()) return;
      const early = inClass ? Promise.resolve() : ahead();
      picture.usePlotly(await loadPlotly(url, need("#heatmap-view", HTMLElement), early));
    }),
  );
});

tellDrawn(document.documentElement, store, asking, async () => {
  await pictures[store.state.view].drawn();
  await later.drawn();
  await addressed();
});
