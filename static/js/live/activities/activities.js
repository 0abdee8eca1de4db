// The kinds of activities that a class can do together, one row each. The server's rows are in server/classes/activities.

import { voteResults } from "./bars.js";
import { betResults, betting } from "./bets.js";
import { asking, boardResults } from "./board.js";
import { composeBet } from "./compose/bet.js";
import { composeDetective } from "./compose/detective.js";
import { composeDrawing } from "./compose/drawing.js";
import { composeHunt } from "./compose/hunt.js";
import { composeVote } from "./compose/vote.js";
import { composeText } from "./compose/wall.js";
import { BOARD, WALL } from "./compose/words.js";
import { drawing, drawingResults, projectGrid } from "./drawing.js";
import { hunting, huntResults } from "./hunt.js";
import { isPosted } from "./posted.js";
import { chosen, projectOptions, voting } from "./vote.js";
import { posting, wallResults } from "./wall.js";
import { headOf, NAMES, percent } from "./words.js";

/** @import { Row } from "./types.d.ts" */

/** @type {Record<string, Row>} */
export const ACTIVITIES = Object.fromEntries(
  /** @type {Row[]} */ ([
    {
      kind: "vote",
      ...NAMES.vote,
      compose: composeVote,
      answer: voting,
      results: voteResults,
      project: projectOptions,
      inWords: chosen,
    },
    {
      kind: "drawing",
      ...NAMES.drawing,
      covers: true,
      compose: composeDrawing,
      answer: drawing,
      results: drawingResults,
      project: projectGrid,
    },
    {
      kind: "hunt",
      ...NAMES.hunt,
      compose: composeHunt,
      answer: hunting,
      results: huntResults,
      inWords: (_, { layer = 0, head = 0 }) => headOf({ layer, head }),
    },
    {
      kind: "detective",
      ...NAMES.detective,
      compose: composeDetective,
      answer: voting,
      results: voteResults,
      project: projectOptions,
      inWords: chosen,
    },
    {
      kind: "bets",
      ...NAMES.bets,
      compose: composeBet,
      answer: betting,
      results: betResults,
      inWords: (_, { after = 0 }) => percent(after),
    },
    {
      kind: "wall",
      ...NAMES.wall,
      live: true,
      compose: composeText(WALL),
      answer: posting,
      results: wallResults,
      posted: (results, mine) => isPosted(results?.finds ?? [], mine),
    },
    {
      kind: "board",
      ...NAMES.board,
      live: true,
      compose: composeText(BOARD),
      answer: asking,
      results: boardResults,
      posted: (results, mine) => isPosted(results?.asked ?? [], mine),
    },
  ]).map((row) => [row.kind, row]),
);
