// Writes what tsc and editors read of tables that the page shares with the server; `make lint` runs it, and nobody keeps what it writes:
//
//     static/js/facts/*.d.json.ts    the very words of each table, where TypeScript alone would see any string
//     static/js/wire.d.ts            what requests and answers hold, from the server's description of its API on standard input

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const SCRIPTS = new URL("../static/js/", import.meta.url);
const FACTS = new URL("facts/", SCRIPTS);
const NUMBER = "a number";

// JSON is a type as it stands, but for numbers, which are any
for (const name of readdirSync(FACTS).filter((each) => each.endsWith(".json"))) {
  const table = JSON.parse(readFileSync(new URL(name, FACTS), "utf8"), (_, value) =>
    typeof value === "number" ? NUMBER : value,
  );
  const typed = JSON.stringify(table, null, 2).replaceAll(`"${NUMBER}"`, "number");
  const file = new URL(name.replace(/json$/, "d.json.ts"), FACTS);
  writeFileSync(file, `declare const table: ${typed};\nexport default table;\n`);
}

/** Without titles, of which each field would become a type. @param {any} schema @returns {any} */
function untitled(schema) {
  if (Array.isArray(schema)) return schema.map(untitled);
  if (typeof schema !== "object" || schema === null) return schema;
  const { title, properties, ...rest } = schema;
  const parts = Object.entries(rest).map(([key, value]) => [key, untitled(value)]);
  return { ...Object.fromEntries(parts), ...(properties && { properties: each(properties) }) };
}

/** @param {Record<string, any>} schemas */
const each = (schemas) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, untitled(schema)]));

const described = readFileSync(0, "utf8").replaceAll("#/components/schemas/", "#/definitions/");
const definitions = each(JSON.parse(described).components.schemas);
const options = { additionalProperties: false, bannerComment: "", format: false };
writeFileSync(
  new URL("wire.d.ts", SCRIPTS),
  await compile({ definitions }, "Wire", { ...options, unreachableDefinitions: true }),
);
