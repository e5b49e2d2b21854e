import { expect, test } from "vitest";
import { integer, nextFloat, pick, type RandomState, randomState } from "../../src/base/random.ts";
import {
  type RecordedAttempt,
  type RecordedJob,
  type RecordedNode,
  type RecordedPhase,
  type RunAttempt,
  runRecorded,
} from "../../src/hosts/sim/index.ts";
import type { EdgeStart } from "../../src/model/job.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { REGISTRY } from "../../src/policy/registry.ts";

const WORLDS = Number(process.env.WORLDS ?? 300);
const SEEDS = Array.from({ length: WORLDS }, (_, seed) => seed);

const ms = (random: RandomState, most: number): number => 1 + integer(random, most);
const happens = (random: RandomState, share: number): boolean => nextFloat(random) < share;

/** A job with everything that a recorded job may have. */
function anyJob(seed: number): RecordedJob {
  const random = randomState(seed, "recorded");
  const nodes = Array.from({ length: 2 + integer(random, 6) }, (_, n) => anyNode(random, n));
  const phases: RecordedPhase[] = [];
  const count = 1 + integer(random, 4);
  for (let n = 0; n < count; n += 1) phases.push(anyPhase(random, nodes, n));
  return { name: "job", slotKinds: ["map", "reduce"], nodes, phases, tailMs: integer(random, 50) };
}

function anyNode(random: RandomState, n: number): RecordedNode {
  const factor = happens(random, 0.2) ? 1 + 4 * nextFloat(random) : 1;
  const slots = (kind: string) => {
    const count = 1 + integer(random, 3);
    if (n === 0 || happens(random, 0.6)) return { kind, count };
    const fromMs = happens(random, 0.5) ? ms(random, 3_000) : 0;
    return { kind, count, fromMs, untilMs: fromMs + ms(random, 5_000) };
  };
  return { name: `n${n}`, factor, slots: [slots("map"), slots("map"), slots("reduce")] };
}

function anyPhase(random: RandomState, nodes: readonly RecordedNode[], n: number): RecordedPhase {
  const isReduce = n > 0 && happens(random, 0.5);
  const overlaps = isReduce && happens(random, 0.5);
  const start: EdgeStart = overlaps
    ? { when: "fraction", of: nextFloat(random) }
    : { when: "done" };
  return {
    name: `p${n}`,
    slots: [isReduce ? "reduce" : "map"],
    reads: n === 0 ? [] : [{ phase: integer(random, n), start }],
    gapMs: happens(random, 0.5) ? ms(random, 2_000) : 0,
    tasks: Array.from({ length: integer(random, 30) }, () => {
      const first = anyAttempt(random, overlaps);
      const attempts = happens(random, 0.1)
        ? [{ ...first, failsAfterMs: ms(random, 2_000) }, anyAttempt(random, overlaps)]
        : [first];
      return {
        attempts,
        ...(happens(random, 0.3) && { firstOn: pick(random, nodes).name }),
        ...(happens(random, 0.3) && { replicas: [pick(random, nodes).name] }),
      };
    }),
    further: ({ chance }) => ({ ...anyAttempt(chance, overlaps), slowedByNode: true }),
  };
}

function anyAttempt(random: RandomState, heldByReads: boolean): RecordedAttempt {
  return {
    workMs: ms(random, happens(random, 0.1) ? 20_000 : 2_000),
    waitMs: happens(random, 0.3) ? ms(random, 500) : 0,
    slowedByNode: happens(random, 0.5),
    heldByReads,
    records: integer(random, 1_000),
  };
}

/** The slots of a node at an instant, including slots that had to stay. */
function isThere(node: RecordedNode, kind: string, at: number): boolean {
  return node.slots.some(
    ({ kind: of, count, fromMs = 0, untilMs = Number.POSITIVE_INFINITY }) =>
      of === kind && count > 0 && fromMs <= at && at < untilMs,
  );
}

function checkPlaces(job: RecordedJob, attempts: readonly RunAttempt[]): void {
  const begun = new Set<string>();
  for (const { launchedAtMs, node, phase, task } of attempts) {
    const of = job.phases[phase];
    const on = job.nodes.find(({ name }) => name === node);
    const { firstOn } = of?.tasks[task] ?? {};
    const isFirst = !begun.has(`${phase}/${task}`);
    begun.add(`${phase}/${task}`);
    const failures = attempts.filter((one) => one.node === firstOn && one.ended === "failed");
    // Four failures close a node to the job, and its tasks are no longer pinned.
    const isClosed = failures.filter((one) => one.endedAtMs <= launchedAtMs).length >= 4;
    if (isFirst && firstOn !== undefined && !isClosed) expect(node).toBe(firstOn);
    const first = Math.min(...(on?.slots ?? []).map(({ fromMs = 0 }) => fromMs));
    expect(launchedAtMs).toBeGreaterThanOrEqual(first);
    // The first node's slots stay, so that no slot of the others is the last of its kind.
    const mayStay = job.phases.some(({ tasks }) => tasks.some((one) => one.firstOn === node));
    if (!mayStay) expect(isThere(on ?? fail(), of?.slots[0] ?? "", launchedAtMs)).toBe(true);
  }
}

function fail(): never {
  throw new Error("an attempt ran on a node that is not in the job");
}

function checkTimes({ phases }: RecordedJob, attempts: readonly RunAttempt[]): void {
  const succeeded = attempts.filter(({ ended }) => ended === "succeeded");
  const doneAt = phases.map((_, n) =>
    Math.max(0, ...succeeded.filter(({ phase }) => phase === n).map(({ endedAtMs }) => endedAtMs)),
  );
  for (const { ended, endedAtMs, launchedAtMs, phase } of attempts) {
    const { gapMs = 0, reads, tasks } = phases[phase] ?? fail();
    for (const { phase: read, start } of reads) {
      const before = doneAt[read] ?? 0;
      if (start.when === "done") expect(launchedAtMs).toBeGreaterThanOrEqual(before + gapMs);
      const isHeld = tasks.some(({ attempts: [first] }) => first?.heldByReads === true);
      if (isHeld && ended === "succeeded") expect(endedAtMs).toBeGreaterThan(before);
    }
    if (reads.length === 0) expect(launchedAtMs).toBeGreaterThanOrEqual(gapMs);
  }
}

test(`${WORLDS} recorded jobs end under any discipline, where and when their record allows`, () => {
  const names = REGISTRY.disciplines.map(({ name }) => name);
  for (const seed of SEEDS) {
    const job = anyJob(seed);
    const name = names[seed % names.length] ?? "none";
    const discipline = parseDiscipline(name);
    const options = { seed, discipline, checks: true, nodeOrder: "drawn" } as const;
    const { attempts, outcome } = runRecorded(job, options);
    try {
      expect(outcome).toBe("succeeded");
      checkPlaces(job, attempts);
      checkTimes(job, attempts);
    } catch (error) {
      throw new Error(`recorded job ${seed} under ${name}`, { cause: error });
    }
  }
});

/** A list schedule over equal slots, phase after phase: a second, simple implementation. */
function listScheduleMs({ nodes, phases, tailMs = 0 }: RecordedJob): number {
  const counts = nodes.flatMap(({ slots }) =>
    slots.map(({ count, fromMs = 0 }) => [count, fromMs]),
  );
  const free = counts.flatMap(([count = 0, fromMs = 0]) => Array<number>(count).fill(fromMs));
  let ready = 0;
  for (const { gapMs = 0, tasks } of phases) {
    ready += gapMs;
    let end = ready;
    for (const { attempts } of tasks) {
      free.sort((a, b) => a - b);
      const [attempt] = attempts;
      const from = Math.max(ready, free.shift() ?? 0);
      const until = from + (attempt?.waitMs ?? 0) + (attempt?.workMs ?? 0);
      free.push(until);
      end = Math.max(end, until);
    }
    ready = end;
  }
  return ready + tailMs;
}

test(`${WORLDS} chains of phases take as long as a list schedule says, to the millisecond`, () => {
  for (const seed of SEEDS) {
    const random = randomState(seed, "chains");
    const nodes = Array.from({ length: 1 + integer(random, 5) }, (_, n) => ({
      name: `n${n}`,
      slots: [
        { kind: "core", count: 1 + integer(random, 3) },
        { kind: "core", count: 1 + integer(random, 2), fromMs: ms(random, 4_000) },
      ],
    }));
    const phases = Array.from({ length: 1 + integer(random, 4) }, (_, n) => ({
      name: `p${n}`,
      slots: ["core"],
      reads: n === 0 ? [] : [{ phase: n - 1, start: { when: "done" } } as const],
      gapMs: happens(random, 0.5) ? ms(random, 900) : 0,
      tasks: Array.from({ length: 1 + integer(random, 40) }, () => ({
        attempts: [{ workMs: ms(random, 3_000), waitMs: integer(random, 100) }],
      })),
      further: () => ({ workMs: 1 }),
    }));
    const job = { name: "job", slotKinds: ["core"], nodes, phases, tailMs: integer(random, 99) };
    const discipline = parseDiscipline("none,sharing=fifo-plain");
    const { responseMs } = runRecorded(job, { seed, discipline, nodeOrder: "drawn" });
    expect([seed, responseMs]).toEqual([seed, listScheduleMs(job)]);
  }
});
