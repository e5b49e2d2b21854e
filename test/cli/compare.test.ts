import { expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
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
  expect(document.schema).toBe("broomwagon/compare@1");
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
  expect(out).toMatch(/^map +8\.2 +4\.5 +-3\.7$/m);
  expect(out).not.toMatch(/ 0 +0 +0$/m);
});

test("compare: the first line is the answer; a run beside itself has no change", async () => {
  const { out } = await broomwagon("compare", A, B);
  expect(out).toMatch(/^B took 91\.1 s, 21\.1 s less than A \(112 s\)\./);
  const same = await broomwagon("compare", A, A);
  expect(same.out).toMatch(/^B took 112 s, 0 s more than A \(112 s\)\./);
  expect(same.out).toContain("11 of 11 tasks matched; median change 0.0 %");
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
