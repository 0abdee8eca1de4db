// How heads are named in little room, and why they may not be muted.

/** @param {{layer: number, head: number}} place */
export const shortName = ({ layer, head }) => `L${layer} · H${head}`;

/** @param {string} reason a sentence without its full stop */
export const cannotMute = (reason) => `Heads of this model cannot be muted: ${reason}.`;
