// The words of the picture of slices: which channels belong to each head.

import { gettext } from "../language/gettext.js";

/** @param {{from: number, to: number}} channels */
const range = ({ from, to }) =>
  from === to
    ? gettext("channel {from}", { from })
    : gettext("channels {from} to {to}", { from, to });

/** The vectors that heads share out; x where nothing is projected. @param {boolean} isProjected */
export const vectorNames = (isProjected) => (isProjected ? ["q", "k", "v"] : ["x"]);

/** @param {boolean} hasOutput whether there is a W_O */
export const zName = (hasOutput) => (hasOutput ? gettext("z, into W_O") : "z");

/** @param {number} drawn @param {number} tokens @param {number} heads */
export const foot = (drawn, tokens, heads) =>
  drawn < tokens
    ? gettext("rows: the {tokens} tokens ({drawn} are drawn); colours: the {heads} heads", {
        tokens,
        drawn,
        heads,
      })
    : gettext("rows: the {tokens} tokens; colours: the {heads} heads", { tokens, heads });

/**
 * @param {{head: number, tokens: number, from: number, to: number, isProjected: boolean, hasOutput: boolean, isAlone: boolean}} slice
 */
export function sliceInWords({ head, tokens, from, to, isProjected, hasOutput, isAlone }) {
  const channels = isProjected
    ? gettext("{range} of q, k and v", { range: range({ from, to }) })
    : gettext("{range} of x", { range: range({ from, to }) });
  const own = hasOutput
    ? gettext(
        "Head {head} sees all {tokens} tokens and works with {channels}, and the same channels of the input of W_O.",
        { head, tokens, channels },
      )
    : gettext("Head {head} sees all {tokens} tokens and works with {channels}.", {
        head,
        tokens,
        channels,
      });
  return isAlone
    ? own
    : gettext("{own} Every other head does the same with channels of its own.", { own });
}
