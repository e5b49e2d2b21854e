import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HELLO, JOB } from "../../../../test/support/policy-talk.ts";
import { shipPolicies } from "../task/ship-policies.ts";
import { jobPolicies, policiesNamedIn } from "./job-policies.ts";
import { replaySession } from "./replay.ts";

const there = (path: string): string =>
  fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/** Stands for the container of the ApplicationMaster. */
const container = mkdtempSync(join(tmpdir(), "broomwagon-container-"));
const unpacked = join(container, "broomwagon-policies");
beforeAll(async () => {
  const file = there("examples/your-own-policy.ts");
  const archive = await shipPolicies({ files: [file], into: join(container, "shipment") });
  mkdirSync(unpacked);
  execFileSync("tar", ["-xzf", archive, "-C", unpacked]);
});
afterAll(() => rmSync(container, { recursive: true }));

const hello = (policies: string) => ({
  ...HELLO,
  journal: join(container, "journal.ndjson"),
  settings: { discipline: "oldest", policies },
});

/** The shipped child's answers to these lines. */
async function answersTo(lines: readonly object[]): Promise<readonly string[]> {
  const child = spawn(process.execPath, [there("dist/bundle/yarn-policy.mjs")], {
    cwd: container,
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return (await text(child.stdout)).trim().split("\n");
}

test("the child in the ApplicationMaster runs the policies that were shipped", async () => {
  const tick = { type: "tick", at: HELLO.at + 1_000, tick: 1 };
  const answers = await answersTo([hello("broomwagon-policies"), JOB, tick]);
  expect(answers[0]).toContain("ready");
  expect(JSON.parse(answers[0] ?? "")).toMatchObject({ type: "ready", discipline: "oldest" });
  // Lines that waited for the policies are answered in their order.
  expect(JSON.parse(answers.at(-1) ?? "")).toEqual({ type: "tock", tick: 1 });
  const journal = readFileSync(join(container, "journal.ndjson"), "utf8").trim().split("\n");
  expect(JSON.parse(journal[0] ?? "").discipline.files).toEqual([
    there("examples/your-own-policy.ts"),
  ]);
  const registry = (await jobPolicies(unpacked))();
  expect(replaySession(journal, "journal", registry)).toMatchObject({ kind: "same" });
});

test("missing policies are the job's reason to make no copies", async () => {
  const [answer = ""] = await answersTo([hello("nowhere")]);
  expect(JSON.parse(answer)).toEqual({
    type: "idle",
    reason:
      "broomwagon.policies=nowhere: expected the directory that `run --on yarn --policies` ships",
  });
});

test("only the first line of the ApplicationMaster names policies", () => {
  expect(policiesNamedIn(JSON.stringify(hello("a")))).toBe("a");
  expect(policiesNamedIn(JSON.stringify(HELLO))).toBeUndefined();
  expect(policiesNamedIn('{"type":"log","text":"\\"hello\\""}')).toBeUndefined();
});

test("what cannot travel is refused before anything is submitted", async () => {
  const file = join(container, "elsewhere.ts");
  writeFileSync(file, 'import { createScheduler } from "broomwagon/core";\nexport default {};');
  await expect(shipPolicies({ files: [file], into: join(container, "no") })).rejects.toThrow(
    `${file}:1: broomwagon/core: expected broomwagon/policies`,
  );
});
