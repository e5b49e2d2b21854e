import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { writeMonth } from "./support/month.ts";
import { paperShell } from "./support/screen.ts";

const [A, B] = ["fixtures/hadoop/json.jhist", "fixtures/hadoop/binary.jhist"];

async function broomwagon(...args: readonly string[]) {
  const shell = paperShell();
  const code = await runProgram(args, shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

test("compare: the causes' changes sum to the change of the response", async () => {
  const { code, out } = await broomwagon("compare", A, B, "-o", "json");
  expect(code).toBe(0);
  const document: {
    schema: string;
    changeMs: number;
    causes: { changeMs: number }[];
    phases: { changeMs: number }[];
    tasks: { matched: number; most: { task: string; changeMs: number }[] };
  } = JSON.parse(out);
  expect(document.schema).toBe("broomwagon/compare@2");
  const sum = document.causes.reduce((total, { changeMs }) => total + changeMs, 0);
  expect(sum).toBeCloseTo(document.changeMs, 3);
  const byPhase = document.phases.reduce((total, { changeMs }) => total + changeMs, 0);
  expect(byPhase).toBeCloseTo(document.changeMs, 3);
  expect(document.tasks.matched).toBe(11);
});

test("compare: a setting has its unit, and no row is all zeros", async () => {
  const pair = ["none", "late"].map((name) => `fixtures/pairs/engine/${name}.ndjson.gz`);
  const { out } = await broomwagon("compare", ...pair);
  expect(out.replaceAll("\n", " ")).toContain("speculation.runtimeMsMin: not set -> 1.0 s");
  expect(out).toContain("discipline: none -> late");
  expect(out).toMatch(/^map +8\.2 +4\.8 +-3\.4$/m);
  expect(out).not.toMatch(/ 0 +0 +0$/m);
});

test("compare: the first line is the answer; a run beside itself has no change", async () => {
  const { out } = await broomwagon("compare", A, B);
  expect(out).toMatch(/^B took 91\.1 s, 21\.1 s less than A \(112 s\): usual work -26\.5 s\./);
  expect(out).toMatch(/^usual work .* -26\.5$/m);
  const same = await broomwagon("compare", A, A);
  expect(same.out).toMatch(/^B took 112 s, 0 s more than A \(112 s\)\./);
  expect(same.out).toContain("11 of 11 tasks matched; median change 0.0 %");
});

test.each([["--stage", "0"], ["--job", "1"], []])(
  "compare: a part of two runs takes as long as why says: %s %s",
  async (...part) => {
    const runs = ["clean", "slow-host"].map((name) => `fixtures/injected/${name}.ndjson.gz`);
    const { a, b, changeMs, causes } = JSON.parse(
      (await broomwagon("compare", ...runs, ...part, "-o", "json")).out,
    );
    for (const [n, { responseMs }] of [a, b].entries()) {
      const why = await broomwagon("why", runs[n] ?? "", ...part, "--no-intervals", "-o", "json");
      expect(JSON.parse(why.out).responseMs).toBe(responseMs);
    }
    expect(b.responseMs - a.responseMs).toBe(changeMs);
    const node = causes.find(({ cause }: { cause: string }) => cause === "node");
    const { out } = await broomwagon("compare", ...runs, ...part);
    const named = `slow node +${(node.changeMs / 1_000).toFixed(1)} s (127.0.1.13)`;
    expect(out.split("\n\n")[0]?.replaceAll("\n", " ")).toContain(named);
  },
);

test("compare: a part that a run lacks is refused by its name", async () => {
  const runs = ["clean", "slow-host"].map((name) => `fixtures/injected/${name}.ndjson.gz`);
  const { code, err } = await broomwagon("compare", ...runs, "--stage", "99");
  expect(code).not.toBe(0);
  expect(err).toContain("--stage 99: fixtures/injected/slow-host.ndjson.gz");
});

test("compare: a run among ten good ones names what was done to it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-runs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const month = { nodes: 8, nodesOfJob: 8, tasksPerNode: 12, slowJobs: 1, factor: 3 };
  writeMonth(folder, { ...month, jobs: 10, slow: [], seed: 1 });
  const bad = mkdtempSync(join(folder, "bad"));
  writeMonth(bad, { ...month, jobs: 1, slow: ["n3"], seed: 2 });
  const good = Array.from({ length: 10 }, (_, run) => join(folder, `app-0000${run}`));
  const { code, out } = await broomwagon("compare", ...good, join(bad, "app-00000"));
  expect(code).toBe(0);
  const text = out.replaceAll("\n", " ");
  expect(text).toMatch(/^B took [\d.]+ s, [\d.]+ s more than the median of 10 runs \([\d.]+ s, /);
  expect(text).toMatch(
    /Beyond all 10 runs before: slow node \+[\d.]+ s \([\d.]+ s, 0 to [\d.]+ before/,
  );
  expect(text).toContain("Slow in this run, and in none before: n3.");
  expect(out).toMatch(/^slow node +[\d.]+ .*beyond all$/m);
  // One of the good runs beside the others is like them.
  const alike = await broomwagon("compare", ...good.slice(1), good[0] ?? "");
  expect(alike.out).not.toContain("Slow in this run");
  const json = JSON.parse((await broomwagon("compare", ...good, "-o", "json")).out);
  expect(json).toMatchObject({ schema: "broomwagon/compare-runs@1", runs: 9, slowNodes: [] });
});

test("whatif --again takes rho from the bad luck that came back", async () => {
  const { out } = await broomwagon("whatif", A, "--again", B, "--try", "none", "--seeds", "2");
  expect(out).toMatch(/change s, rho [01]\.\d\d/);
});

test("usage: one page for programs, with lines that fit", async () => {
  const { code, out } = await broomwagon("usage");
  expect(code).toBe(0);
  expect(out.split("\n").filter((line) => line.length > 100)).toEqual([]);
  for (const name of ["why", "whatif", "compare", "-o json"]) expect(out).toContain(name);
});
