// Questions to begin with: templates whose sentences the shipped model answers. Pure.

import { gettext } from "../language/gettext.js";

const NAMES = ["Mary", "John", "Anna", "Tom", "Lucy", "Ben"];

/** @typedef {{clean: string, corrupted: string, answer: string, wrong: string, fill: Record<string, string[]>, n: number}} Templates */

/** @type {readonly ({name: string} & Templates)[]} */
export const PRESETS = [
  {
    name: gettext("Who is given something?"),
    clean: "When {A} and {B} went to the {place}, {B} gave a {thing} to",
    corrupted: "When {A} and {B} went to the {place}, {A} gave a {thing} to",
    answer: " {A}",
    wrong: " {B}",
    fill: {
      A: NAMES,
      B: NAMES,
      place: ["store", "park", "river"],
      thing: ["drink", "book", "ball"],
    },
    n: 20,
  },
  {
    name: gettext("Himself or herself?"),
    clean: "The {A} saw",
    corrupted: "The {B} saw",
    answer: " herself",
    wrong: " himself",
    fill: { A: ["woman", "girl", "queen"], B: ["man", "boy", "king"] },
    n: 9,
  },
  {
    name: gettext("One or many?"),
    clean: "The {one} near the {place}",
    corrupted: "The {many} near the {place}",
    answer: " is",
    wrong: " are",
    fill: {
      one: ["dog", "cat", "bird", "boy"],
      many: ["dogs", "cats", "birds", "boys"],
      place: ["river", "house", "park"],
    },
    n: 20,
  },
];
