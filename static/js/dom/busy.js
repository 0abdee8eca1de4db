// Tells screen readers that a part of the page waits for its answers.

/** @import { Slot } from "../asking/questions.js" */

/**
 * Whether a reader sees the part or not: what is not shown may not stay busy when its question is no longer asked.
 * @param {HTMLElement} root
 * @param {import("../state/store.js").Store} store
 * @param {readonly (Slot | "corpus" | "status")[]} answers `status`: those of the picture
 */
export function busyWith(root, store, answers) {
  store.watch(answers, (state) => {
    const isLoading = answers.some((name) => {
      const answer = state[name];
      return (typeof answer === "string" ? answer : answer?.status) === "loading";
    });
    root.setAttribute("aria-busy", String(isLoading));
  });
}
