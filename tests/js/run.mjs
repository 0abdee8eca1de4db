// Runs test files, many in one process: with a process for each, as `node --test` has it, they take twice as long. Each file is a
// suite of its own, and what it does to the globals is undone at its end.
//   node tests/js/run.mjs FILE...

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { describe, mock } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const HERE = "--here";
const DOM = "./dom/dom.mjs";

const needsDocument = (/** @type {string} */ file) =>
  readFileSync(file, "utf8").includes('"./dom.mjs"');

/** Give each core its share. Those that need a document stay apart: the others would take themselves to be in a browser. */
async function share(/** @type {string[]} */ files) {
  const n = Math.max(2, availableParallelism());
  const others = files.filter((file) => !needsDocument(file));
  const shares = Array.from({ length: n }, (_, i) => others.filter((_, j) => j % n === i));
  const codes = [files.filter(needsDocument), ...shares].map(
    (share) =>
      new Promise((resolve) => {
        if (!share.length) return resolve(0);
        const self = fileURLToPath(import.meta.url);
        const options = /** @type {const} */ ({ stdio: "inherit" });
        const child = spawn(
          process.execPath,
          ["--test-reporter=dot", self, HERE, ...share],
          options,
        );
        child.on("close", (code) => resolve(code ?? 1));
      }),
  );
  process.exitCode = Math.max(...(await Promise.all(codes)));
}

const globals = () => Object.getOwnPropertyDescriptors(globalThis);

/** @param {Record<string, PropertyDescriptor>} before */
function restore(before) {
  mock.reset();
  for (const [name, { value, get }] of Object.entries(globals())) {
    const was = before[name];
    if (!was) delete globalThis[name];
    else if (was.value !== value || was.get !== get) Object.defineProperty(globalThis, name, was);
  }
}

async function run(/** @type {string[]} */ files) {
  const dom = files.some(needsDocument) ? await import(DOM) : null;
  const before = globals();
  for (const file of files) {
    await describe(file, async () => {
      await import(pathToFileURL(file).href);
    });
    restore(before);
    dom?.forget();
  }
}

const [first, ...rest] = process.argv.slice(2);
if (first === HERE) await run(rest);
else await share([first, ...rest].filter(Boolean));
