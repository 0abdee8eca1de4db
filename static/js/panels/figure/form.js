// The form for the options of a picture, made from their table.

import { check, make, radio } from "../../dom/dom.js";
import { OPTIONS, takes } from "./options.js";
import { AS_NEEDED, outside, VALUES } from "./words.js";

/** @import { Choice, Option } from "./options.js" */

/** A field of the form. @typedef {{root: HTMLElement, read: () => unknown, write: (value: any) => void}} Field */

/** One of a few values. @param {Option} option @returns {Field} */
function oneOf({ name, label, values = [] }) {
  const root = make("fieldset", { class: "segments" }, [
    make("legend", { text: label }),
    ...values.map((value) => radio(`picture-${name}`, value, VALUES[value])),
  ]);
  return {
    root,
    read: () => [...root.querySelectorAll("input")].find(({ checked }) => checked)?.value,
    write: (value) => check(`picture-${name}`, value, root),
  };
}

/** @param {Option} option @returns {Field} */
function number({ name, label, range, open }) {
  const input = make("input");
  const { least = 0, most = 0, step = 1 } = range ?? {};
  Object.assign(input, { type: "number", name: `picture-${name}`, min: least, max: most, step });
  if (open) input.placeholder = AS_NEEDED;
  return {
    root: make("label", { class: "field" }, [make("span", { text: label }), input]),
    // an empty field is null; text that is not a number is undefined
    read: () =>
      input.validity.badInput ? undefined : input.value === "" ? null : Number(input.value),
    write: (value) => {
      input.value = value === null ? "" : String(value);
    },
  };
}

/** @param {Option} option @returns {Field} */
function onOrOff({ name, label }) {
  const input = make("input");
  Object.assign(input, { type: "checkbox", name: `picture-${name}` });
  return {
    root: make("label", { class: "field" }, [input, make("span", { text: label })]),
    read: () => input.checked,
    write: (value) => {
      input.checked = value;
    },
  };
}

/** @param {HTMLFormElement} form */
export function optionsForm(form) {
  const rows = OPTIONS.map((option) => ({
    option,
    field: (option.values ? oneOf : option.range ? number : onOrOff)(option),
  }));
  form.prepend(...rows.map(({ field }) => field.root));
  return {
    /**
     * @param {Choice} choice
     * @param {Set<string>} offers what the look of the picture can have
     */
    write: (choice, offers) => {
      for (const { option, field } of rows) {
        field.write(choice[option.name]);
        field.root.hidden = !(option.has?.(choice, offers) ?? true);
      }
    },
    /** Show what the picture can have. @param {Choice} choice @param {Set<string>} offers */
    fit: (choice, offers) => {
      for (const { option, field } of rows)
        field.root.hidden = !(option.has?.(choice, offers) ?? true);
    },
    /** @returns {Choice | string} a string: what is wrong */
    read: () => {
      const wrong = rows.find(({ option, field }) => !takes(option, field.read()));
      if (wrong)
        return outside({ label: wrong.option.label, .../** @type {any} */ (wrong.option.range) });
      return /** @type {any} */ (
        Object.fromEntries(rows.map(({ option, field }) => [option.name, field.read()]))
      );
    },
  };
}
