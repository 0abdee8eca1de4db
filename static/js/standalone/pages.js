// Where the pages are. A server has them at fixed paths; an exported course is a folder, and `<html data-root>` leads from each of its pages
// to the top of it. server/pages/export/course.py names the files.

import { isFile } from "./bar.js";

const root = globalThis.document?.documentElement.dataset.root; // no document: a test of modules that only import this

/** Whether this page belongs to an exported course. */
export const isInCourse = root !== undefined;

/** The inspector. @param {string} query of what it shows, with its "?" */
export const inspectorUrl = (query) =>
  root === undefined ? `/${query}` : `${root}inspector.html#${query.slice(1)}`;

/** What the documentation says of an error; null where there is no server with it. @param {string} code */
export const errorUrl = (code) => (isFile || isInCourse ? null : `/help/errors#${code}`);

/** The study of a pair among others; null where no server asks about them. @param {{model: string, reads: string | null, clean: string, corrupted: string}} pair */
export const studyUrl = ({ model, reads, ...pair }) =>
  isFile || isInCourse
    ? null
    : `/study?${new URLSearchParams({ model, pairs: `${JSON.stringify(pair)}\n`, ...(reads ? { reads } : {}) })}`;

/** The list of the lessons. */
export const courseUrl = () => (root === undefined ? "/learn" : `${root}index.html`);

/** @param {string} slug of a lesson */
export const lessonUrl = (slug) =>
  root === undefined ? `/learn/${slug}` : `${root}lessons/${slug}.html`;
