// A lesson in a learning management system (LMS): it reports what is right by the SCORM 1.2 run-time API, which the page around it offers.
// Source: ADL, SCORM 1.2 Run-Time Environment, 2001, sections 3.3 and 3.4.

/** @typedef {Record<"LMSInitialize" | "LMSGetValue" | "LMSSetValue" | "LMSCommit" | "LMSFinish", (...given: string[]) => string>} Api */
/** @typedef {{API?: Api, parent?: Around, opener?: Around | null}} Around a window, as far as the API is looked for in it */

const DEEPEST = 10; // windows around a lesson

/** The API of an LMS, in the windows around this one, then in those around the one that opened it. @param {Around} window @returns {Api | null} */
export function apiIn(window) {
  for (const start of [window, window.opener]) {
    let here = start;
    for (let depth = 0; here && depth < DEEPEST; depth++) {
      const found = apiOf(here);
      if (found) return found;
      if (here.parent === here) break;
      here = here.parent;
    }
  }
  return null;
}

/** @param {Around} window */
function apiOf(window) {
  try {
    return window.API ?? null;
  } catch {
    return null; // a page of another origin
  }
}

/** Hours, minutes and seconds, as SCORM writes them. @param {number} ms */
export function timespan(ms) {
  const seconds = Math.floor(ms / 1000);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

/**
 * Begin to report; null outside an LMS.
 * @param {Around} window
 * @param {string[]} tasks the questions that count
 * @param {() => number} now in milliseconds
 */
export function reporting(window, tasks, now = Date.now) {
  const api = apiIn(window);
  if (api?.LMSInitialize("") !== "true") return null;
  const began = now();
  let isOver = false;
  // what was right before: as the LMS has it, since this browser may be somebody else's, too
  const done = new Set(api.LMSGetValue("cmi.suspend_data").split(" ").filter(Boolean));
  const report = () => {
    const n = tasks.filter((task) => done.has(task)).length;
    api.LMSSetValue("cmi.core.score.min", "0");
    api.LMSSetValue("cmi.core.score.max", "100");
    api.LMSSetValue("cmi.core.score.raw", String(Math.round((100 * n) / tasks.length)));
    api.LMSSetValue("cmi.core.lesson_status", n === tasks.length ? "completed" : "incomplete");
    api.LMSSetValue("cmi.suspend_data", [...done].join(" "));
    api.LMSCommit("");
  };
  report();
  return {
    /** Something is right now. @param {string} task */
    right: (task) => {
      done.add(task);
      report();
    },
    finish: () => {
      if (isOver) return;
      isOver = true;
      api.LMSSetValue("cmi.core.session_time", timespan(now() - began));
      api.LMSFinish("");
    },
  };
}
