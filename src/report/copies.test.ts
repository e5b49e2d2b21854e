import { expect, test } from "vitest";
import { copyAccounts, copySentence, type EndedAttempt } from "./copies.ts";

const original: EndedAttempt = {
  task: "count/map/1",
  as: "original",
  node: "n2",
  launchedAt: 1_000,
  endedAt: 10_000,
  slotMs: 9_000,
  end: { kind: "killed" },
};
const copy: EndedAttempt = {
  task: "count/map/1",
  as: "speculative",
  node: "n1",
  launchedAt: 7_800,
  endedAt: 9_900,
  slotMs: 2_100,
  end: { kind: "succeeded" },
};
const other: EndedAttempt = { ...original, task: "count/map/2", end: { kind: "succeeded" } };

const sentences = (...attempts: EndedAttempt[]) =>
  copyAccounts({ attempts, nodes: [] }).map(copySentence);

test("a copy that won says how long its original had run, and estimates nothing", () => {
  expect(sentences(original, other, copy)).toEqual([
    "map/1 on n2 had run for 8.9 s; its copy on n1 took 2.1 s and ended first, at 9.9 s",
  ]);
});

test("a copy that won against an attempt that was lost names the dead node", () => {
  const [lost] = sentences({ ...original, end: { kind: "lost" } }, copy);
  expect(lost).toBe(
    "map/1 on n2 had died with its node; its copy on n1 took 2.1 s and ended at 9.9 s",
  );
});

test("an attempt on a node that was killed could not have ended", () => {
  const nodes = [{ name: "n2", killed: true } as const];
  const [sentence] = copyAccounts({ attempts: [original, copy], nodes }).map(copySentence);
  expect(sentence).toBe(
    "map/1 on n2 had died with its node; its copy on n1 took 2.1 s and ended at 9.9 s",
  );
});

test("a losing copy is waste", () => {
  const beaten: EndedAttempt = { ...copy, end: { kind: "killed" } };
  expect(sentences({ ...original, endedAt: 9_800, end: { kind: "succeeded" } }, beaten)).toEqual([
    "the copy of map/1 on n1 was not needed (the original on n2 ended first, at 9.8 s): " +
      "2.1 s of slot time wasted",
  ]);
});

test("a copy names the attempt that ran beside it, not an earlier one", () => {
  const failed: EndedAttempt = {
    ...original,
    node: "n4",
    endedAt: 2_000,
    end: { kind: "failed", message: "disk full" },
  };
  const retry: EndedAttempt = { ...original, as: "retry", node: "n3" };
  const [sentence] = sentences(failed, { ...retry, launchedAt: 2_000 }, copy);
  expect(sentence).toContain("map/1 on n3 had run for 7.9 s");
});
