// The form: a task, a network, and perhaps a second one that differs in one setting.

import { make } from "../dom/dom.js";
import { labelled, select } from "../dom/fields.js";
import * as words from "./words.js";

/** @import { NetworkSetting, TrainingTask, TasksResponse, TrainingRequest } from "../types.d.ts" */
/** @typedef {string | number | boolean} Value */

const OWN = "text"; // lines of one's own, in an address
const OTHER = "b."; // before a setting of the second network in an address
const USUAL_TEXT = [
  "the cat sat on the mat",
  "the dog sat on the log",
  "the cat saw the dog",
  "the dog saw the cat",
  "a cat sat by a dog",
  "a dog sat by a cat",
  "the cat ran to the mat",
  "the dog ran to the log",
  "a cat ran by the log",
  "a dog ran by the mat",
  "the mat is by the log",
  "the log is by the mat",
].join("\n");

/** What one chooses of a network, and what the address says of it. */
export class Form {
  /** @param {HTMLFormElement} root @param {TasksResponse} known @param {URLSearchParams} asked */
  constructor(root, { tasks, settings }, asked) {
    this.tasks = tasks.map(words.inLanguage);
    this.settings = settings;
    const task = root.querySelector("#train-task");
    const network = root.querySelector("#train-network");

    this.task = select(
      [...this.tasks.map(({ id, name }) => [id, name]), ["", words.OWN_TEXT]].map(
        ([value, text]) => [`${value}`, `${text}`],
      ),
    );
    this.about = make("p", { class: "hint" });
    this.example = make("p", { class: "train-line" });
    this.text = make("textarea");
    Object.assign(this.text, { rows: 6, value: USUAL_TEXT });
    this.text.setAttribute("aria-label", words.OWN_LABEL);
    task?.append(labelled(words.TASK, this.task), this.about, this.example, this.text);

    this.fields = new Map(settings.map((setting) => [setting.name, control(setting)]));
    const [first, rest] = [true, false].map((isFirst) =>
      Object.entries(words.SETTINGS)
        .filter(([name, { first }]) => Boolean(first) === isFirst && this.fields.has(name))
        .map(([name, { label, title }]) => labelled(label, this.#field(name), { title })),
    );
    const more = make("details", {}, [make("summary", { text: words.MORE }), ...rest]);
    this.compare = make("input");
    this.compare.type = "checkbox";
    this.differs = select(Object.entries(words.SETTINGS).map(([name, { label }]) => [name, label]));
    this.differs.value = "n_layers";
    this.other = make("span");
    this.second = make("div", { class: "train-second" }, [
      labelled(words.DIFFERS, this.differs),
      make("label", { class: "side-field" }, [make("span", { text: words.TO }), this.other]),
    ]);
    this.seeds = select(Object.entries(words.SEED_NAMES));
    network?.append(
      ...first,
      more,
      make("label", { class: "train-check" }, [
        this.compare,
        make("span", { text: words.COMPARE }),
      ]),
      this.second,
      labelled(words.SEEDS, this.seeds),
    );

    this.task.addEventListener("change", () => this.#usual());
    this.compare.addEventListener("change", () => this.#show());
    this.differs.addEventListener("change", () => this.#offer());
    const named = asked.get("task") ?? "induction";
    this.task.value = named === OWN ? "" : (tasks.find(({ id }) => id === named) ?? tasks[0]).id;
    this.#usual();
    this.#read(asked);
  }

  /** @param {string} name */
  #field(name) {
    return /** @type {HTMLInputElement | HTMLSelectElement} */ (this.fields.get(name));
  }

  /** @returns {TrainingTask | undefined} undefined: lines of one's own */
  get chosen() {
    return this.tasks.find(({ id }) => id === this.task.value);
  }

  /** The network that the task usually has. */
  #usual() {
    const usual = (this.chosen ?? this.tasks[0]).settings;
    for (const [name, field] of this.fields) field.value = String(usual[name]);
    this.#offer();
    this.#show();
  }

  /** What the second network may have instead. */
  #offer() {
    const setting = this.settings.find(({ name }) => name === this.differs.value);
    if (!setting) return;
    const field = control(setting);
    field.setAttribute("aria-label", words.SETTINGS[setting.name].label);
    field.value = otherThan(this.#field(setting.name), setting);
    this.other.replaceChildren(field);
  }

  #show() {
    const task = this.chosen;
    this.about.textContent = task ? `${task.about} ${words.expected(task)}` : words.OWN_ABOUT;
    this.example.hidden = !task;
    this.text.hidden = Boolean(task);
    if (task) this.example.replaceChildren(...lineOf(task.example, task.asked));
    this.second.hidden = !this.compare.checked;
  }

  /** @param {URLSearchParams} asked */
  #read(asked) {
    for (const [name, field] of this.fields) {
      const value = asked.get(name);
      if (value !== null) give(field, value);
      const other = asked.get(OTHER + name);
      if (other === null) continue;
      this.compare.checked = true;
      this.differs.value = name;
      this.#offer();
      const [second] = this.other.children;
      if (second instanceof HTMLInputElement || second instanceof HTMLSelectElement)
        give(second, other);
    }
    if (asked.get("seeds") === "3") this.seeds.value = "3";
    this.#show();
  }

  /** Whether each number is within its limits; if not, the first one says so. */
  isValid() {
    const fields = [...this.fields.values(), ...(this.compare.checked ? this.other.children : [])];
    const wrong = fields.find(
      (field) => field instanceof HTMLInputElement && !field.checkValidity(),
    );
    if (wrong instanceof HTMLInputElement) {
      const folded = wrong.closest("details");
      if (folded) folded.open = true;
      wrong.reportValidity();
    }
    return !wrong;
  }

  /** @returns {TrainingRequest} */
  request() {
    const network = Object.fromEntries(
      this.settings.map((setting) => [setting.name, chosenIn(this.#field(setting.name), setting)]),
    );
    const setting = this.settings.find(({ name }) => name === this.differs.value);
    const [field] = this.other.children;
    const differs = this.compare.checked && setting && field;
    const other = /** @type {HTMLInputElement} */ (field);
    return {
      task: this.task.value,
      ...(this.chosen ? {} : { text: this.text.value }),
      networks: differs
        ? [network, { ...network, [setting.name]: chosenIn(other, setting) }]
        : [network],
      seeds: Number(this.seeds.value),
    };
  }

  /** What an address says of the choice; only what differs from the task's own. */
  address() {
    const query = new URLSearchParams();
    query.set("task", this.task.value || OWN);
    const usual = (this.chosen ?? this.tasks[0]).settings;
    for (const [name, field] of this.fields)
      if (field.value !== String(usual[name])) query.set(name, field.value);
    const [second] = this.other.children;
    if (this.compare.checked)
      query.set(OTHER + this.differs.value, /** @type {HTMLInputElement} */ (second).value);
    if (this.seeds.value !== "1") query.set("seeds", this.seeds.value);
    return query;
  }
}

/** Give a field a value from an address; one that it does not have is left out. @param {HTMLInputElement | HTMLSelectElement} field @param {string} value */
function give(field, value) {
  if (field instanceof HTMLInputElement) field.value = value;
  else if ([...field.options].some((option) => option.value === value)) field.value = value;
}

/** A line, in which what is asked stands out. @param {string} line @param {readonly number[]} asked */
export function lineOf(line, asked) {
  return [...line].map((text, at) =>
    make(asked.includes(at) ? "b" : "span", { text, verbatim: true }),
  );
}

/** @param {NetworkSetting} setting */
function control({ name, options, kind, limits }) {
  if (kind === "flag") return select(Object.entries(words.YES_NO));
  if (options.length > 0)
    return select(options.map((option) => [option, words.valueInWords(option)])); // a number may be asked for by the API
  const input = make("input");
  const [min, max] = limits ?? [0.0001, 0.1];
  Object.assign(input, {
    type: "number",
    min: `${min}`,
    max: `${max}`,
    step: kind === "whole" ? "1" : "any",
    required: true,
    name,
  });
  return input;
}

/** @param {HTMLInputElement | HTMLSelectElement} field @param {NetworkSetting} setting @returns {Value} */
function chosenIn({ value }, { kind, options }) {
  if (kind === "flag") return value === "true";
  return options.includes(value) ? value : Number(value);
}

/** A value that is likely to teach something: one more or less, or the next name. @param {HTMLInputElement | HTMLSelectElement} field @param {NetworkSetting} setting */
function otherThan(field, { limits, options, kind }) {
  if (kind === "flag") return field.value === "true" ? "false" : "true";
  if (options.length > 0) return options[(options.indexOf(field.value) + 1) % options.length];
  const value = Number(field.value);
  const [min] = limits ?? [0];
  if (kind !== "whole") return String(value / 10);
  return String(value > min ? (value > 8 ? Math.max(min, value / 2) : value - 1) : value + 1);
}
