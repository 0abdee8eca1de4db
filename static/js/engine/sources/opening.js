// Opens a source from data that can travel to a worker. Mirrors model/sources/opening.py.

import { readWeights } from "../core/checkpoint.js";
import { CheckpointError } from "../errors.js";
import { nativeSource } from "./native.js";
import { recordedFile, recordedSource } from "./recorded.js";
import { scratchSource } from "./scratch.js";

/** @import { Source } from "../types.d.ts" */

/**
 * The bytes of the files of our own transformer.
 * @typedef {{type: "native", name: string, config: ArrayBuffer, tokenizer: ArrayBuffer, weights: ArrayBuffer}} NativeData
 */
/** The file of one recorded trace. @typedef {{type: "recorded", name: string, recorded: ArrayBuffer}} RecordedData */
/** The native files, the mechanisms, or a recording. @typedef {NativeData | {type: "scratch"} | RecordedData} SourceData */

/** @param {SourceData} data @returns {Source} @throws {CheckpointError} a file is corrupt or of another kind */
export function opened(data) {
  switch (data.type) {
    case "native":
      return nativeSource(data.name, {
        config: parsed("config.json", data.config),
        tokenizer: parsed("tokenizer.json", data.tokenizer),
        weights: readWeights(data.weights),
      });
    case "scratch":
      return scratchSource();
    case "recorded":
      return recordedSource(data.name, recordedFile(data.recorded));
  }
}

/** @param {string} name @param {ArrayBuffer} bytes */
function parsed(name, bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new CheckpointError(`${name} is not JSON. Fetch it again.`);
  }
}
