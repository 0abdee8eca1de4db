// A class as a page knows it: its document (docs/class.md), and how the page is connected.

import type { Activity, ClassDocument as Played } from "./activities/types.js";

export type Mode = "follow" | "explore" | "pause";

/** A step of a plan: it opens a state or a lesson, asks something, or is what the teacher says. */
export interface PlanStep {
  title: string;
  minutes?: number;
  notes?: string;
  state?: string;
  lesson?: string;
  /** The part of the plan that begins with it. */
  part?: string;
  /** Of the workshop's slides, by its id. */
  slide?: string;
  activity?: { kind: string; question: object };
}

/** What the desk gets besides. */
export interface DeskPart {
  results: unknown;
  answered: number;
  activities: { id: string; kind: string; phase: Activity["phase"]; title: string }[];
  questions: { places: Record<string, number>; notes: { place: string; note: string }[] } | null;
  plan: { title: string; steps: PlanStep[] } | null;
  /** Under which addresses somebody has opened the page to join, without their scheme. */
  reached: string[];
}

/** The document of a class. */
export interface ClassDocument extends Played {
  code: string;
  revision: number;
  mode: Mode;
  timer: { ends: number; minutes: number } | null;
  step: { index: number; title: string; lesson?: string; slide?: string } | null;
  /** What the projector shows besides the inspector. */
  shows: { code: boolean; slide: boolean };
  /** Whether what people put on a wall waits until the teacher shows it. */
  checks: boolean;
  /** Whether the report says who answered what. */
  named: boolean;
  /** Under which people open the server, if the teacher has said so. */
  address: string | null;
  locked: boolean;
  /** The server's clock when it sent the document, in milliseconds. */
  now: number;
  teacher: "here" | "away";
  ended: boolean;
  desk?: DeskPart;
}

/** How changes reach the page; or why they no longer do. */
export type Connection = "connecting" | "live" | "polling" | "broken" | "ended" | "out";

/** What a page of a class asks the server. */
export type ClassApi = ReturnType<typeof import("./api.js").classApi>;
