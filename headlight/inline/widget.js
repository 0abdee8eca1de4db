// The front end of a view (view.py), as an AFM module (anywidget.dev); host.js comes before it. It puts the page into a frame, tells
// Python what is selected there, and offers the edits of the model, which Python or the page computes.

/** @typedef {{text?: number, layer?: number, head?: number, query?: number, key?: number, kind?: string}} Cell */
/** @typedef {{causal?: boolean | null, blocked?: Cell[]} & Record<string, unknown>} Masks without the defaults, as the API takes them */
/** @typedef {[layer: number, head: number, kind?: string]} Head */
/** @typedef {{masks: Masks, muted: Head[]}} Edits */
/** @typedef {{position: number, token: string}} Place */
/** @typedef {{kind: string, layer: number, head: number, text: number, query: Place, key: Place | null}} Said */
/** @typedef {Edits & {said: Said, ownCausal: boolean | null}} Now */

/**
 * The model of a widget.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(content: unknown) => void} send
 * @property {(events: string, act: (...args: any[]) => void) => void} on
 * @property {(events: string, act: (...args: any[]) => void) => void} off
 */

/** @param {Said} said @returns {{kind?: string}} */
const kindOf = ({ kind }) => (kind === "self" ? {} : { kind });
/** @param {Said} said @returns {Head} */
const headOf = ({ layer, head, kind }) => (kind === "self" ? [layer, head] : [layer, head, kind]);
/** @param {Said} said @returns {Cell} */
const cellOf = (said) => ({
  text: said.text,
  layer: said.layer,
  head: said.head,
  ...kindOf(said),
  query: said.query.position,
  key: said.key?.position,
});
/** @param {Cell} one @returns {(other: Cell) => boolean} */
const isCell = (one) => (other) =>
  ["text", "layer", "head", "query", "key", "kind"].every(
    (name) => Reflect.get(one, name) === Reflect.get(other, name),
  );
/** @param {Head} one @returns {(other: Head) => boolean} */
const isHead = (one) => (other) => String(one) === String(other);
/** @template T @param {T[]} all @param {T} one @param {(other: T) => boolean} same */
const toggled = (all, one, same) =>
  all.some(same) ? all.filter((other) => !same(other)) : [...all, one];

/**
 * The edits that a reader can make. `isOn` is missing where there is nothing to turn off.
 * @type {{label: (now: Now) => string, may: (now: Now) => boolean, isOn?: (now: Now) => boolean, press: (now: Now) => Partial<Edits>}[]}
 */
const EDITS = [
  {
    label: () => "Causal mask",
    may: ({ said }) => said.kind !== "cross",
    isOn: ({ masks, ownCausal }) => masks.causal ?? ownCausal ?? false,
    press: ({ masks, ownCausal }) => {
      const on = !(masks.causal ?? ownCausal ?? false);
      return { masks: { ...masks, causal: on === ownCausal ? null : on } };
    },
  },
  {
    label: ({ said }) => `Mute layer ${said.layer}, head ${said.head}`,
    may: () => true,
    isOn: ({ muted, said }) => muted.some(isHead(headOf(said))),
    press: ({ muted, said }) => {
      const head = headOf(said);
      return { muted: toggled(muted, head, isHead(head)) };
    },
  },
  {
    label: ({ said: { query, key } }) =>
      key ? `Block ${query.token.trim()} → ${key.token.trim()}` : "Block the selected cell",
    may: ({ said }) => said.key !== null,
    isOn: ({ masks, said }) => (masks.blocked ?? []).some(isCell(cellOf(said))),
    press: ({ masks, said }) => {
      const cell = cellOf(said);
      return { masks: { ...masks, blocked: toggled(masks.blocked ?? [], cell, isCell(cell)) } };
    },
  },
  {
    label: () => "Undo all edits",
    may: ({ masks, muted }) => Object.keys(masks).length + muted.length > 0,
    press: () => ({ masks: {}, muted: [] }),
  },
];

/**
 * The buttons of the edits.
 * @param {HTMLElement} bar
 * @param {Model} model
 * @returns {{draw: () => void, receive: (answer: {problem: string}) => void}}
 */
function editing(bar, model) {
  const page = bar.ownerDocument;
  bar.className = "headlight-edits";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", "Edits of the model");
  const buttons = EDITS.map(() => Object.assign(page.createElement("button"), { type: "button" }));
  const status = page.createElement("span");
  status.setAttribute("role", "status");
  bar.append(...buttons, status);

  /** @returns {Now | null} */
  const now = () => {
    const said = model.get("_said");
    const [masks, muted] = [model.get("masks"), model.get("muted")];
    return said && { said, masks, muted, ownCausal: model.get("_own_causal") };
  };
  const draw = () => {
    const known = now();
    bar.hidden = known === null; // until the page has said what is selected
    if (known === null) return;
    for (const [place, { label, may, isOn }] of EDITS.entries()) {
      buttons[place].textContent = label(known);
      buttons[place].disabled = !may(known);
      if (isOn) buttons[place].setAttribute("aria-pressed", String(isOn(known)));
    }
  };
  for (const [place, { press }] of EDITS.entries()) {
    buttons[place].addEventListener("click", () => {
      const known = now();
      if (known === null) return;
      const { masks, muted } = { ...known, ...press(known) };
      status.textContent = "Python computes …";
      model.send({ masks, muted });
    });
  }
  return {
    draw,
    receive: ({ problem }) => {
      status.textContent = problem;
    },
  };
}

/**
 * @param {object} widget
 * @param {Model} widget.model
 * @param {HTMLElement} widget.el
 */
function render({ model, el }) {
  const page = el.ownerDocument;
  const [box, bar] = [page.createElement("div"), page.createElement("div")];
  const frame = page.createElement("iframe");
  box.className = "headlight-view";
  box.append(frame);
  el.append(bar, box);

  /** What the page says that it shows; null: it has said nothing yet. @type {string | null} */
  let shown = null;
  const load = () => {
    shown = null;
    for (const [name, value] of Object.entries(model.get("_frame")))
      frame.setAttribute(name, value);
  };
  const showQuery = () => {
    const query = model.get("_query");
    if (shown !== null && query !== shown) hosted.say({ type: "headlight.state", query });
  };
  const edits = editing(bar, model);

  /** @type {Record<string, (message: any) => void>} */
  const handlers = {
    "headlight.state": ({ query }) => {
      const isFirst = shown === null;
      shown = query;
      if (isFirst) return showQuery(); // what was chosen since the page was made
      model.set("_query", query);
      model.save_changes();
    },
    "headlight.selection": ({ type, version, ...said }) => {
      model.set("_said", said);
      model.save_changes();
    },
  };
  load();
  const hosted = host(box, (message) => handlers[message.type]?.(message));

  const acts = Object.entries({
    "change:_frame": load,
    "change:_query": () => {
      if (frame.getAttribute("srcdoc") === model.get("_frame").srcdoc) showQuery(); // else that page brings it
    },
    "change:_said change:masks change:muted": edits.draw,
    "msg:custom": edits.receive,
  });
  for (const [events, act] of acts) model.on(events, act);
  edits.draw();
  return () => {
    for (const [events, act] of acts) model.off(events, act);
    hosted.end();
  };
}

export default { render };
