// One view in a frame of another page: the link out of it, and what the frame and its host tell each other.

import { need } from "../../dom/dom.js";
import { isFile, linkTo } from "../../standalone/bar.js";
import { inspectorUrl } from "../../standalone/pages.js";
import { CHOICE_KEYS } from "../../state/address.js";
import { restored } from "../../state/history.js";
import { toQuery } from "../../state/url.js";
import { headName } from "../../words/heads.js";
import { heightOf } from "./height.js";
import { SAID } from "./messages.js";
import { selectionOf } from "./selection.js";

/** @import { Store } from "../../state/store.js" */
/** @import { State } from "../../types.d.ts" */
/** @import { Message } from "./messages.js" */

/** Whether this page is one view in a frame: the template says so, or the fragment of a page that is a file (js/depth.js). */
export const isEmbedded = globalThis.document?.documentElement.dataset.depth === "embed";

/**
 * What a link shows as one view.
 * @template {{choice: import("../../types.d.ts").Choice}} Link
 * @param {Link} link
 * @returns {Link}
 */
export const asView = (link) =>
  isEmbedded ? { ...link, choice: { ...link.choice, depth: "embed", tour: false } } : link;

/** @param {Readonly<State>} state */
const queryOf = (state) => toQuery({ ...state, depth: "full" }, state.models);

/**
 * @param {Store} store
 * @param {object} page
 * @param {ReturnType<typeof import("./host.js").hostOf>} page.host
 * @param {(query: string) => {choice: import("../../types.d.ts").Choice, missing: State["missing"]}} page.read
 * @param {(scheme: "auto" | "light" | "dark") => void} page.showScheme
 */
export function embed(store, { host, read, showScheme }) {
  const root = document.documentElement;
  const link = need("#embed-open", HTMLAnchorElement);
  const elements = {
    main: need("#main", HTMLElement),
    parts: ["#missing", "#problem", "#notice", ".head"].map((part) => need(part, HTMLElement)),
    plot: need("#plot", HTMLElement),
  };

  link.hidden = location.protocol === "about:"; // a page in the source of its frame has no address that could be opened

  /** What was said last, by type: the same is not said again. @type {Map<string, string>} */
  const said = new Map();
  /** @param {Message} message */
  const say = (message) => {
    const now = JSON.stringify(message);
    if (said.get(message.type) === now) return;
    said.set(message.type, now);
    host.send(message);
  };
  const sayState = () => {
    const query = queryOf(store.state);
    link.href = isFile ? linkTo(query) : inspectorUrl(query);
    if (!store.state.missing) say({ type: SAID.state, query });
  };
  const saySelection = () => {
    const selection = store.state.status === "ready" ? selectionOf(store.state) : null;
    if (selection) say({ type: SAID.selection, ...selection });
  };
  const sayHeight = () => {
    if (root.dataset.state === "loading" && !store.state.missing) return; // the first picture comes with its own height
    const height = heightOf(store.state, elements);
    if (height > 0) say({ type: SAID.height, height });
  };
  const sayAll = () => {
    host.send({ type: SAID.ready });
    sayState();
    saySelection();
    sayHeight();
  };

  /** @type {Record<string, (message: any) => void>} */
  const acts = {
    "headlight.hello": () => {
      said.clear();
      sayAll();
    },
    "headlight.state": ({ query }) => {
      const { choice, missing } = read(query.startsWith("?") ? query : `?${query}`);
      store.update({ ...restored(store.state, choice), missing });
    },
    "headlight.scheme": ({ scheme }) => showScheme(scheme),
  };
  host.listen((message) => acts[message.type](message));

  host.send({ type: SAID.ready });
  store.watch([...CHOICE_KEYS, "models", "missing"], sayState);
  // after all other listeners, one of which may just ask for what is now selected
  store.watch([...CHOICE_KEYS, "detail", "status"], () => queueMicrotask(saySelection));
  store.watch(["kind", "layer", "head"], (state) => {
    link.title = headName(state, state.head);
  });
  const sizes = new ResizeObserver(sayHeight);
  for (const part of elements.parts) sizes.observe(part);
  new MutationObserver(sayHeight).observe(root, { attributeFilter: ["data-state"] });
}
