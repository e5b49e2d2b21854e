import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parseScenario } from "../../src/hosts/sim/parse-scenario.ts";
import { SCHEMA_FILE, scenarioSchema } from "../../tools/scenario-schema.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, ROOT), "utf8"));

test("scenario.schema.json equals the parser's schema", () => {
  const schema = scenarioSchema();
  if (process.env.GOLDEN_REWRITE) writeFileSync(SCHEMA_FILE, schema);
  const cure = "GOLDEN_REWRITE=1 npx vitest run test/habits/scenario-schema.test.ts writes it";
  expect(readFileSync(SCHEMA_FILE, "utf8"), cure).toBe(schema);
});

const accepts = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(
  JSON.parse(scenarioSchema()),
);
const faultsIn = (json: unknown) =>
  accepts(json) ? [] : accepts.errors?.map((one) => `${one.instancePath} ${one.message}`);

const shipped = readdirSync(fileURLToPath(new URL("scenarios", ROOT)))
  .filter((name) => name.endsWith(".json"))
  .map((name) => `scenarios/${name}`);

describe("the schema, in an independent validator, accepts the shipped scenario:", () => {
  test.each(shipped)("%s", (path) => {
    const json = read(path);
    expect(faultsIn(json)).toEqual([]);
    expect(json).toHaveProperty("$schema", "../scenario.schema.json");
    expect(parseScenario(json, path)).not.toHaveProperty("$schema");
  });

  test("there are shipped scenarios", () => expect(shipped.length).toBeGreaterThan(3));
});

/** A scenario with one of everything, with one change. */
function changed(path: readonly (string | number)[], value: unknown): unknown {
  const json = {
    name: "test",
    cluster: {
      nodes: [{ name: "n", count: 3, slots: { map: 1, reduce: 1 }, host: "h" }],
      hosts: { h: { cores: 2, disk: [{ streams: 1, bytesPerMs: 5 }], upBytesPerMs: 9 } },
    },
    jobs: [
      {
        name: "j",
        arrival: { gapMs: { kind: "exponential", mean: 5 } },
        phases: [
          { name: "m", slots: ["map"], tasks: 2, work: { kind: "map", inputBytes: 5 } },
          {
            name: "r",
            slots: ["reduce"],
            tasks: 1,
            after: [{ phase: "m", start: { fraction: 0.5 } }],
            work: { kind: "reduce", fetch: { retryMs: 5 } },
          },
        ],
      },
      {
        name: "f",
        phases: [{ name: "m", slots: ["map"], tasks: 1, work: { kind: "fixed", durationMs: 5 } }],
      },
    ],
    faults: [{ kind: "slow", at: 5, node: "n-*", factor: { kind: "uniform", from: 1, to: 2 } }],
    study: {
      disciplines: [
        { discipline: "late", set: { "speculation.speculativeCap": 0.2 } },
        { discipline: "none", published: { responseMs: 5 }, oracle: "ideal-reduce" },
      ],
    },
  };
  let inner: object = json;
  for (const key of path.slice(0, -1)) inner = Reflect.get(inner, key);
  const last = path.at(-1);
  if (last !== undefined) Reflect.set(inner, last, value);
  return json;
}

const isParsed = (json: unknown): boolean => {
  try {
    parseScenario(json, "test");
    return true;
  } catch {
    return false;
  }
};

describe("the schema refuses what the parser refuses by shape:", () => {
  test("the unchanged scenario is valid", () => {
    expect(faultsIn(changed([], undefined))).toEqual([]);
    expect(isParsed(changed([], undefined))).toBe(true);
  });

  const work = ["jobs", 0, "phases", 0, "work"];
  test.each<readonly [string, readonly (string | number)[], unknown]>([
    ["an unknown key", ["cluster", "nodez"], []],
    ["no name", ["name"], undefined],
    ["an empty name", ["name"], ""],
    ["no nodes", ["cluster", "nodes"], []],
    ["half a node", ["cluster", "nodes", 0, "count"], 1.5],
    ["slots that are no number", ["cluster", "nodes", 0, "slots", "map"], "2"],
    ["a disk without a rate", ["cluster", "hosts", "h", "disk"], [{ streams: 1 }]],
    ["a disk of no speed", ["cluster", "hosts", "h", "disk"], 0],
    ["negative time", ["cluster", "heartbeatMs"], -1],
    ["an unknown kind of work", [...work, "kind"], "shuffle"],
    ["a key of another kind of work", [...work, "lanes"], 5],
    ["no input", [...work, "inputBytes"], undefined],
    ["an unknown distribution", [...work, "inputBytes"], { kind: "normal", mean: 5 }],
    ["a distribution without its mean", ["jobs", 0, "arrival", "gapMs"], { kind: "exponential" }],
    ["a duration and stages", ["jobs", 1, "phases", 0, "work", "stages"], []],
    ["a fraction above 1", ["jobs", 0, "phases", 1, "after", 0, "start", "fraction"], 2],
    ["an unknown start", ["jobs", 0, "phases", 1, "after", 0, "start"], "soon"],
    ["an unknown priority", ["jobs", 0, "priority"], "urgent"],
    ["an unknown fault", ["faults", 0, "kind"], "melt"],
    ["a fault without its node", ["faults", 0, "node"], undefined],
    ["a setting that is a list", ["study", "disciplines", 0, "set", "a.b"], [1]],
    ["an unknown oracle", ["study", "disciplines", 1, "oracle"], "delphi"],
    ["no disciplines", ["study", "disciplines"], []],
    ["$schema that is no text", ["$schema"], 5],
  ])("%s", (_, path, value) => {
    const json: unknown = JSON.parse(JSON.stringify(changed(path, value)));
    expect(isParsed(json)).toBe(false);
    expect(faultsIn(json)).not.toEqual([]);
  });

  test.each<readonly [string, readonly (string | number)[], unknown]>([
    ["$schema", ["$schema"], "./scenario.schema.json"],
    ["a disk of one rate", ["cluster", "hosts", "h", "disk"], 5],
    ["a drawn input", [...work, "inputBytes"], { kind: "choice", values: [1, 2] }],
    ["a start by name", ["jobs", 0, "phases", 1, "after", 0, "start"], "pipelined"],
    ["several jobs", ["jobs", 0, "count"], 3],
  ])("%s is accepted by both", (_, path, value) => {
    expect(isParsed(changed(path, value))).toBe(true);
    expect(faultsIn(changed(path, value))).toEqual([]);
  });
});

test("every key of the schema that is a number, a time or a size is described", () => {
  const text = scenarioSchema();
  const described = text.match(/"description"/g)?.length ?? 0;
  expect(described).toBeGreaterThan(80);
});
