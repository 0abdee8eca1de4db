// The questions about a reader's own file: which axis is which, the tokens, the scale, the mask. The guesses are filled in.

import { make } from "../../dom/dom.js";
import { onTyped } from "../../dom/keys.js";
import { AXES, AXIS_LABELS } from "../../own/axes.js";
import { LIMITS } from "../../own/limits.js";
import { typeable, typedTokens } from "../../own/tokens.js";
import * as words from "./words.js";

/** @import { Axis, Family } from "../../own/axes.js" */
/** @import { Found, Settings } from "../../own/guess.js" */

const LISTED = 12; // arrays
const FAMILIES = /** @type {const} */ (["pattern", "vectors"]);

/** The arrays of the file, as a table. @param {Found["arrays"]} arrays */
export function arraysTable(arrays) {
  const head = Object.values(words.ARRAYS).map((text) => {
    const cell = make("th", { text });
    cell.scope = "col";
    return cell;
  });
  const rows = arrays
    .slice(0, LISTED)
    .map(({ name, shape, dtype, used }) =>
      make("tr", {}, [
        make("td", {}, [make("code", { text: name })]),
        make("td", { text: `[${shape.join(", ")}]` }),
        make("td", { text: dtype }),
        make("td", { text: words.use(used) }),
      ]),
    );
  const rest = arrays.length - rows.length;
  if (rest > 0) {
    const cell = make("td", { text: words.more(rest), class: "faint" });
    cell.colSpan = head.length;
    rows.push(make("tr", {}, [cell]));
  }
  return make("table", { class: "own-arrays" }, [
    make("thead", {}, [make("tr", {}, head)]),
    make("tbody", {}, rows),
  ]);
}

/**
 * The fields, and what they say.
 * @param {Found} found
 * @param {Settings} guessed
 * @param {() => void} changed called after each change
 * @returns {{fields: HTMLElement[], settings: () => Settings}}
 */
export function questions({ shapes, groups }, guessed, changed) {
  const kinds = groups.length > 1;
  const isSelf = !kinds && groups[0].kind === "self";
  const axes = FAMILIES.flatMap((family) => {
    const shape = shapes[family];
    return shape ? [axesField(family, shape, guessed.axes[family] ?? [])] : [];
  });
  const two = checkbox(words.TWO, guessed.two);
  const causal = checkbox(words.CAUSAL, guessed.causal);
  const second = number(words.SECOND, guessed.second, { min: "1", step: "1" });
  const scale = number(words.SCALE, guessed.scale, { step: "any" });
  const first = number(words.FIRST(LIMITS.texts), 0, { min: "0", step: "1" });

  /** How many texts, keys and queries there are, with the axes as they are now. */
  const sizes = () => {
    const size = (/** @type {Family} */ family, /** @type {Axis} */ axis) => {
      const place =
        axes
          .find((one) => one.family === family)
          ?.axes()
          .indexOf(axis) ?? -1;
      return place < 0 ? null : (shapes[family]?.[place] ?? null);
    };
    const position = size("vectors", "position") ?? 0;
    return {
      texts: size("pattern", "text") ?? size("vectors", "text") ?? 1,
      keys: size("pattern", "key") ?? position,
      queries: size("pattern", "query") ?? position,
      d_head: size("vectors", "channel"),
    };
  };
  const keys = tokensFields(guessed.tokens, (n, of) =>
    words.tokens({ n, of, two: two.input.checked }),
  );
  const queries = tokensFields(guessed.targets, (n, of) => words.targets({ n, of }));

  const show = () => {
    const { texts, keys: n_keys, queries: n_queries, d_head } = sizes();
    const isBatch = texts > LIMITS.texts; // whose tokens are as the file has them
    first.root.hidden = !isBatch;
    first.input.max = String(texts - 1);
    keys.show(isBatch ? 0 : texts, n_keys);
    // with several kinds of sites, nobody knows here how long the targets are
    queries.show(two.input.checked && !isBatch ? texts : 0, kinds ? null : n_queries);
    causal.root.hidden = !isSelf || two.input.checked;
    second.root.hidden = two.input.checked;
    two.root.hidden = !isSelf;
    scale.root.hidden = d_head === null;
    scale.input.placeholder = d_head === null ? "" : words.usualScale(d_head);
  };
  const fields = [
    ...axes.map(({ root }) => root),
    first.root,
    keys.root,
    two.root,
    queries.root,
    second.root,
    causal.root,
    scale.root,
  ];
  for (const field of fields) {
    onTyped(field, () => {
      show();
      changed();
    });
  }
  show();
  return {
    fields,
    settings: () => ({
      axes: Object.fromEntries(axes.map((one) => [one.family, one.axes()])),
      tokens: keys.value(),
      targets: two.input.checked ? queries.value() : null,
      first: numberOf(first.input) ?? 0,
      two: two.input.checked,
      causal: causal.input.checked,
      second: two.input.checked ? null : numberOf(second.input),
      scale: numberOf(scale.input),
    }),
  };
}

/** @param {HTMLInputElement} input */
const numberOf = ({ value }) => (value.trim() === "" ? null : Number(value));

/**
 * @param {Family} family
 * @param {number[]} shape
 * @param {Axis[]} guessed
 */
function axesField(family, shape, guessed) {
  const selects = shape.map((size, index) => {
    const select = make("select");
    for (const axis of AXES[family]) select.append(new Option(AXIS_LABELS[axis], axis));
    select.value = guessed[index];
    select.setAttribute("aria-label", words.axis({ place: index, size }));
    return select;
  });
  const labels = selects.map((select, index) =>
    make("label", { class: "field" }, [document.createTextNode(String(shape[index])), select]),
  );
  const root = make("fieldset", { class: "own-axes" }, [
    make("legend", { text: words.AXES[family] }),
    ...labels,
  ]);
  return { family, root, axes: () => selects.map(({ value }) => /** @type {Axis} */ (value)) };
}

/** @param {string} text @param {boolean} checked */
function checkbox(text, checked) {
  const input = make("input");
  Object.assign(input, { type: "checkbox", checked });
  return { input, root: make("label", { class: "own-check" }, [input, make("span", { text })]) };
}

/** @param {string} text @param {number | null} value @param {Partial<HTMLInputElement>} options */
function number(text, value, options) {
  const input = make("input");
  Object.assign(input, { type: "number", ...options, value: value ?? "" });
  return { input, root: make("label", { class: "field" }, [document.createTextNode(text), input]) };
}

/**
 * A box of tokens for each text, with how many there are and how many are needed.
 * @param {string[][] | null} guessed
 * @param {(n: number, of: number) => string} label
 */
function tokensFields(guessed, label) {
  const root = make("div", { class: "own-tokens" });
  /** @type {{area: HTMLTextAreaElement, name: HTMLElement, count: HTMLElement}[]} */
  const rows = [];
  const add = () => {
    const place = rows.length;
    const area = make("textarea", { verbatim: true });
    Object.assign(area, { rows: 2, spellcheck: false, value: typeable(guessed?.[place] ?? []) });
    area.placeholder = words.TOKENS_HINT;
    const name = make("span");
    const count = make("span", { class: "faint" });
    rows.push({ area, name, count });
    root.append(make("label", { class: "own-text" }, [make("span", {}, [name, count]), area]));
  };
  return {
    root,
    /** @param {number} texts @param {number | null} needed null: nobody knows */
    show: (texts, needed) => {
      root.hidden = texts === 0;
      while (rows.length < texts) add();
      rows.forEach(({ area, name, count }, index) => {
        const given = typedTokens(area.value).length;
        name.textContent = label(index + 1, texts);
        const counted = needed === null ? String(given) : words.tokenCount({ given, needed });
        count.textContent = ` (${counted})`;
        count.classList.toggle("wrong", given > 0 && needed !== null && given !== needed);
        const box = area.parentElement;
        if (box) box.hidden = index >= texts;
      });
    },
    value: () => {
      const shown = rows.filter(({ area }) => !area.parentElement?.hidden);
      if (root.hidden) return guessed;
      const all = shown.map(({ area }) => typedTokens(area.value));
      return all.some((row) => row.length > 0) ? all : null;
    },
  };
}
