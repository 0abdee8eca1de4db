// A field for a program: its lines are numbered, Tab indents, and what each line made stands beside it.

import { make, unique, write } from "../../dom/dom.js";
import { editorName, KEYS, MADE, made, onLine } from "./words.js";

/** @import { ProgramAnswer } from "../../types.d.ts" */

const INDENT = "    ";

/**
 * @param {string} code
 * @param {string} caption names it for screen readers
 * @param {{change: () => void, run: () => void}} on
 */
export function editor(code, caption, on) {
  const area = make("textarea", { class: "program-code", verbatim: true });
  area.value = code;
  area.wrap = "off";
  area.spellcheck = false;
  area.autocapitalize = "off";
  area.dir = "ltr";
  area.setAttribute("aria-label", editorName(caption));
  const keys = make("span", { class: "unseen", text: KEYS });
  keys.id = unique("program-keys");
  area.setAttribute("aria-describedby", keys.id);
  const numbers = make("div", { class: "program-numbers" });
  numbers.setAttribute("aria-hidden", "true");
  const shapes = make("ul", { class: "program-shapes" });
  shapes.setAttribute("aria-label", MADE);
  const root = make("div", { class: "program-editor" }, [numbers, area, shapes, keys]);
  let leaves = false; // whether Tab leaves the field, after Escape

  const number = () => {
    const lines = area.value.split("\n").length;
    area.rows = lines;
    root.style.setProperty("--lines", String(lines));
    write(numbers, Array.from({ length: lines }, (_, at) => at + 1).join("\n"));
  };
  area.addEventListener("input", () => {
    number();
    on.change();
  });
  area.addEventListener("blur", () => {
    leaves = false;
  });
  area.addEventListener("keydown", (event) => {
    const { key, shiftKey } = event;
    const [from, to] = [area.selectionStart, area.selectionEnd];
    if (key === "Enter" && (event.ctrlKey || event.metaKey)) on.run();
    else if (key === "Tab" && !leaves) replace(area, indented(area.value, from, to, shiftKey));
    else if (key === "Enter" && !shiftKey) type(area, newLine(area.value, from));
    else {
      leaves = key === "Escape" || (leaves && key === "Shift");
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  number();

  return {
    root,
    area,
    /** Show what each line made, or nothing. @param {ProgramAnswer["values"]} values */
    show(values) {
      const lines = [...new Set(values.map(({ line }) => line))];
      shapes.replaceChildren(
        ...lines.map((line) =>
          shown(
            line,
            values.filter((each) => each.line === line),
          ),
        ),
      );
    },
    /** Mark the line that is at fault. @param {number | null} line from 1 */
    mark(line) {
      root.toggleAttribute("data-wrong", line !== null);
      root.style.setProperty("--wrong", String(line ?? 0));
    },
    /** Another program in its place. @param {string} text */
    write(text) {
      area.value = text;
      number();
    },
  };
}

/** What a line made. @param {number} line @param {ProgramAnswer["values"]} values */
function shown(line, values) {
  const each = values.map(({ name, shape, text, times }) =>
    made({ name, what: shape?.length ? `[${shape.join(", ")}]` : (text ?? ""), times }),
  );
  const said = make("li", { verbatim: true, title: each.join(" · ") }, [
    make("span", { class: "program-line", text: `${onLine(line)} ` }),
    make("code", { text: each.join(" · ") }),
  ]);
  said.style.setProperty("--line", String(line));
  return said;
}

/**
 * The text with the lines of a selection indented, or less indented.
 * @param {string} text @param {number} from @param {number} to @param {boolean} back
 */
export function indented(text, from, to, back) {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  if (!back && from === to) {
    const more = INDENT.slice((from - start) % INDENT.length);
    return { start: from, end: to, text: more, from: from + more.length, to: from + more.length };
  }
  const end = text.indexOf("\n", Math.max(from, to - 1));
  const lines = text.slice(start, end < 0 ? text.length : end).split("\n");
  const moved = lines.map((line) => (back ? line.replace(/^ {1,4}/, "") : line && INDENT + line));
  const first = moved[0].length - lines[0].length;
  const all = moved.join("\n").length - lines.join("\n").length;
  return {
    start,
    end: end < 0 ? text.length : end,
    text: moved.join("\n"),
    from: Math.max(start, from + first),
    to: Math.max(start, to + all),
  };
}

/** What Enter types: the next line begins where this one does, and deeper after a colon. @param {string} text @param {number} at */
export function newLine(text, at) {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  const own = /^ */.exec(line)?.[0] ?? "";
  return `\n${own}${/:\s*(#.*)?$/.test(line) ? INDENT : ""}`;
}

/** @param {HTMLTextAreaElement} area @param {ReturnType<typeof indented>} edit */
function replace(area, edit) {
  area.setSelectionRange(edit.start, edit.end);
  type(area, edit.text);
  area.setSelectionRange(edit.from, edit.to);
}

/** Put text in place of the selection, so that it can be undone. @param {HTMLTextAreaElement} area @param {string} text */
function type(area, text) {
  const { selectionStart, selectionEnd, ownerDocument } = area;
  if (ownerDocument.execCommand?.("insertText", false, text)) return;
  area.setRangeText(text, selectionStart, selectionEnd, "end");
  area.dispatchEvent(new Event("input"));
}
