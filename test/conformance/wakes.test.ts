import { describe, expect, test } from "vitest";
import { nextFloat, randomState } from "../../src/base/random.ts";
import { createScheduler, type Scheduler, SETUP_DEFAULTS } from "../../src/core/index.ts";
import type { Action } from "../../src/model/action.ts";
import { CAPABILITIES } from "../../src/model/cluster.ts";
import type { ClusterEvent } from "../../src/model/event.ts";
import { instant, nodeId, rackId, slotKind } from "../../src/model/ids.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { REGISTRY } from "../../src/policy/registry.ts";
import { buildJob } from "../support/jobs.ts";

/** Every interval of a policy passes several times. */
const LASTS_MS = 200_000;
const WORLDS = 20;
const NODES = 3;
const SLOT = [{ kind: slotKind(0), count: 1 }];
const DISCIPLINES = REGISTRY.disciplines.map(({ name }) => name);

/** A scheduler and the wakes that it has asked for. */
class Woken {
  readonly scheduler: Scheduler;
  at = 0;
  readonly #wakes: number[] = [];

  constructor(discipline: string) {
    this.scheduler = createScheduler({
      ...SETUP_DEFAULTS,
      seed: 1,
      slotKinds: ["container"],
      racks: ["r1"],
      discipline: parseDiscipline(
        discipline,
        discipline === "fair" ? ["sharing.preemption=true"] : [],
      ),
      capabilities: CAPABILITIES,
    });
  }

  /** Returns what the scheduler launches. */
  feed(event: object): readonly Action[] {
    const stamped = { ...event, at: instant(this.at) } as ClusterEvent;
    const { actions } = this.scheduler.step(stamped);
    for (const action of actions) {
      if (action.kind !== "wake") continue;
      expect(action.at, `asked at ${this.at}`).toBeGreaterThan(this.at);
      this.#wakes.push(action.at);
    }
    return actions.filter(({ kind }) => kind === "launch");
  }

  wakeUntil(end: number): number {
    let wakes = 0;
    for (;;) {
      const next = Math.min(...this.#wakes.filter((at) => at > this.at));
      if (next > end) return wakes;
      this.at = next;
      this.feed({ kind: "woken" });
      wakes += 1;
    }
  }
}

/** Tasks that outlast the world run on some nodes; others wait for slots. */
function wakesOf(discipline: string, from: number, startedAt: number): number {
  const woken = new Woken(discipline);
  woken.at = from;
  for (let id = 0; id < NODES; id++) {
    const node = { id: nodeId(id), name: `n${id}`, rack: rackId(0), slots: SLOT };
    woken.feed({ kind: "node-joined", node });
  }
  const job = buildJob(
    { phases: [{ name: "map", tasks: NODES + 2, slots: ["container"] }] },
    { job: 0, phase: 0, task: 0 },
    { kinds: ["container"], submittedAt: woken.at, name: "job", node: () => nodeId(0) },
  );
  woken.feed({ kind: "job-submitted", job });
  woken.at = startedAt;
  for (let id = 0; id < NODES - 1; id++) {
    for (const launch of woken.feed({ kind: "slots-offered", node: nodeId(id), free: SLOT })) {
      const progress = {
        ...{ kind: "line", startedAt: instant(startedAt), scorePerMs: 1 / 3e6 },
        ...{ bytesReadPerMs: 0, reportEvery: 0 },
      };
      woken.feed({ ...launch, kind: "attempt-started", progress });
    }
  }
  return woken.wakeUntil(startedAt + LASTS_MS);
}

describe("a wake lies in the future, whatever the fractions of a millisecond", () => {
  test.each(DISCIPLINES)("under %s", (discipline) => {
    const dice = randomState(1, "fractions");
    for (let world = 0; world < WORLDS; world++) {
      const from = nextFloat(dice) * 100_000;
      wakesOf(discipline, from, from + nextFloat(dice) * 1_000);
    }
  });

  test("several policies look by themselves", () => {
    const looking = DISCIPLINES.filter((name) => wakesOf(name, 0.1, 0.7) > 10);
    expect(looking).toEqual(expect.arrayContaining(["esplash", "mantri", "yarn", "flink"]));
  });
});
