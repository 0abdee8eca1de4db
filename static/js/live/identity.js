// Who this browser is in a class: a token that survives a reload, kept beside the code of the class. A teacher's comes in the fragment of
// the desk's address, which browsers never send, and is taken out of it at once.

const TEACHER = "t_";
const PARTICIPANT = "p_";
const keyOf = (/** @type {string} */ code) => `headlight.class.${code}`;
/** Where storage is forbidden, as in some private windows: as long as the page is open. @type {Map<string, string>} */
const held = new Map();

const LAST = "headlight.class"; // the code of the class that somebody joined last, and the name that they gave

/** @param {string} code @returns {string | null} */
export function tokenOf(code) {
  try {
    return localStorage.getItem(keyOf(code)) ?? held.get(code) ?? null;
  } catch {
    return held.get(code) ?? null;
  }
}

/** @param {string} code @param {string | null} token null: forget it */
export function keepToken(code, token) {
  try {
    if (token === null) localStorage.removeItem(keyOf(code));
    else localStorage.setItem(keyOf(code), token);
  } catch {
    // kept below
  }
  if (token === null) held.delete(code);
  else held.set(code, token);
}

/** Remember the class that somebody has joined, and under which name. @param {{code: string, nickname: string} | null} joined null: forget it */
export function remember(joined) {
  try {
    if (joined === null) localStorage.removeItem(LAST);
    else localStorage.setItem(LAST, JSON.stringify(joined));
  } catch {
    // then it is typed again
  }
}

/** @returns {{code: string, nickname: string} | null} */
export function remembered() {
  try {
    const { code, nickname } = JSON.parse(localStorage.getItem(LAST) ?? "");
    return typeof code === "string" && typeof nickname === "string" ? { code, nickname } : null;
  } catch {
    return null;
  }
}

/** @param {string | null} token */
export const isTeacher = (token) => token?.startsWith(TEACHER) ?? false;

/** A participant's token, made before it is sent: a join whose answer is lost can be repeated, and is one person still. */
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return PARTICIPANT + [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Take a teacher's token out of the address, and keep it. @param {string} code */
export function takeFromAddress(code) {
  const token = location.hash.slice(1);
  if (!isTeacher(token)) return;
  keepToken(code, token);
  history.replaceState(history.state, "", location.pathname + location.search);
}

/** The code in the path of a page of a class: /class/CODE… @param {string} path @returns {string | null} */
export const codeIn = (path) => path.match(/^\/class\/([A-Z0-9]+)(?:\/|$)/)?.[1] ?? null;
