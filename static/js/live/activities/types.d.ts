// The activities of a class, as the server sends them (server/classes/activities), and what a row of the table gives.

import type { Store } from "../../state/store.js";

/** Layer and head; query and key. */
export type Pair = [number, number];

/** Numbers in rows, queries down and keys across. */
export type Rows = number[][];

export interface VoteQuestion {
  text: string;
  /** A vote. */
  choices?: string[];
  /** Mask detective. */
  options?: string[];
  /** The index of the right one; sent to the teacher, and to all once it is revealed. */
  correct?: number | null;
}

export interface VoteResults {
  /** For each round, how many chose each of the choices. */
  rounds: number[][];
  /** How many answered in each round. */
  n: number[];
  correct: number | null;
}

export interface DrawingQuestion {
  text: string;
  tokens: string[];
  causal: boolean;
}

export interface DrawingResults {
  n: number;
  /** Weights: each row sums to 1. */
  average: Rows;
  truth: Rows;
  /** The average less the truth. */
  difference: Rows;
  mistake: { query: number; key: number; share: number; too: "much" | "little" } | null;
  /** The drawings that most others are like, and how many each stands for. */
  typical: { cells: Rows; n: number }[];
}

export interface HuntResults {
  n: number;
  finds: {
    person: string;
    layer: number;
    head: number;
    cell: Pair;
    effect: number;
    right: boolean;
    /** Whether the cell shows what the head does. */
    shown: boolean;
    after_s: number;
  }[];
  /** The place of the first right one. */
  first: number | null;
  /** How many right heads came with such a cell; null where these cells are not known. */
  evidence: number | null;
}

export interface BetQuestion {
  text: string;
  layer: number;
  head: number;
  token: string;
  /** The probability of the token while the head is not muted. */
  before: number;
}

export interface BetResults {
  n: number;
  /** How many bets fell into each tenth. */
  bins: number[];
  median: number | null;
  truth: number;
  /** The share of bets within five points of the truth. */
  closest: number;
}

export interface Find {
  person?: string;
  item: string;
  choice: string;
  sentence: string;
  thumb: Rows | null;
  at?: number;
  hidden?: boolean;
}

/** A question on the board. */
export interface Asked {
  id: string;
  text: string;
  /** How many want it answered. */
  ups: number;
  person?: string;
  item: string;
  hidden?: boolean;
}

export interface BoardResults {
  asked: Asked[];
}

export interface Marks {
  places: Record<string, number>;
  notes: { place: string; note: string }[];
}

/** A question of any kind: code reads only the fields of its own kind. */
export type Question = VoteQuestion &
  DrawingQuestion &
  BetQuestion & {
    /** The state that it brings, as a link holds it. */
    choice?: string | null;
    /** Why the answer is right; sent to the teacher, and to all once it is revealed. */
    why?: string | null;
    /** A vote of a study: its occasion. Such a vote is never revealed. */
    study?: string | null;
    /** A hunt: all heads that are right; sent as `why` is. */
    truth?: number[][];
    /** The state that shows the answer; sent as `why` is. */
    reveals?: string | null;
  };

/** An answer of any kind. */
export interface Answer {
  /** A vote: the place of the choice. */
  choice?: number | string;
  cells?: Rows;
  after?: number;
  sentence?: string;
  layer?: number;
  head?: number;
  /** A question on the board, or the id of one that is voted for. */
  text?: string | null;
  up?: string | null;
}

export interface Activity {
  id: string;
  kind: string;
  phase: "open" | "talk" | "closed" | "revealed";
  round: number;
  question: Question;
  /** Null until they are public; each kind has its own. */
  results: unknown;
}

/** The part of a class's document that activities need. */
export interface ClassDocument {
  role: "teacher" | "participant";
  choice: string;
  frozen: boolean;
  /** Whether what people put on a wall waits until the teacher shows it. */
  checks?: boolean;
  activity: Activity | null;
  people: number;
  /** The teacher's alone. */
  desk?: { answered: number };
  /** One's own answers, by activity, round and item. */
  mine?: Record<string, Record<string, Own>>;
}

/** One's own answers to this round, by item. */
export type Own = Record<string, Answer>;

/** Sends an answer, or takes it back (null). False: it did not arrive, and the reader knows why. */
export type Send = (item: string, answer: object | null) => Promise<boolean>;

/** What an activity can use of the page that it stands in. */
export interface Surroundings {
  /** The inspector's; null on a page without one. */
  store: Store | null;
  /** Says something in the panel's status line. */
  say: (words: string) => void;
}

/** Called with one's own answers, and whether they can be changed. */
export type ShowAnswers = (own: Own, open: boolean) => void;

/** What can be done with results, by a teacher or by a participant. */
export interface Actions {
  /** Votes for a question on the board, or takes the vote back (null). */
  vote?: Send;
  /** One's own answers. */
  own?: Own;
  /** Opens a state for the whole class. */
  open?: (choice: string) => void;
  /** Hides a find, or shows it again. */
  hide?: (person: string, item: string, hidden: boolean) => void;
}

/** What the desk's form for a new question asks the server. */
export interface DeskApi {
  ready?: () => Promise<{ kind: string; title: string; question: object }[]>;
}

export interface Composer {
  /** Throws an Error with words for the teacher. */
  question: () => Promise<object> | object;
}

/** A kind of activity. */
export interface Row {
  kind: string;
  name: string;
  about: string;
  /** Whether the panel covers the picture while it is open, because the picture is the answer. */
  covers?: boolean;
  /** Whether its results are public while it is open. */
  live?: boolean;
  /** Whether all can see what one has written, of a live one. */
  posted?: (results: { finds?: Find[]; asked?: Asked[] } | null | undefined, mine: Own) => boolean;
  /** What the projector shows of it while the class answers, besides the question. */
  project?: (root: HTMLElement, activity: Activity) => void;
  /** One's own answer in words, beside the results. */
  inWords?: (activity: Activity, answer: Answer) => string;
  compose: (root: HTMLElement, doc: ClassDocument, api: DeskApi) => Composer;
  answer: (
    root: HTMLElement,
    activity: Activity,
    mine: Own,
    send: Send,
    page: Surroundings,
  ) => ShowAnswers;
  results(root: HTMLElement, activity: Activity, results: unknown, actions?: Actions): void;
}
