import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkFault } from "../hosts/engine/master/check-fault.ts";
import { readFaults } from "./fault-file.ts";

const CHAOS = fileURLToPath(new URL("../../scenarios/chaos/", import.meta.url));
const GROUND = { nodes: ["n1", "n2"], racks: ["rack-1"], hasLimitedLinks: false };

const readForEngine = (path: string) =>
  readFaults(path, (fault, place) => checkFault(fault, GROUND, (expected) => place.fail(expected)));

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "broomwagon-faults-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function written(text: string): string {
  const path = join(directory, "faults.json");
  writeFileSync(path, text);
  return path;
}

test.each(readdirSync(CHAOS))("the engine can play %s", (name) => {
  expect(readForEngine(join(CHAOS, name)).length).toBeGreaterThan(0);
});

test("a scenario gives its faults", () => {
  const fault = { kind: "pause", at: 5, node: "n1", forMs: 10 };
  const path = written(JSON.stringify({ name: "any", faults: [fault] }));
  expect(readForEngine(path)).toEqual([fault]);
});

test.each([
  ["[]x", "expected JSON"],
  ['{"name": "no faults"}', "expected a list of faults, or a scenario with one"],
  ['[\n{"kind":"kill","at":0,"node":"n9"}]', "faults.json:2: [0] (kill): expected a node from n1"],
  ['[\n\n{"kind":"load","at":0,"node":"n1","writers":1}]', "faults.json:3: [0] (load): only the"],
])("%j is refused with its line", (text, says) => {
  expect(() => readForEngine(written(text))).toThrow(says);
});
