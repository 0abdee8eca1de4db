// The kinds of activities that a class can do together, one row each. The server's rows are in server/classes/activities.

import { voteResults } from "./bars.js";
import { betResults, betting } from "./bets.js";
import { composeBet } from "./compose/bet.js";
import { composeDetective } from "./compose/detective.js";
import { composeDrawing } from "./compose/drawing.js";
import { composeHunt } from "./compose/hunt.js";
import { composeVote } from "./compose/vote.js";
import { composeWall } from "./compose/wall.js";
import { drawing, drawingResults } from "./drawing.js";
import { hunting, huntResults } from "./hunt.js";
import { voting } from "./vote.js";
import { posting, wallResults } from "./wall.js";
import { NAMES } from "./words.js";

/** @typedef {import("./types.d.ts").Row} Row */

/** @type {Record<string, Row>} */
export const ACTIVITIES = Object.fromEntries(
  /** @type {Row[]} */ ([
    {
      ...{ kind: "vote", ...NAMES.vote },
      ...{ compose: composeVote, answer: voting, results: voteResults },
    },
    {
      ...{ kind: "drawing", ...NAMES.drawing, covers: true },
      ...{ compose: composeDrawing, answer: drawing, results: drawingResults },
    },
    {
      ...{ kind: "hunt", ...NAMES.hunt },
      ...{ compose: composeHunt, answer: hunting, results: huntResults },
    },
    {
      ...{ kind: "detective", ...NAMES.detective },
      ...{ compose: composeDetective, answer: voting, results: voteResults },
    },
    {
      ...{ kind: "bets", ...NAMES.bets },
      ...{ compose: composeBet, answer: betting, results: betResults },
    },
    {
      ...{ kind: "wall", ...NAMES.wall, live: true },
      ...{ compose: composeWall, answer: posting, results: wallResults },
    },
  ]).map((row) => [row.kind, row]),
);
