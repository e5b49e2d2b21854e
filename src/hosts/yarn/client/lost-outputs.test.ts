import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readLostOutputs } from "./lost-outputs.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "broomwagon-lost-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test("the outputs that a real run lost with a node are found", async () => {
  const url = new URL("../../../../test/replay/yarn/late-outputs-lost.ndjson", import.meta.url);
  expect(await readLostOutputs(fileURLToPath(url))).toEqual([
    { at: 1_795_323_199_235, attempt: "m_000001_0" },
    { at: 1_795_323_199_240, attempt: "m_000003_0" },
  ]);
});

test("a journal that is cut off or missing gives what it has", async () => {
  const journal = join(directory, "journal.ndjson");
  expect(await readLostOutputs(journal)).toEqual([]);
  const line = { type: "output-lost", at: 7, attempt: "m_000000_0", task: "m_000000" };
  const whole = JSON.stringify({ host: { kind: "from-am", line } });
  writeFileSync(journal, `{"journal":"broomwagon"}\n${whole}\n${whole.slice(0, -4)}`);
  expect(await readLostOutputs(journal)).toEqual([{ at: 7, attempt: "m_000000_0" }]);
});
