// The form: a model, pairs of sentences, and what is asked about them.

import { check, make, radio } from "../dom/dom.js";
import { fileButton, labelled, offer, select } from "../dom/fields.js";
import LIMITS from "../facts/limits.json" with { type: "json" };
import { ANSWERS, ITSELF } from "../panels/answer/words.js";
import { answerOf, gives, KINDS, textOf } from "../state/address/answers.js";
import { placesOf } from "../views/patch/request.js";
import { SETTINGS } from "../views/patch/words.js";
import { PRESETS } from "./presets.js";
import { pairsOf, slotsOf, wordsOf } from "./reading.js";
import * as words from "./words.js";

/** @import { Model, StudyRequest } from "../types.d.ts" */

const FILL = "fill."; // before the words of a slot in an address
const TEXTS = /** @type {const} */ (["clean", "corrupted", "answer", "wrong"]);
const MANY = 100; // heads, each of which would be a run
const LONGEST = 4_000; // characters of one's own pairs that an address takes

/** What one chooses, and what the address says of it. */
export class Form {
  /** @param {HTMLElement} root @param {Model[]} models @param {URLSearchParams} asked @param {() => void} onInput */
  constructor(root, models, asked, onInput) {
    this.models = models;
    this.model = select(models.map(({ name }) => [name, words.modelName(name)]));
    this.preset = select([
      ...PRESETS.map(({ name }, at) => /** @type {const} */ ([`${at}`, name])),
      ["", words.OWN_QUESTION],
    ]);
    this.texts = {
      clean: make("textarea", { verbatim: true }),
      corrupted: make("textarea", { verbatim: true }),
      answer: make("input", { verbatim: true }),
      wrong: make("input", { verbatim: true }),
    };
    this.texts.clean.rows = this.texts.corrupted.rows = 2;
    this.n = make("input");
    Object.assign(this.n, { type: "number", min: "1", max: `${LIMITS.study_pairs}`, value: "20" });
    this.slots = make("div", { class: "study-slots" });
    /** @type {Map<string, HTMLInputElement>} */
    this.fill = new Map();
    this.lines = make("textarea", { verbatim: true });
    Object.assign(this.lines, { rows: 8, wrap: "off", spellcheck: false });
    this.answers = [
      labelled(words.ANSWER, this.texts.answer, { title: words.ANSWER_TITLE }),
      labelled(words.WRONG, this.texts.wrong, { title: words.WRONG_TITLE }),
    ];
    this.source = make("fieldset", { class: "segments" }, [
      ...Object.entries(words.SOURCES).map(([value, text]) => radio("source", value, text)),
    ]);
    this.source.setAttribute("aria-label", words.SOURCE);
    check("source", "templates", this.source);
    this.reads = select([]);
    this.like = make("textarea", { verbatim: true });
    Object.assign(this.like, { rows: 3, spellcheck: false });
    this.likeField = labelled(words.LIKE, this.like, { tall: true });
    /** @type {import("../types.d.ts").ChosenAnswer | null} a probe of an address */
    this.probe = null;
    this.of = select(Object.entries(words.ASKED).map(([of, { choice }]) => [of, choice]));
    this.about = make("p", { class: "hint" });
    this.at = select([]);
    this.by = select(Object.entries(words.BY_NAMES));
    this.run = select(words.RUNS);

    this.templates = make("div", { class: "study-part" }, [
      labelled(words.BEGIN_WITH, this.preset),
      labelled(words.CLEAN, this.texts.clean, { tall: true }),
      labelled(words.CORRUPTED, this.texts.corrupted, { tall: true }),
      ...this.answers,
      make("p", { class: "hint", text: words.SLOTS_ABOUT }),
      this.slots,
      labelled(words.PAIRS, this.n),
    ]);
    this.own = make("div", { class: "study-part" }, [
      labelled(words.LINES, this.lines, { tall: true }),
      make("p", { class: "hint", text: words.LINES_ABOUT }),
      ...fileButton(words.OPEN_FILE, ".jsonl,.json,.txt", async (file) => {
        this.lines.value = await file.text();
      }),
    ]);
    this.patching = make("div", { class: "study-part" }, [
      labelled(words.AT, this.at),
      labelled(words.BY, this.by),
      labelled(words.RUN, this.run, { title: words.RUN_TITLE }),
    ]);
    root.append(
      labelled(words.MODEL, this.model),
      this.source,
      this.templates,
      this.own,
      labelled(words.READS, this.reads),
      this.likeField,
      labelled(words.ASK, this.of, { tall: true }),
      this.about,
      this.patching,
    );

    this.preset.addEventListener("change", () => this.#begin());
    this.model.addEventListener("change", () => this.#usual());
    this.templates.addEventListener("input", ({ target }) => {
      if (target === this.preset) return;
      this.preset.value = ""; // the address then says every word
      if (TEXTS.some((name) => this.texts[name] === target)) this.#slots();
    });
    root.addEventListener("change", () => this.#show());
    root.addEventListener("input", onInput);
    this.#begin();
    this.#read(asked);
    this.#show();
  }

  /** Fill in the chosen question. */
  #begin() {
    const preset = PRESETS[Number(this.preset.value)];
    if (this.preset.value === "" || !preset) return;
    for (const name of TEXTS) this.texts[name].value = preset[name];
    this.n.value = `${preset.n}`;
    this.#slots(preset.fill);
  }

  /** A field for each slot; words that were typed stay. @param {Record<string, string[]>} [given] */
  #slots(given = {}) {
    const names = slotsOf(TEXTS.map((name) => this.texts[name].value));
    for (const name of names) {
      const field = this.fill.get(name) ?? make("input", { verbatim: true });
      if (given[name]) field.value = given[name].join(", ");
      this.fill.set(name, field);
    }
    this.slots.replaceChildren(
      ...names.map((name) => labelled(words.slot(name), /** @type {any} */ (this.fill.get(name)))),
    );
  }

  /** Of a model with many heads, estimates; of others, measurements. */
  #usual() {
    const { n_layers, n_heads } = this.chosen;
    this.run.value = (n_layers ?? 99) * (n_heads ?? 99) > MANY ? "0" : "all";
  }

  #show() {
    const own = this.#source() === "lines";
    this.templates.hidden = own;
    this.own.hidden = !own;
    const of = /** @type {import("./words.js").Of} */ (this.of.value);
    this.about.textContent = words.ASKED[of].about;
    this.patching.hidden = of !== "patching";
    this.#offerAnswers();
    const places = placesOf(this.chosen);
    offer(
      this.at,
      (places.length > 0 ? places : ["head"]).map((at) => [
        at,
        SETTINGS.places[/** @type {keyof typeof SETTINGS.places} */ (at)],
      ]),
    );
    if (this.at.value === "") this.at.value = "head";
    this.by.disabled = this.at.value !== "head";
    if (this.by.disabled) this.by.value = "position";
  }

  /** What the chosen model can be asked for. */
  #offerAnswers() {
    const model = this.chosen;
    const given = KINDS.filter(
      (kind) =>
        (kind === null && model.predicts !== null) ||
        (kind === "probe" && this.probe) ||
        (kind !== null && kind !== "probe" && gives({ kind }, model)),
    );
    offer(
      this.reads,
      given.map((kind) => [
        kind ?? "",
        kind === null ? ITSELF[model.predicts ?? "next"] : ANSWERS[kind].label,
      ]),
    );
    for (const field of this.answers) field.hidden = this.reads.value !== "";
    this.likeField.hidden = this.reads.value !== "similarity";
  }

  /** What is read in the place of the prediction; null: nothing else. */
  get answer() {
    const kind = KINDS.find((one) => one === this.reads.value) ?? null;
    if (kind === "probe") return this.probe;
    if (kind !== "similarity") return kind && { kind };
    return { kind, texts: [...new Set(this.like.value.split("\n").filter((text) => text.trim()))] };
  }

  get chosen() {
    return this.models.find(({ name }) => name === this.model.value) ?? this.models[0];
  }

  #source() {
    const chosen = this.source.querySelector("input:checked");
    return chosen instanceof HTMLInputElement ? chosen.value : "templates";
  }

  /** What is wrong with the form; "" if nothing is. */
  problem() {
    if (this.answer?.texts?.length === 0) return words.NO_LIKE;
    if (this.#source() === "templates") {
      if (!this.n.checkValidity()) {
        this.n.reportValidity();
        return this.n.validationMessage;
      }
      const { fill = {} } = /** @type {any} */ (this.request().templates);
      const empty = Object.keys(fill).find((name) => fill[name].length === 0);
      return empty === undefined ? "" : words.noWords(empty);
    }
    const { pairs, wrong } = pairsOf(this.lines.value);
    if (wrong !== null) return words.wrongLine(wrong);
    const most = LIMITS.study_pairs;
    if (pairs.length > most) return words.tooMany({ n: pairs.length, most });
    return pairs.length === 0 ? words.NO_LINES : "";
  }

  /** @returns {StudyRequest} */
  request() {
    const read = this.answer;
    const [clean, corrupted, answer, wrong] = TEXTS.map((name) =>
      read && (name === "answer" || name === "wrong") ? "" : this.texts[name].value,
    );
    const names = slotsOf([clean, corrupted, answer, wrong]);
    const fill = Object.fromEntries(
      names.map((name) => [name, wordsOf(this.fill.get(name)?.value ?? "")]),
    );
    const templates = {
      ...{ clean, corrupted, fill, n: Number(this.n.value) },
      ...(answer === "" ? {} : { answer }),
      ...(wrong === "" ? {} : { wrong }),
    };
    const of = /** @type {import("./words.js").Of} */ (this.of.value);
    return /** @type {StudyRequest} */ ({
      model: this.model.value,
      of,
      ...(read ? { answer: read } : {}),
      ...(this.#source() === "lines"
        ? { pairs: pairsOf(this.lines.value).pairs.map((pair) => (read ? bare(pair) : pair)) }
        : { templates }),
      ...(of === "patching"
        ? {
            at: this.at.value,
            by: this.by.value,
            exact: this.run.value === "all" ? null : Number(this.run.value),
          }
        : {}),
    });
  }

  /** What an address says of the choice. */
  address() {
    const query = new URLSearchParams();
    if (this.model.value !== this.models[0].name) query.set("model", this.model.value);
    if (this.#source() === "lines") {
      if (this.lines.value.length <= LONGEST) query.set("pairs", this.lines.value);
    } else if (this.preset.value !== "") query.set("preset", this.preset.value);
    else {
      for (const name of TEXTS) query.set(name, this.texts[name].value);
      for (const name of slotsOf(TEXTS.map((one) => this.texts[one].value)))
        query.set(FILL + name, this.fill.get(name)?.value ?? "");
      query.set("n", this.n.value);
    }
    if (this.answer) query.set("reads", textOf(this.answer));
    if (this.of.value !== "patching") query.set("of", this.of.value);
    else {
      if (this.at.value !== "head") query.set("at", this.at.value);
      else if (this.by.value !== "head") query.set("by", this.by.value);
      query.set("run", this.run.value);
    }
    return query;
  }

  /** @param {URLSearchParams} asked */
  #read(asked) {
    give(this.model, asked.get("model"));
    this.#usual();
    give(this.preset, asked.get("preset"));
    this.#begin();
    if (asked.has("clean")) {
      this.preset.value = "";
      for (const name of TEXTS) this.texts[name].value = asked.get(name) ?? "";
      this.n.value = asked.get("n") ?? "20";
    }
    /** @type {Record<string, string[]>} */
    const given = {};
    for (const [key, value] of asked)
      if (key.startsWith(FILL)) given[key.slice(FILL.length)] = wordsOf(value);
    this.#slots(given);
    const lines = asked.get("pairs");
    if (lines !== null) {
      this.lines.value = lines;
      check("source", "lines", this.source);
    }
    give(this.of, asked.get("of"));
    const reads = answerOf(asked.get("reads"));
    if (reads?.kind === "probe") this.probe = reads;
    if (reads?.texts) this.like.value = reads.texts.join("\n");
    this.#show();
    give(this.reads, reads?.kind ?? null);
    this.#show();
    give(this.at, asked.get("at"));
    this.#show();
    give(this.by, asked.get("by"));
    give(this.run, asked.get("run"));
  }
}

/** A pair without its tokens: another answer is read. @param {{clean: string, corrupted: string}} pair */
const bare = ({ clean, corrupted }) => ({ clean, corrupted });

/** Give a field a value from an address; one that it does not have is left out. @param {HTMLSelectElement} field @param {string | null} value */
function give(field, value) {
  if (value !== null && [...field.options].some((one) => one.value === value)) field.value = value;
}
