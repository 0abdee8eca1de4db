// The inspector: one store, the views that draw it, the loader that fills it, and the URL that records it.

import { backend } from "./api/backend.js";
import { nameReader } from "./api/server.js";
import { answers, lane } from "./asking/answers.js";
import { probes } from "./asking/probes.js";
import { arrived, coming } from "./dom/coming.js";
import { need } from "./dom/dom.js";
import { completed } from "./engine/scratch/described.js";
import { address } from "./page/address.js";
import { alone } from "./page/alone/alone.js";
import { ahead, isBurdened, prefetch } from "./page/alone/prefetch.js";
import { announce } from "./page/announce.js";
import { viewSwitch } from "./page/chrome.js";
import { depths, firstHead, usualDepth } from "./page/depth.js";
import { tellDrawn } from "./page/drawn.js";
import { CONTROLS, FEET, mount } from "./page/elements.js";
import { asView, embed, isEmbedded } from "./page/embed/embed.js";
import { hostOf } from "./page/embed/host.js";
import { embedding } from "./page/embed/lines.js";
import { keyboard } from "./page/keyboard.js";
import { panelElement, sourceElement, viewElement } from "./page/mounts.js";
import { LONG_MS, notice } from "./page/notice.js";
import { present } from "./page/present/present.js";
import { slides } from "./page/present/slides.js";
import { quiz } from "./page/quiz.js";
import { status } from "./page/status.js";
import { waiting } from "./page/waiting.js";
import { printing } from "./panels/figure/printing.js";
import { Later } from "./panels/later.js";
import { tellOtherWeights } from "./panels/missing/missing.js";
import { lostInWords } from "./panels/missing/words.js";
import { mounted as mountedPanel } from "./panels/panels.js";
import { questions, UNASKED } from "./panels/questions.js";
import { save } from "./panels/save/save.js";
import { captionIn } from "./panels/save/subjects.js";
import { SOURCE_PANELS } from "./panels/sources.js";
import { SOURCES } from "./sources/sources.js";
import { readBar } from "./standalone/bar.js";
import { opening as openingView } from "./state/against.js";
import { opening, relationsOf } from "./state/examples.js";
import { fitting } from "./state/fitting/fitting.js";
import { history as edits } from "./state/history.js";
import { PANEL_NAMES } from "./state/panels.js";
import { opened } from "./state/quiz.js";
import { Store } from "./state/store.js";
import { inReadersLanguage, linked } from "./state/url.js";
import { VIEW_NAMES } from "./state/views.js";
import { loadPlotly } from "./views/heatmap/plotly.js";
import { mounted } from "./views/views.js";
import { NOT_LOADED } from "./words/problem.js";

/** @import { Boot } from "./types.d.ts" */

const TOUR = coming(() => import("./page/tour/tour.js"));

/** @type {Boot} */
const boot = JSON.parse(need("#boot", HTMLScriptElement).textContent ?? "");
boot.models = boot.models.map(completed);

backend.prepare(boot);
if (isEmbedded) nameReader(); // browsers keep cookies from frames in other sites' pages
const read = (/** @type {string} */ address, models = boot.models) => {
  const search = inReadersLanguage(address, boot.opens);
  const example = opening(boot.gallery, boot.models[0].name, opened(search));
  const link = asView(
    linked(search, models, { ...example, depth: usualDepth() }, boot.limits.texts),
  );
  // a link to a comparison of nothing shows one, too
  const { choice } = link;
  return {
    ...link,
    choice: { ...choice, ...openingView({ ...choice, models, past: [] }, choice.view) },
  };
};
const link = read(readBar());
const store = new Store({
  ...link.choice,
  models: boot.models,
  relations: relationsOf(boot.gallery, boot.models[0].name),
  ...UNASKED,
  missing: link.missing,
});
const later = new Later(store); // before the panels
store.watch(["engine"], ({ engine }) => backend.choose(engine));

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
/** @param {[number, number] | null} cell */
const onCell = (cell) => {
  page.readout.cell(cell);
  asking.point(cell?.[0] ?? null);
};
/** @type {import("./views/view.js").Page} */
const ofViews = {
  retry,
  holds: true,
  onCell,
  onVector: (vector) => page.readout.vector(vector),
  onVectors: () => asking.vectors(),
  go: (place) =>
    (place === "sentence"
      ? need("#sentences textarea", HTMLElement)
      : need("#next-tab", HTMLElement)
    ).focus(),
};
/** What the rows give is there once they are mounted. */
const page = /** @type {import("./page/elements.js").Page} */ ({
  store,
  later,
  boot,
  say,
  ofViews,
});
const panels = PANEL_NAMES.map((name) => ({ name, root: panelElement(name) })); // before their tabs
mount(CONTROLS, page);
const { picture, tools, undo } = page;

const elements = /** @type {Record<import("./state/views.js").ViewName, HTMLElement>} */ (
  Object.fromEntries(VIEW_NAMES.map((name) => [name, viewElement(name)]))
);
const pictures = Object.fromEntries(
  VIEW_NAMES.map((name) => [
    name,
    name === "heatmap" ? picture : mounted(name, elements[name], store, ofViews),
  ]),
);
viewSwitch(store, elements);
const requests = Object.assign(
  {},
  ...SOURCES.map(({ name }) => SOURCE_PANELS[name](sourceElement(name), store, retry)),
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
    openOther: page.openOwn,
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
    examples: page.examples,
    read: (query) => read(query, store.state.models).choice,
  }),
);
/** @type {ReturnType<typeof import("./page/tour/tour.js").tour> | null} */
let guide = null;
need("#tour-open", HTMLButtonElement).addEventListener("click", () => store.update({ tour: true }));
store.watch(["tour"], async ({ tour: runs }) => {
  if (!runs || guide) return;
  const part = await TOUR.come().catch(console.error);
  if (part) guide ??= part.tour(store, boot.gallery);
  else {
    say(NOT_LOADED);
    store.update({ tour: false });
  }
});
keyboard(store, { tools, undo, presenting: presentation.keys, endTour: () => guide?.end() });

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
for (const { name, root } of panels)
  mountedPanel(name, root, later.panel(), { retry, undo: undo.takeBack, open });
mount(FEET, page);

// `data-probe` tells tests whether the labels are there: they may come long after the picture.
store.watch(["probe"], ({ probe }) => {
  document.documentElement.dataset.probe = probe?.state ?? "waiting";
});

depths(store);
if (!boot.class) firstHead(store, readBar()); // in a class the teacher chooses
/** @param {string} search */
const readNow = (search) => read(search, store.state.models);
const inClass = boot.class;
if (inClass) import(inClass.script).then(({ live }) => live(store, readNow, boot)); // a file of its own: few pages are in a class
if (isEmbedded) {
  const origins = boot.frame_ancestors && [location.origin, ...boot.frame_ancestors];
  embed(store, { host: hostOf(origins), read: readNow, showScheme: page.showScheme });
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
  await arrived();
  await pictures[store.state.view].drawn();
  await later.drawn();
  await addressed();
});
