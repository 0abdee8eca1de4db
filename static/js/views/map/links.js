// Which arcs of composition the map draws: the strongest of all, and the strongest that the selected head reads. Pure.

import { linkedIn, strongestOf } from "../../numbers/composition/composed.js";
import { composedSentence, linkName } from "../../numbers/composition/words.js";

/** @import { SiteName, State } from "../../types.d.ts" */
/** @import { Place } from "../../draw/map/layout.js" */
/** @typedef {{from: Place, to: Place, site: SiteName, head: number, strength: number, isOwn: boolean, name: string, told: string}} Link
 *   `site`, `head`: the later head; `isOwn`: the selected head is at one of its ends */

export const MAX_LINKS = 16;
export const OWN = 4;

/**
 * @param {Readonly<State>} state
 * @param {import("../../types.d.ts").ModelInfo} model
 * @param {Place[]} places
 * @returns {Link[] | null} the strongest first; null: there is no answer for this model
 */
export function linksIn(state, model, places) {
  const { arcs, composition } = state;
  if (arcs === "off" || composition?.problem) return null;
  const found = linkedIn(state, arcs);
  if (found?.model !== model.name) return null;
  const sites = new Map(model.sites.map((site) => [site.name, site]));
  const boxes = new Map(places.map((place) => [place.id, place]));
  const isSelected = (/** @type {{site: string, head: number}} */ { site, head }) => {
    const at = sites.get(site);
    return at?.kind === state.kind && at.layer === state.layer && head === state.head;
  };
  const boxOf = (/** @type {{site: string, head: number}} */ { site, head }) => {
    const at = sites.get(site);
    const of = `${at?.kind}:${at?.layer}`;
    return boxes.get(`head:${of}:${head}`) ?? boxes.get(`heads:${of}`);
  };
  const read = found.cells.filter(({ strength }) => strength !== 0);
  const own = read.filter(({ later }) => isSelected(later));
  const drawn = new Set([...strongestOf(read, MAX_LINKS), ...strongestOf(own, OWN)]);
  const { byWeights, baseline, liftOf } = found;
  return strongestOf([...drawn], drawn.size).flatMap((cell) => {
    const { earlier, later, strength } = cell;
    const [from, to, site] = [boxOf(earlier), boxOf(later), sites.get(later.site)];
    if (!from || !to || !site) return [];
    const asked = { ...cell, through: arcs, lift: liftOf(later) };
    return [
      {
        from,
        to,
        site,
        head: later.head,
        strength,
        isOwn: isSelected(earlier) || isSelected(later),
        name: linkName(asked, byWeights),
        told: composedSentence(asked, byWeights ? baseline : null),
      },
    ];
  });
}
