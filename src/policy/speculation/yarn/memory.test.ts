import { expect, test } from "vitest";
import { failsAfter, type Run, steadily } from "../../../../test/support/curves.ts";
import { type Launch, World } from "../../../../test/support/world.ts";
import { type AttemptId, attemptId } from "../../../model/ids.ts";
import { NO_AMOUNTS } from "../../../model/progress.ts";
import type { YarnMemory } from "./memory.ts";

const isOurs = (memory: unknown): memory is YarnMemory =>
  typeof memory === "object" && memory !== null && "jobs" in memory;

test("nothing is kept of an attempt that has ended, however it ended", () => {
  const looked = new Set<AttemptId>();
  let kept: readonly AttemptId[] = [];
  const runs = ({ as, task: { index } }: Launch): Run => {
    // One map is done early, so that the others are judged from then on.
    if (index === 0) return steadily(10_000);
    if (index === 1 && as === "original") return failsAfter(90_000);
    return steadily(index === 2 ? 120_000 : 900_000);
  };
  const world = new World({
    ...{ discipline: "yarn", nodes: 8, slots: [1, 0], runs },
    memory(memory) {
      if (isOurs(memory))
        kept = [...memory.jobs.values()].flatMap(({ looks }) => [...looks.keys()]);
      for (const attempt of kept) looked.add(attempt);
      return memory;
    },
  });
  world.submit({ maps: 5 });
  world.advance(100_000);
  const [original] = world.view.attemptsOf(world.task("map", 3));
  if (original !== undefined) world.kill(original.id);
  world.advance(150_000);
  const ends = world.facts.flatMap((fact) =>
    fact.kind === "attempt-ended" && looked.has(fact.attempt) ? [fact] : [],
  );
  expect(new Set(ends.map(({ end }) => end.how))).toEqual(
    new Set(["failed", "killed", "succeeded"]),
  );
  expect(kept.length).toBeGreaterThan(0);
  expect(ends.filter(({ attempt }) => kept.includes(attempt))).toEqual([]);
});

test("on a host that starts attempts by itself, none is missing once it is replaced", () => {
  let missing = 0;
  const world = new World({
    ...{ discipline: "yarn", nodes: 3, slots: [1, 0], offers: "manual" },
    setup: { capabilities: ["requests", "placement"] },
    memory(memory) {
      if (isOurs(memory))
        missing = [...memory.jobs.values()].flatMap(({ unreplaced }) => [
          ...unreplaced.keys(),
        ]).length;
      return memory;
    },
  });
  world.submit({ maps: 1 });
  const start = (attempt: number, as: "original" | "rerun"): void => {
    const node = world.node(`n${attempt + 1}`);
    const segments = [{ from: world.at, stage: 0, at: NO_AMOUNTS, perMs: NO_AMOUNTS }];
    const progress = { kind: "curve", startedAt: world.at, reportEvery: 0, segments } as const;
    const task = world.task("map", 0);
    const of = { attempt: attemptId(attempt), task, node, as, progress };
    world.step({ at: world.at, kind: "attempt-started", ...of });
  };
  start(0, "original");
  world.step({ at: world.at, kind: "attempt-killed", attempt: attemptId(0), by: "host" });
  world.look();
  expect(missing).toBe(1);
  start(1, "rerun");
  world.look();
  expect(missing).toBe(0);
});
