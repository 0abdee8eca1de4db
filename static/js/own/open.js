// Opens a reader's own file: what it holds, and, once the reader has confirmed or corrected that, the recording that it makes.

import { FileError } from "../files/errors.js";
import { build } from "./build.js";
import { contentsOf } from "./formats/contents.js";
import { graphOf, isGraph } from "./graph.js";
import { guess } from "./guess.js";
import { buildSaved, savedTrace } from "./saved.js";

/** @import { TraceJson } from "../types.d.ts" */
/** @import { Recording } from "../engine/sources/recorded.js" */
/** @import { Found, Settings } from "./guess.js" */

/**
 * What the reader is shown: arrays and a guess to confirm; or a saved file, which leaves nothing to ask; or an attribution graph.
 * @typedef {{saved: null, found: Found, settings: Settings} | {saved: {model: string, format: string}, found: null, settings: null} | {saved: null, found: null, settings: null, graph: import("./graph.js").Graph}} Opened
 */

/**
 * @param {Blob} file
 * @returns {Promise<{opened: Opened, recording: (name: string, settings: Settings | null) => {recording: Recording, remarks: string[]}}>}
 * @throws {import("../files/errors.js").FileError} with what is wrong, and what to do
 */
export async function openFile(file) {
  const contents = await contentsOf(file);
  const trace = savedTrace(contents);
  if (trace) {
    const saved = { model: String(trace.model), format: contents.format };
    return {
      opened: { saved, found: null, settings: null },
      recording: (name) => buildSaved(name, contents, trace),
    };
  }
  if (isGraph(contents.facts)) {
    const graph = graphOf(contents.facts);
    return {
      opened: { saved: null, found: null, settings: null, graph },
      recording: () => {
        throw new FileError("A graph has no attention to draw.");
      },
    };
  }
  const guessed = guess(contents);
  return {
    opened: { saved: null, ...guessed },
    recording: (name, settings) =>
      build(name, contents, guessed.found, settings ?? guessed.settings),
  };
}
