// Whether a participant's page shows the teacher's choice or the reader's own. Pure: the page does what it says.

import { isOnePicture } from "./depth.js";

/** @import { ClassDocument } from "../types.d.ts" */
/**
 * @typedef {object} Following
 * @property {boolean} follows the teacher shows, and the page goes along
 * @property {boolean} wanders the reader looks around while the teacher shows
 * @property {string | null} own what the reader had before, as a link holds it
 * @property {string | null} applied the teacher's choice that the page shows, or showed last
 * @property {string | null} asked the question that was there last, and its phase
 */

/** @type {Following} */
export const START = { follows: false, wanders: false, own: null, applied: null, asked: null };

/**
 * What a new document means. A pause changes nothing: the screen is dim, and what is under it stays. A new question, or its answer, brings its
 * picture to everybody, also to those who look around: a question may have asked them to.
 * @param {Following} before
 * @param {Pick<ClassDocument, "mode" | "choice" | "activity">} document
 * @param {string} shown what the page shows now, as a link holds it
 * @returns {{at: Following, show: string | null}} `show`: the choice to go to
 */
export function onDocument(before, { mode, choice, activity }, shown) {
  const { phase, question } = activity ?? {};
  const brings = { open: question?.choice, talk: null, closed: null, revealed: question?.reveals };
  const asked = activity ? `${activity.id} ${phase}` : before.asked;
  const brought = phase && asked !== before.asked && choice !== "" ? brings[phase] : null;
  const isNews = brought ? isOnePicture(brought, choice) : false;
  const at = { ...before, asked, wanders: before.wanders && !isNews };
  if (mode === "explore")
    return { at: { ...at, follows: false, wanders: false, applied: null }, show: null };
  if (mode === "pause" && !at.follows) return { at, show: null };
  const begins = !at.follows;
  const own = begins ? shown : at.own;
  const next = { ...at, follows: true, own };
  if (at.wanders || !choice || choice === at.applied) return { at: next, show: null };
  return { at: { ...next, applied: choice }, show: choice };
}

/** The reader has changed something. @param {Following} at @returns {Following} */
export const onEdit = (at) => (at.follows ? { ...at, wanders: true } : at);

/** One tap: to the teacher's choice. @param {Following} at @param {string} choice @returns {{at: Following, show: string | null}} */
export const onReturn = (at, choice) => ({
  at: { ...at, wanders: false, applied: choice },
  show: choice || null,
});

/** One tap: to what the reader had before. @param {Following} at @returns {{at: Following, show: string | null}} */
export const onOwn = (at) => ({ at: { ...at, own: null }, show: at.own });

/** Whether there is something to go back to. @param {Following} at @param {string} shown */
export const canGoBack = (at, shown) => !at.follows && at.own !== null && at.own !== shown;
