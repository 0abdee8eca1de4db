// Finds the string and template literals of a module, with the code before each of them. It reads JavaScript as far as that needs.

const BEFORE_REGEXP = /(?:^|[=(,:[!&|?{};>]|\breturn)\s*$/;

/**
 * @param {string} source
 * @returns {{line: number, text: string, before: string, inner: boolean}[]} `text`: with “…” for each place of a template;
 *   `before`: the code of the statement so far, without comments and long strings; `inner`: whether it is in a place of a template
 */
export function literalsIn(source) {
  const found = [];
  let at = 0;
  let code = "";
  let nested = 0;

  const rest = () => source.slice(at);
  const lineAt = (place) => source.slice(0, place).split("\n").length;

  /** Reads code up to the end, or up to the brace that closes a place of a template. */
  function read(inTemplate) {
    let depth = 0;
    while (at < source.length) {
      const char = source[at];
      const skipped = rest().match(/^(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)/)?.[0];
      const regexp =
        char === "/" && BEFORE_REGEXP.test(code)
          ? rest().match(/^\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[\n])+\/[a-z]*/)?.[0]
          : undefined;
      if (skipped !== undefined) at += skipped.length;
      else if (regexp !== undefined) {
        at += regexp.length;
        code += "/r/";
      } else if (char === '"' || char === "'") string();
      else if (char === "`") template();
      else {
        if (char === "{") depth += 1;
        if (char === "}") {
          if (depth === 0 && inTemplate) return;
          depth -= 1;
        }
        code += char;
        at += 1;
      }
    }
  }

  function string() {
    const [raw] = rest().match(/^(["'])(?:\\[\s\S]|(?!\1)[^\\])*\1/);
    found.push({ line: lineAt(at), text: raw.slice(1, -1), before: code, inner: nested > 0 });
    at += raw.length;
    code += /^[\w-]*$/.test(raw.slice(1, -1)) ? raw : '""';
  }

  function template() {
    const [before, line] = [code, lineAt(at)];
    let text = "";
    at += 1;
    while (source[at] !== "`") {
      if (rest().startsWith("${")) {
        at += 2;
        code = "";
        nested += 1;
        read(true);
        nested -= 1;
        text += "…";
        at += 1;
      } else {
        const length = source[at] === "\\" ? 2 : 1;
        text += source.slice(at, at + length);
        at += length;
      }
    }
    at += 1;
    code = `${before}\`\``;
    found.push({ line, text, before, inner: nested > 0 });
  }

  read(false);
  return found.map((one) => ({ ...one, before: statementOf(one.before) }));
}

/** The last statement, or the last property of an object. @param {string} code */
const statementOf = (code) => code.slice(-300).match(/[^;{}]*$/)?.[0] ?? "";
