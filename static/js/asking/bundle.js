// Combines several questions about one trace into one request, and splits its answer among them. Pure.

import { same } from "../state/store.js";

/** @import { Answer, TraceJson } from "../types.d.ts" */
/** @typedef {Record<string, any>} Body the body of a request */
/** @typedef {{name: string, request: Body}} Wish a question, with the request that would ask it alone */

const MAX_PARTS = 8;

/**
 * Group the wishes that fit in one request, keeping their order.
 * @param {Wish[]} wishes
 * @returns {Wish[][]}
 */
export function bundled(wishes) {
  /** @type {Wish[][]} */
  const bundles = [];
  for (const wish of wishes) {
    const bundle = bundles.find((one) => fits(wish, one));
    if (bundle) bundle.push(wish);
    else bundles.push([wish]);
  }
  return bundles;
}

/** @param {Wish} wish @param {Wish[]} bundle */
function fits({ request }, bundle) {
  const parts = [request, ...bundle.map((one) => one.request)].filter(wantsTensors).length;
  return (
    traceOf(request) === traceOf(bundle[0].request) &&
    parts <= MAX_PARTS &&
    bundle.every(
      (one) =>
        canSharePredictions(one.request.predict, request.predict) &&
        analysesOf([one, { request }]).every((key) =>
          canShareAnalysis(one.request.analyse?.[key], request.analyse?.[key]),
        ),
    )
  );
}

/** The analyses that are asked for, which are also the names of their answers. @param {Pick<Wish, "request">[]} wishes */
const analysesOf = (wishes) => [
  ...new Set(wishes.flatMap(({ request }) => Object.keys(request.analyse ?? {}))),
];

/** What determines the trace. @param {Body} request */
function traceOf({ select, analyse, predict, ...inputs }) {
  return JSON.stringify(inputs);
}

/** Whether a request wants tensors. @param {Body} request */
const wantsTensors = ({ select }) => select.layers?.length !== 0;

/** Whether one list of predictions can serve both. @param {Body | null} a @param {Body | null} b */
const canSharePredictions = (a, b) =>
  !a ||
  !b ||
  ["position", "temperature", "top_p"].every((key) => settingOf(a, key) === settingOf(b, key));

/** @param {Body} predict @param {string} key */
const settingOf = (predict, key) => predict[key] ?? (key === "temperature" ? 1 : null);

/** @param {unknown} a @param {unknown} b */
const canShareAnalysis = (a, b) => !a || !b || same(a, b);

/**
 * The request of a bundle. A single wish keeps its own.
 * @param {Wish[]} bundle
 * @returns {Body}
 */
export function merged(bundle) {
  const [first] = bundle;
  if (bundle.length === 1) return first.request;
  const { select, analyse, predict, ...inputs } = first.request;
  const parts = bundle.filter(({ request }) => wantsTensors(request));
  const analyses = Object.assign(
    {},
    ...bundle.map((one) =>
      Object.fromEntries(Object.entries(one.request.analyse ?? {}).filter(([, asked]) => asked)),
    ),
  );
  return {
    ...inputs,
    ...(parts.length > 0
      ? { parts: Object.fromEntries(parts.map((one) => [one.name, one.request.select])) }
      : { select }),
    ...(Object.keys(analyses).length > 0 ? { analyse: analyses } : {}),
    predict: bundle.map((one) => one.request.predict ?? null).reduce(both),
  };
}

/** @param {Body | null} a @param {Body | null} b @returns {Body | null} */
function both(a, b) {
  if (!a || !b) return a ?? b;
  return {
    ...a,
    ...b,
    top_k: Math.max(a.top_k ?? 10, b.top_k ?? 10),
    tokens: [...new Set([...(a.tokens ?? []), ...(b.tokens ?? [])])],
    unedited: Boolean(a.unedited || b.unedited),
  };
}

/**
 * The answer that each wish of a bundle would have had alone.
 * @param {Wish[]} bundle
 * @param {Answer} answer
 * @returns {Answer[]} in their order
 */
export const parted = (bundle, answer) =>
  bundle.length === 1 ? [answer] : bundle.map((wish) => partOf(wish, analysesOf(bundle), answer));

/** @param {Wish} wish @param {string[]} analyses of its bundle @param {Answer} answer @returns {Answer} */
function partOf({ name, request }, analyses, { trace, tensors }) {
  const { select, analyse, predict } = request;
  const prefix = `${name}/`;
  const own = [...tensors].flatMap(([key, tensor]) =>
    key.startsWith(prefix)
      ? [/** @type {const} */ ([key.slice(prefix.length), tensor])]
      : analyse?.[key]
        ? [/** @type {const} */ ([key, tensor])]
        : [],
  );
  const answers = Object.fromEntries(
    analyses.map((key) => [key, analyse?.[key] ? /** @type {any} */ (trace)[key] : null]),
  );
  const predicted = predict ? {} : { predictions: null, predicted_at: null, nucleus: null };
  return {
    trace: /** @type {TraceJson} */ ({
      ...trace,
      ...answers,
      ...predicted,
      sites: trace.sites
        .filter((site) => isSelected(site, select))
        .map((site) => withHeads(site, select)),
    }),
    tensors: new Map(own),
  };
}

/** @param {import("../types.d.ts").Site} site @param {Body} select */
const isSelected = ({ layer, kind }, { layers, kinds }) =>
  (layers?.includes(layer) ?? true) && (kinds?.includes(kind) ?? true);

/** A part lists sites with all their heads: keep the selected ones. @param {import("../types.d.ts").Site} site @param {Body} select */
function withHeads(site, { heads }) {
  if (!heads) return site;
  const sink = site.sink && heads.map((/** @type {number} */ head) => site.sink?.[head]);
  return { ...site, heads, sink };
}
