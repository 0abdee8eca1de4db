// What a reader may turn in a figure: the lesson's switches, and which head, layer and sentence are looked at.

import { modelIn, sitesOf } from "../state/choice.js";
import { shorten } from "../words/format.js";
import { sets } from "./links.js";
import { radios } from "./radios.js";

/** @typedef {import("../state/store.js").Store} Store */
/** @typedef {import("../types.d.ts").State} State */
/** @typedef {import("../types.d.ts").FigureSwitch} Switch */

/**
 * @param {Switch[]} switches
 * @param {(place: number, option: number) => void} turn
 */
export function switchBoard(switches, turn) {
  const groups = switches.map(({ name }, place) => radios(name, (option) => turn(place, option)));
  return {
    all: groups.map(({ root }) => root),
    /** @param {number[]} chosen */
    show: (chosen) =>
      groups.forEach((group, place) => {
        const labels = switches[place].options.map(({ label }) => label);
        group.show(labels, chosen[place]);
      }),
  };
}

/** What can be chosen of what is looked at, where there is a choice, and no switch is about one of its `keys`. */
const CHOOSERS = [
  {
    key: /** @type {const} */ ("shown"),
    keys: ["shown"],
    name: "Sentence",
    labels: (/** @type {Readonly<State>} */ { texts }) => texts.map((text) => shorten(text, 24)),
  },
  {
    key: /** @type {const} */ ("layer"),
    keys: ["layer", "head"],
    name: "Layer",
    labels: (/** @type {Readonly<State>} */ state) =>
      sitesOf(modelIn(state), state.kind).map(({ layer }) => String(layer)),
  },
  {
    key: /** @type {const} */ ("head"),
    keys: ["layer", "head"],
    name: "Head",
    labels: (/** @type {Readonly<State>} */ state) => {
      const { n_heads = 1 } = sitesOf(modelIn(state), state.kind)[state.layer] ?? {};
      return Array.from({ length: n_heads }, (_, head) => String(head));
    },
  },
];

/** @param {Switch[]} switches */
const offered = (switches) =>
  CHOOSERS.filter(({ keys }) => !keys.some((one) => sets(switches, one)));

/** What is looked at, where there is a choice, in words. @param {Readonly<State>} state @param {Switch[]} switches */
export const inForce = (state, switches) =>
  offered(switches).flatMap(({ key, name, labels }) => {
    const all = labels(state);
    return all.length < 2 ? [] : [`${name}: ${all[state[key]]}`];
  });

/**
 * @param {Store} store
 * @param {Switch[]} switches which may choose the same
 * @returns {HTMLElement[]}
 */
export const choosers = (store, switches) =>
  offered(switches).map(({ key, name, labels }) => {
    const group = radios(name, (place) => store.update({ [key]: place }));
    group.root.dataset.chooser = key;
    store.watch(
      ["model", "models", "scratch", "texts", "kind", "shown", "layer", "head"],
      (state) => {
        const all = labels(state);
        group.root.hidden = all.length < 2;
        group.show(all, state[key]);
      },
    );
    return group.root;
  });
