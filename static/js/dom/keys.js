// The keyboard on every layout, and with every input method.

/**
 * Whether an input method is composing: keys and input are its own until it has finished. Safari says so by the code 229.
 * @param {KeyboardEvent | Event} event
 */
export const composes = (event) =>
  ("isComposing" in event && event.isComposing === true) ||
  ("keyCode" in event && event.keyCode === 229);

/** What the keys of a US keyboard type, without Shift and with it, where it is not a letter. @type {Record<string, [string, string]>} */
const SIGNS = {
  BracketLeft: ["[", "{"],
  BracketRight: ["]", "}"],
  Slash: ["/", "?"],
  Equal: ["=", "+"],
  Minus: ["-", "_"],
  Digit0: ["0", ")"],
};

/**
 * The key of a shortcut: what it types or, on a layout without Latin letters (Cyrillic, Greek, Hebrew), what is on it on a US keyboard.
 * AltGr types letters and signs of the layout, such as a Polish ł or a German [: only the signs are keys.
 * @param {Pick<KeyboardEvent, "key" | "code" | "shiftKey"> & {getModifierState?: (name: string) => boolean}} event
 */
export function keyOf(event) {
  const { key, code, shiftKey } = event;
  if (event.getModifierState?.("AltGraph")) return /^[^\p{L}\p{N}]$/u.test(key) ? key : "";
  if (!/^[^\0-\x7f]$/u.test(key)) return key;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return shiftKey ? letter : letter.toLowerCase();
  return SIGNS[code]?.[shiftKey ? 1 : 0] ?? key;
}

/** Whether a key is pressed with Ctrl, Alt or the like, which is the browser's; AltGr, which some systems report as both, is not. @param {KeyboardEvent} event */
export const isModified = (event) =>
  event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState("AltGraph"));

/** Where one writes: its keys are letters, and no shortcuts. */
export const WRITTEN =
  'textarea, input:not([type="checkbox"], [type="radio"], [type="range"], [type="file"])';

/**
 * Call something whenever a field has a new text, but not with what an input method is still composing.
 * @param {HTMLElement} field or a form, for all its fields
 * @param {(event: Event) => void} act
 */
export function onTyped(field, act) {
  field.addEventListener("input", (event) => {
    if (!composes(event)) act(event);
  });
  field.addEventListener("compositionend", act); // some browsers send no input after it
}
