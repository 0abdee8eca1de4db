// Answers a list of requests from one recorded run, as a page that is a file does: for tests/api/test_recorded.py.
// Run: node tests/js/own/recorded-driver.mjs FILE MODEL < requests.json

import { readFileSync } from "node:fs";
import { createEngine } from "../../../static/js/engine/engine.js";
import { HeadlightError } from "../../../static/js/engine/errors.js";
import { recordedFile, recordedSource } from "../../../static/js/engine/sources/recorded.js";

const { buffer } = new Uint8Array(readFileSync(process.argv[2]));
const engine = createEngine({ sources: [recordedSource(process.argv[3], recordedFile(buffer))] });

/** @param {object} request */
function answered(request) {
  try {
    return { answer: engine.stream(request) };
  } catch (error) {
    if (!(error instanceof HeadlightError)) throw error;
    const { code, field, status, message } = error;
    return { error: { code, field, status, message } };
  }
}

const requests = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify({ models: engine.models(), answers: requests.map(answered) }));
