// Every module lies in a room with one purpose, and imports point one way: from the page down to the state.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import test from "node:test";

const JS = join(import.meta.dirname, "../../static/js");
// each imports only itself and those before it
const ROOMS = [
  "language",
  "files",
  "engine",
  "own",
  "standalone",
  "sources",
  "state",
  "words",
  "numbers",
  "draw",
  "api",
  "asking",
  "dom",
  "edit",
  "views",
  "panels",
  "page",
  "learn",
  "train", // training by hand: a page of its own
  "study", // studies of many sentences: another
  "live", // a class: loaded only where one is on
];
const MAX_FILES = 18;

const files = readdirSync(JS, { recursive: true })
  .map(String)
  .filter((path) => path.endsWith(".js") && path.includes("/"));
const roomOf = (path) => path.split("/")[0];

function imports(path) {
  const found = readFileSync(join(JS, path), "utf8").matchAll(
    /^(?:import|export)\b[^;]*?"(\.[^"]+)"/gms,
  );
  return [...found].map(([, to]) => relative(JS, join(JS, dirname(path), to)));
}

test("every module lies in a room", () => {
  assert.deepEqual([...new Set(files.map(roomOf))].sort(), [...ROOMS].sort());
});

test("imports point one way", () => {
  const wrong = files.flatMap((path) =>
    imports(path)
      .filter((to) => ROOMS.indexOf(roomOf(to)) > ROOMS.indexOf(roomOf(path)))
      .map((to) => `${path} imports ${to}`),
  );
  assert.deepEqual(wrong, []);
});

test("a view imports no other view", () => {
  const viewOf = (path) => dirname(path).split("/").slice(0, 2).join("/"); // "views/lines"
  const wrong = files
    .filter((path) => path.startsWith("views/") && viewOf(path) !== "views")
    .flatMap((path) =>
      imports(path)
        .filter((to) => to.startsWith("views/") && viewOf(to) !== viewOf(path))
        .map((to) => `${path} imports ${to}`),
    );
  assert.deepEqual(wrong, []);
});

test("only a page finds elements in the document; everything else is given its own", () => {
  const inDocument = /\bdocument\.(?:querySelector|getElement)\w*|\bneed\([^()]*, HTML\w+\)/g;
  const wrong = files
    .filter((path) => !["page", "learn", "live", "train", "study"].includes(roomOf(path)))
    .flatMap((path) =>
      [...readFileSync(join(JS, path), "utf8").matchAll(inDocument)].map(
        ([code]) => `${path}: ${code}`,
      ),
    );
  assert.deepEqual(wrong, []);
});

test("no room is crowded", () => {
  const rooms = [...new Set(files.map((path) => dirname(path)))];
  const crowded = rooms.filter(
    (room) => files.filter((path) => dirname(path) === room).length > MAX_FILES,
  );
  assert.deepEqual(crowded, []);
});
