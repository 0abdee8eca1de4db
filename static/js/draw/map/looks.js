// Lines from the tokens to the head that looks at them: down a gutter beside the heads, so that they cross no other head. Pure.

/** @import { Layout, Place } from "./layout.js" */

const SMALLEST = 0.05; // a weaker look is not drawn
const MAX_LOOKS = 4;
const LANE = 3; // pixels between two lines

/**
 * @param {Layout} layout
 * @param {string} id of the head
 * @param {(place: Place) => number} share what a token gets of its attention
 * @returns {{d: string, share: number}[]} the strongest first
 */
export function looksOf({ places }, id, share) {
  const to = places.find((place) => place.id === id);
  if (to?.kind !== "head") return [];
  const beside = places.filter(
    ({ kind, site, at }) => kind === "head" && site === to.site && at === to.at,
  );
  const gutter = Math.min(...beside.map(({ x }) => x)) - 5;
  return places
    .map((place) => ({ place, share: share(place) }))
    .filter((look) => look.share >= SMALLEST)
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_LOOKS)
    .map(({ place, share }, lane) => {
      const [from, into] = [place.x + place.width / 2, to.x + to.width / 2];
      const tokens = places.filter(({ kind, axis }) => kind === "token" && axis === place.axis);
      const below = Math.max(...tokens.map(({ y, height }) => y + height)) + 4 + LANE * lane;
      const d = `M${from} ${place.y + place.height}V${below}H${gutter - LANE * lane}V${to.y - 3}H${into}V${to.y}`;
      return { d, share };
    });
}
