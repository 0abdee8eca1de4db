// The words of the picture of slices: which channels belong to each head.

/** @param {{from: number, to: number}} channels */
const range = ({ from, to }) => (from === to ? `channel ${from}` : `channels ${from} to ${to}`);

/** The vectors that heads share out; x where nothing is projected. @param {boolean} isProjected */
export const vectorNames = (isProjected) => (isProjected ? ["q", "k", "v"] : ["x"]);

/** @param {boolean} hasOutput whether there is a W_O */
export const zName = (hasOutput) => (hasOutput ? "z, into W_O" : "z");

/** @param {number} drawn @param {number} tokens @param {number} heads */
export const foot = (drawn, tokens, heads) =>
  drawn < tokens
    ? `rows: the ${tokens} tokens (${drawn} are drawn); colours: the ${heads} heads`
    : `rows: the ${tokens} tokens; colours: the ${heads} heads`;

/**
 * @param {{head: number, tokens: number, from: number, to: number, isProjected: boolean, hasOutput: boolean, isAlone: boolean}} slice
 */
export function sliceInWords({ head, tokens, from, to, isProjected, hasOutput, isAlone }) {
  const channels = isProjected
    ? `${range({ from, to })} of q, k and v`
    : `${range({ from, to })} of x`;
  const own = hasOutput
    ? `Head ${head} sees all ${tokens} tokens and works with ${channels}, and the same channels of the input of W_O.`
    : `Head ${head} sees all ${tokens} tokens and works with ${channels}.`;
  return isAlone ? own : `${own} Every other head does the same with channels of its own.`;
}
