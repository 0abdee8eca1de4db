// The controls of a figure: the lesson's switches, and which head, layer and sentence is shown.

import { MODEL_KEYS } from "../sources/sources.js";
import { modelIn, siteAt, sitesOf } from "../state/choice.js";
import { shorten } from "../words/format.js";
import { anySets } from "./links.js";
import { radios } from "./radios.js";
import { HEAD, LAYER, SENTENCE } from "./words.js";

/** @import { Store } from "../state/store.js" */
/** @import { FigureSwitch as Switch, State } from "../types.d.ts" */

const MAX_TEXT = 24; // characters of a sentence on its button

/**
 * @param {Switch[]} switches
 * @param {(place: number, option: number) => void} choose
 */
export function switchBoard(switches, choose) {
  const groups = switches.map(({ name }, index) => radios(name, (option) => choose(index, option)));
  return {
    all: groups.map(({ root }) => root),
    /** @param {number[]} chosen the option of each switch; −1: none */
    show: (chosen) =>
      groups.forEach((group, index) => {
        const labels = switches[index].options.map(({ label }) => label);
        group.show(labels, chosen[index]);
      }),
  };
}

/**
 * @typedef {object} Chooser
 * @property {"shown" | "layer" | "head"} key
 * @property {string[]} leftOutFor keys of a link: a figure with a switch for one of them has no such chooser
 * @property {string} name
 * @property {(state: Readonly<State>) => string[]} labels of what there is to choose from
 * @property {(state: Readonly<State>) => number[]} [values] of these; by default, they are counted
 */

/** Those with attention. @param {Readonly<State>} state */
const layersOf = (state) => sitesOf(modelIn(state), state.kind).map(({ layer }) => layer);

/** @type {Chooser[]} */
const CHOOSERS = [
  {
    key: "shown",
    leftOutFor: ["shown"],
    name: SENTENCE,
    labels: ({ texts }) => texts.map((text) => shorten(text, MAX_TEXT)),
  },
  {
    key: "layer",
    leftOutFor: ["layer", "head"],
    name: LAYER,
    labels: (state) => layersOf(state).map(String),
    values: (state) => layersOf(state),
  },
  {
    key: "head",
    leftOutFor: ["layer", "head"],
    name: HEAD,
    labels: (state) => {
      const { n_heads = 1 } = siteAt(modelIn(state), state.kind, state.layer) ?? {};
      return Array.from({ length: n_heads }, (_, head) => String(head));
    },
  },
];

/** @param {Switch[]} switches */
const choosersFor = (switches) =>
  CHOOSERS.filter(({ leftOutFor }) => !leftOutFor.some((key) => anySets(switches, key)));

/** Which of the labels is chosen. @param {Chooser} chooser @param {Readonly<State>} state */
const placeOf = ({ key, values }, state) => values?.(state).indexOf(state[key]) ?? state[key];

/** What is chosen where there is a choice, by name. @param {Readonly<State>} state @param {Switch[]} switches */
export const choicesOf = (state, switches) =>
  choosersFor(switches).flatMap((chooser) => {
    const all = chooser.labels(state);
    return all.length < 2 ? [] : [{ name: chooser.name, value: all[placeOf(chooser, state)] }];
  });

/**
 * @param {Store} store
 * @param {Switch[]} switches of the lesson, which may be about the same
 * @returns {HTMLElement[]}
 */
export const choosers = (store, switches) =>
  choosersFor(switches).map((chooser) => {
    const { key, name, labels, values } = chooser;
    const group = radios(name, (place) =>
      store.update({ [key]: values?.(store.state)[place] ?? place }),
    );
    group.root.dataset.chooser = key;
    store.watch([...MODEL_KEYS, "texts", "kind", "shown", "layer", "head"], (state) => {
      const all = labels(state);
      group.root.hidden = all.length < 2;
      group.show(all, placeOf(chooser, state));
    });
    return group.root;
  });
