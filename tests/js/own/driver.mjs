// Opens one file as the page does, with every guess, and prints what the page would draw: for the tests of docs/own-tensors.md.
// Run: node tests/js/own/driver.mjs FILE

import { readFileSync } from "node:fs";
import { recordedSource } from "../../../static/js/engine/sources/recorded.js";
import { derive } from "../../../static/js/engine/trace/site.js";
import { nested, opened } from "./opening.mjs";

const { recording, remarks, opened: what } = await opened(readFileSync(process.argv[2]));
const { sites, tokens } = recordedSource("mine", recording).trace(recording.inputs);
const patterns = sites.map((site) => nested(derive(site, ["pattern"]).get("pattern")));
const { causal = null } = what.settings ?? {};
console.log(
  JSON.stringify({
    remarks,
    causal,
    patterns,
    texts: recording.inputs.texts,
    sites: sites.map(({ name, n_kv_heads, scale }) => ({ name, n_kv_heads, scale })),
    tokens: tokens.map((row) => row.map(({ text }) => text)),
  }),
);
