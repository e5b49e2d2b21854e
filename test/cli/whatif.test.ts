import { expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

const SPARK = "fixtures/spark/two-workers.ndjson";

async function whatif(...args: readonly string[]) {
  const shell = paperShell();
  const code = await runProgram(["whatif", ...args], shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

test("whatif says first how well the record is reproduced, then one row per policy", async () => {
  const { code, out } = await whatif(SPARK, "--try", "none,spark-4", "--seeds", "3");
  expect(code).toBe(0);
  expect(out).toMatch(/^The recorded job, simulated under its own policy \(spark-4\), takes \d+ s/);
  expect(out).toContain("within 5 %");
  expect(out).toMatch(/^none +/m);
  expect(out).toMatch(/^spark-4 +no sure difference +no sure difference +0\.0 %/m);
});

test("whatif -o json has gate, baseline and rows", async () => {
  const { out } = await whatif(
    SPARK,
    "--try",
    "none",
    "--seeds",
    "2",
    "--rho",
    "0.5",
    "-o",
    "json",
  );
  expect(JSON.parse(out)).toMatchObject({
    schema: "broomwagon/whatif@1",
    baseline: "spark-4",
    seeds: 2,
    gate: { verdict: "good" },
    rows: [{ policy: "none", byAttempt: { rho: 0.5 } }],
  });
});

test("an unknown policy or a bad share is refused before anything runs", async () => {
  expect((await whatif(SPARK, "--try", "lat")).code).toBe(2);
  expect((await whatif(SPARK, "--rho", "2")).code).toBe(2);
});
