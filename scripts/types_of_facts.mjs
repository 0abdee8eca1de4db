// Writes the type of each table in static/js/facts, for tsc and editors: its very words, where TypeScript alone would see any string. JSON is a
// type as it stands, but for numbers, which are any. `make lint` runs it; nobody keeps what it writes.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const FOLDER = new URL("../static/js/facts/", import.meta.url);
const NUMBER = "a number";

for (const name of readdirSync(FOLDER).filter((each) => each.endsWith(".json"))) {
  const table = JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"), (_, value) =>
    typeof value === "number" ? NUMBER : value,
  );
  const typed = JSON.stringify(table, null, 2).replaceAll(`"${NUMBER}"`, "number");
  const file = new URL(name.replace(/json$/, "d.json.ts"), FOLDER);
  writeFileSync(file, `declare const table: ${typed};\nexport default table;\n`);
}
