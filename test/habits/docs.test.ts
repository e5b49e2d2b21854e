import { describe, expect, test } from "vitest";
import { isObject } from "../../src/base/shape.ts";
import { parseScenario, runStudy } from "../../src/hosts/sim/index.ts";
import * as library from "../../src/index.ts";
import * as job from "../../src/job/index.ts";
import { fault } from "../../src/model/fault-shape.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { SEAT_FIELDS } from "../../src/policy/seat-fields.ts";
import { read } from "./support/reproduction-data.ts";

test("docs/faults.md has a row for each kind of fault, and no other", () => {
  // The shape must have an entry for each kind to compile.
  const kinds = fault.expected.replace(/^.* of kind /, "").split(", ");
  const [, section = ""] = read("docs/faults.md").split("\n## The kinds\n");
  const table = section.slice(0, section.indexOf("\n## "));
  const rows = [...table.matchAll(/^\| `([a-z-]+)`/gm)].map(([, kind]) => kind);
  expect(rows.toSorted()).toEqual(kinds.toSorted());
});

/** Parts of folds and tools that users write; their docstrings describe them. */
const PARTS: readonly string[] = [
  ...["addExactly", "mergeExactly", "roundExactly"],
  ...["compareKeys", "decodeKey", "encodeKey", "hashKey", "isFlow", "isJob"],
];

test("docs/jobs.md names each format, fold and operator that a job file can import", () => {
  const words = new Set(read("docs/jobs.md").match(/\w+/g));
  const unnamed = Object.keys(job).filter((name) => !words.has(name));
  expect(unnamed.toSorted()).toEqual(PARTS.toSorted());
});

test("docs/library.md names each function that a program can import, and each error", () => {
  const words = new Set(read("docs/library.md").match(/\w+/g));
  const own = Object.keys(library).filter((name) => !Object.hasOwn(job, name));
  expect(own.length).toBeGreaterThan(6);
  expect(own.filter((name) => !words.has(name) && name !== "RUN_DEFAULTS")).toEqual([]);
});

test("docs/policies.md shows the example that is run", () => {
  const example = read("examples/your-own-policy.ts");
  expect(read("docs/policies.md")).toContain(`\`\`\`ts\n${example}\`\`\``);
});

test("docs/policies.md names each hook of each seat", () => {
  const words = new Set(read("docs/policies.md").match(/\w+/g));
  const hooks = Object.values(SEAT_FIELDS).flatMap((fields) => Object.keys(fields));
  expect(hooks.filter((hook) => !words.has(hook))).toEqual([]);
});

describe("docs/scenarios.md", () => {
  const text = read("docs/scenarios.md");

  test("shows a scenario that runs, with the table that it prints", () => {
    const [, json = ""] = /```json\n([^`]*)```/.exec(text) ?? [];
    const scenario = parseScenario(JSON.parse(json), "docs/scenarios.md");
    const resolve = (discipline: string) => parseDiscipline(discipline);
    for (const { label, responseMs } of runStudy(scenario, { resolve })) {
      const seconds = (responseMs.mean / 1_000).toFixed(1);
      expect(text).toMatch(new RegExp(`^${label} +${seconds} `, "m"));
    }
  });

  test("names each key that a scenario may have", () => {
    const words = new Set(text.match(/\$?\w+/g));
    const keys = new Set<string>();
    const collect = (schema: unknown): void => {
      if (!isObject(schema)) return;
      const properties: unknown = Reflect.get(schema, "properties");
      if (isObject(properties)) for (const key of Object.keys(properties)) keys.add(key);
      for (const inner of Object.values(schema)) [inner].flat().forEach(collect);
    };
    const { properties, $defs } = JSON.parse(read("scenario.schema.json"));
    const { faults: _, ...parts } = properties;
    collect({ properties: parts, $defs });
    expect([...keys].filter((key) => !words.has(key)).sort()).toEqual([]);
  });
});
