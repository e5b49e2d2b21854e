import { describe, expect, test } from "vitest";
import { defined } from "../../src/base/assert.ts";
import { parseScenario } from "../../src/hosts/sim/parse-scenario.ts";
import { simulateOnce } from "../../src/hosts/sim/simulate-once.ts";
import type { Phase, Task } from "../../src/model/job.ts";
import type { View } from "../../src/model/view.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { REGISTRY } from "../../src/policy/registry.ts";
import { Invariants } from "../../src/testing/invariants.ts";

/** Longer than any run: a dead node is detected after ten minutes. */
const LATEST_MS = 3_600_000;
/** A reader reports missing outputs within this time. */
const TELLS_WITHIN_MS = 60_000;

/** The faults of node-2, or of the outputs on it. */
const FAULTS = {
  "a machine that dies": { kind: "kill", node: "node-2" },
  "a tracker that dies": { kind: "kill", node: "node-2", what: "tracker" },
  "a machine that comes back": { kind: "kill", node: "node-2", backAfterMs: 30_000 },
  "a reboot that is not noticed": {
    kind: "kill",
    node: "node-2",
    what: "reboot",
    backAfterMs: 500,
  },
  "outputs that vanish": { kind: "lose-outputs", node: "node-*" },
  "a node ten times slower": { kind: "slow", node: "node-2", factor: 10 },
  "a node that pauses": { kind: "pause", node: "node-2", forMs: 900_000 },
} as const;

/** Maps run until 13 s, reduces copy until about 15 s and then reduce. */
const MOMENTS = { maps: 5_000, copies: 14_000, reduces: 40_000 } as const;

function scenarioWith(fault: object, at: number) {
  return parseScenario(
    {
      name: "liveness",
      cluster: {
        racks: ["r1", "r2"],
        nodes: [
          {
            name: "node",
            count: 6,
            slots: { map: 2, reduce: 1 },
            host: "machine",
            vmsPerHost: 1,
          },
        ],
        hosts: {
          machine: {
            cores: 4,
            disk: [{ streams: 1, bytesPerMs: 60_000 }],
            upBytesPerMs: 125_000,
            downBytesPerMs: 125_000,
          },
        },
        rackUpBytesPerMs: 200_000,
        heartbeatMs: 1_000,
        reportEveryMs: 1_000,
      },
      jobs: [
        {
          name: "job",
          arrival: { atMs: 0 },
          phases: [
            {
              name: "map",
              slots: ["map"],
              tasks: 20,
              work: { kind: "map", inputBytes: 64e6, replicas: 3, cpuBytesPerMs: 10_000 },
            },
            {
              name: "reduce",
              slots: ["reduce"],
              tasks: 4,
              after: [{ phase: "map", start: { fraction: 0.05 } }],
              work: {
                kind: "reduce",
                cpuBytesPerMs: 4_000,
                outputReplicas: 2,
                fetch: { retryMs: 4_000, reportEveryFailures: 2 },
              },
            },
          ],
        },
      ],
      faults: [{ at, ...fault }],
      study: { disciplines: [{ discipline: "late" }] },
    },
    "liveness",
  );
}

/** Finished tasks whose output is nowhere and is not being recomputed, though readers copy. */
function* unanswered(view: View): Generator<Task> {
  for (const job of view.jobs()) {
    for (const { tasks } of job.phases) {
      for (const task of tasks) {
        if (!view.readers(task.id).some((reader) => isCopying(view, reader))) continue;
        const isMade = view.isWaiting(task.id) || view.attemptsOf(task.id).some(isUnended);
        if (view.isDone(task.id) && view.outputNodes(task.id).length === 0 && !isMade) yield task;
      }
    }
  }
}

/** Whether a running reader is still in its copy stage: only then can it miss an output. */
function isCopying(view: View, reader: Phase): boolean {
  for (const { id } of view.runningTasks(reader.id)) {
    for (const attempt of view.runningOf(id)) {
      if (view.progress(attempt.id).stage === 0) return true;
    }
  }
  return false;
}

const isUnended = ({ state }: { readonly state: string }): boolean =>
  state === "assumed" || state === "running" || state === "dying";

describe.each(Object.entries(FAULTS))("%s", (_, fault) => {
  describe.each(Object.entries(MOMENTS))("while %s run", (_moment, at) => {
    test.each(REGISTRY.disciplines.map(({ name }) => name))("%s", (discipline) => {
      let view: View | undefined;
      let check: Invariants | undefined;
      const since = new Map<number, number>();
      const result = simulateOnce(scenarioWith(fault, at), {
        seed: 7,
        discipline: parseDiscipline(discipline),
        checks: true,
        onStart: (scheduler) => {
          view = scheduler.view;
          check = new Invariants(scheduler.setup, scheduler.view, { explains: false });
        },
        onStep: (event, actions) => {
          defined(check, "a start").check(event, actions);
          const left = [...unanswered(defined(view, "a start"))];
          const ids = new Set(left.map(({ id }) => Number(id)));
          for (const id of since.keys()) if (!ids.has(id)) since.delete(id);
          for (const { id, index } of left) {
            const from = since.get(id) ?? event.at;
            since.set(id, from);
            const waitedMs = event.at - from;
            expect(waitedMs, `map/${index} is nowhere, and a reader waits`).toBeLessThan(
              TELLS_WITHIN_MS,
            );
          }
          expect(event.at, "the job takes for ever").toBeLessThan(LATEST_MS);
        },
      });
      defined(check, "a start").end();
      expect(result.unfinished).toEqual([]);
      expect(result.jobs.map(({ outcome }) => outcome)).toEqual(["succeeded"]);
    });
  });
});
