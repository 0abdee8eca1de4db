// Who says which tokens of a conversation: a template marks each message by a special token that names a role, or by one before it
// (<|user|>; <|im_start|>user; <start_of_turn>model). Pure.

/** @import { Token } from "../../types.d.ts" */

/** @type {Record<string, "system" | "user" | "assistant" | "tool">} */
const ROLES = {
  system: "system",
  developer: "system",
  user: "user",
  human: "user",
  assistant: "assistant",
  model: "assistant",
  gpt: "assistant",
  tool: "tool",
};

/**
 * The role of each token; null: nobody's. A message goes on to the next mark.
 * @param {readonly Token[]} tokens
 * @returns {("system" | "user" | "assistant" | "tool" | null)[]}
 */
export function rolesOf(tokens) {
  /** @type {"system" | "user" | "assistant" | "tool" | null} */
  let role = null;
  return tokens.map((token, place) => {
    if (token.padding) return null;
    if (token.special) role = named(token) ?? next(tokens[place + 1]) ?? role;
    return role;
  });
}

/** @param {Token | undefined} token after a special one */
const next = (token) => (token && !token.special ? named(token) : null);

/** @param {Token} token */
const named = ({ text }) => {
  const word = text.replace(/[^\p{L}]/gu, "").toLowerCase();
  return Object.hasOwn(ROLES, word) ? ROLES[word] : null;
};
