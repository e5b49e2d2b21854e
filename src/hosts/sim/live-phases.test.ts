import { expect, test } from "vitest";
import { randomState } from "../../base/random.ts";
import { AlikeTasks } from "../../model/alike-tasks.ts";
import { jobId, phaseId, slotKind, taskId } from "../../model/ids.ts";
import { MAP_STAGES } from "../../model/job.ts";
import { LivePhases } from "./live-phases.ts";
import { SimPhase } from "./state.ts";

/** Phases of these lengths; the tasks of each follow the previous phase's. */
function phases(...lengths: readonly number[]): readonly SimPhase[] {
  let next = 0;
  return lengths.map((length, index) => {
    const first = taskId(next);
    const id = phaseId(index);
    next += length;
    const tasks = new AlikeTasks(first, length, { phase: id, replicas: [], stages: MAP_STAGES });
    return new SimPhase({
      phase: { id, name: `p${index}`, job: jobId(0), slots: [slotKind(0)], after: [], tasks },
      work: { kind: "fixed", profile: () => expect.fail("no attempt begins") },
      upstream: [],
      failureProbability: 0,
      stream: randomState(1),
    });
  });
}

function live(all: readonly SimPhase[]): LivePhases {
  const made = new LivePhases();
  for (const phase of all) made.add(phase);
  return made;
}

test("the phase of a task is found, in any order of lookups", () => {
  const all = phases(3, 1, 0, 1_000, 2);
  const found = live(all);
  for (const id of [0, 2, 3, 4, 1_003, 1_004, 1_005, 4, 0]) {
    const task = taskId(id);
    expect(found.ofTask(task)).toBe(all.find((phase) => phase.has(task)));
  }
});

test("a removed phase is no longer found", () => {
  const all = phases(3, 2, 2);
  const found = live(all);
  const [, second, third] = all;
  expect(found.ofTask(taskId(4))).toBe(second);
  if (second !== undefined) found.remove(second);
  expect(() => found.ofTask(taskId(4))).toThrow("the phase of a live task");
  expect(found.ofTask(taskId(5))).toBe(third);
});
