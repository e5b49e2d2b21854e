import { describe, expect, test } from "vitest";
import { type Run, steadily } from "../../../test/support/curves.ts";
import { probing } from "../../../test/support/probe.ts";
import { World } from "../../../test/support/world.ts";
import { type Distribution, meanOf, quantileOf } from "../../base/distribution.ts";
import { emptySample } from "../../base/sample.ts";
import { createScheduler } from "../../core/index.ts";
import { SETUP_DEFAULTS } from "../../core/state/setup.ts";
import { CAPABILITIES } from "../../model/cluster.ts";
import type { ClusterEvent } from "../../model/event.ts";
import {
  attemptId,
  instant,
  jobId,
  nodeId,
  phaseId,
  rackId,
  slotKind,
  taskId,
} from "../../model/ids.ts";
import { MAP_STAGES } from "../../model/job.ts";
import { NO_AMOUNTS, type ProgressCurve, type Segment } from "../../model/progress.ts";
import { parseDiscipline } from "../discipline.ts";
import { type SpeculationPolicy, use } from "../policy.ts";
import { mixed } from "./mantri/process-rates.ts";
import { readingLeft, wrapUpLeft } from "./mantri/time-left.ts";

const SECOND = 1000;
const BYTES = 1e6;

test("§5.5: a running task counts once it shows its rate, even in a first millisecond", () => {
  const { discipline, newCopies } = probing("mantri-restart");
  const options = { discipline, nodes: 2, slots: [1], slotKinds: ["map"] };
  const world = new World({ ...options, runs: () => steadily(100) });
  world.submit({ maps: 1, inputBytes: BYTES });
  world.advance(0.5).look();
  world.offer("n2");
  expect(newCopies().map((copy) => Math.round(meanOf(copy) ?? Number.NaN))).toEqual([100]);
});

describe("eq. 2: t_rem = t_elapsed (d - d_read) / d_read + t_wrapup", () => {
  const start = { at: 0, share: 0 };

  test("40 % read in 40 s leave 60 s; t_elapsed d / d_read, as printed, is the whole", () => {
    const last = { at: 40, share: 0.4 };
    expect(readingLeft({ start, first: start, last, now: 40, silenceMs: 10 })).toBeCloseTo(60);
  });

  test("a moving average: of 5 % in the last 50 s, not of 55 % in 100 s", () => {
    const first = { at: 50, share: 0.5 };
    const last = { at: 100, share: 0.55 };
    const left = { start, last, now: 100, silenceMs: 10 };
    expect(readingLeft({ ...left, first })).toBeCloseTo(450);
    expect(readingLeft({ ...left, first: start })).toBeCloseTo((100 * 0.45) / 0.55);
  });

  test("a task that slows down is judged by its last five reports", () => {
    const { discipline, timesLeft } = probing("mantri-restart");
    const slows: Run = {
      pieces: [
        { forMs: 50 * SECOND, toScore: 0.5 },
        { forMs: 500 * SECOND, toScore: 1 },
      ],
      end: "succeeded",
    };
    const world = new World({
      discipline,
      nodes: 2,
      slots: [1],
      slotKinds: ["map"],
      offers: "manual",
      runs: () => slows,
    });
    world.submit({ maps: 1, inputBytes: BYTES });
    world.offer("n1");
    // A report every 7.5 s: of the last 37.5 s, 12.5 went at full speed, 25 at a tenth of it.
    world.advance(75 * SECOND).offer("n2");
    expect(timesLeft()[0]).toBeCloseTo((37.5 * SECOND * 0.475) / (0.125 + 0.025));
    world.advance(100 * SECOND).offer("n2");
    expect(timesLeft()[0]).toBeCloseTo(450 * SECOND);
  });

  test("between two reports time passes", () => {
    const last = { at: 40, share: 0.4 };
    expect(readingLeft({ start, first: start, last, now: 45, silenceMs: 10 })).toBeCloseTo(55);
  });

  test("when reports are lost, t_rem rises: nothing is assumed to have been read since", () => {
    const last = { at: 40, share: 0.4 };
    const left = (now: number, first = start) =>
      readingLeft({ start, first, last, now, silenceMs: 10 });
    expect(left(60)).toBeCloseTo((60 * 0.6) / 0.4);
    expect(left(80)).toBeGreaterThan(left(60));
    // No report came in the window.
    expect(left(200, last)).toBeCloseTo((200 * 0.6) / 0.4);
  });

  test("a task without a report for 10 s has stood still, however short its life is", () => {
    const { discipline, timesLeft } = probing("mantri-restart");
    const options = { discipline, nodes: 2, slots: [1], slotKinds: ["map"] };
    const world = new World({ ...options, runs: () => steadily(100 * SECOND) });
    world.submit({ maps: 1 });
    world.advance(2 * SECOND);
    // A tenth of 20 s; a host may well report only every 3 s.
    const report = { ...NO_AMOUNTS, score: 0.1, stage: 0, at: world.at, changedAt: world.at };
    const attempt = world.attempt("map", 0);
    const progress = { kind: "reported", ...report } as const;
    world.step({ at: world.at, kind: "attempt-progressed", attempt, progress });
    const left = (seconds: number): number | undefined => {
      world.advance(seconds * SECOND).offer("n2");
      return timesLeft().map(Math.round)[0];
    };
    expect(left(8)).toBe(12 * SECOND);
    expect(left(12)).toBe(8 * SECOND);
    expect(left(13)).toBe((13 * SECOND * 0.9) / 0.1);
  });

  test("t_wrapup is the earlier tasks' time after reading, minus the time passed since", () => {
    const read = { at: 100, score: 0.5 };
    const left = (now: number, score: number) =>
      wrapUpLeft({ read, report: { score }, now, wrapUpMs: 20, silenceMs: 5 });
    expect(left(100, 0.5)).toBe(20);
    expect(left(115, 0.9)).toBe(5);
    // Later than the earlier tasks: judged by the done part of the rest.
    expect(left(130, 0.75)).toBe(30);
    expect(left(130, 0.5)).toBe(Number.POSITIVE_INFINITY);
    expect(left(130, 1)).toBe(30);
  });

  test("the next task of a phase, half read after 20 s, has 20 s to read and 10 to wrap up", () => {
    const { discipline, timesLeft } = probing("mantri-restart");
    const world = new World({
      discipline,
      nodes: 2,
      slots: [1],
      slotKinds: ["map"],
      offers: "manual",
      runs: () => steadily(50 * SECOND),
    });
    world.submit({ maps: 2, inputBytes: BYTES });
    const runOnN1 = (index: number): void => {
      world.offer("n1");
      const attempt = world.attempt("map", index);
      const progress = readsFor40s(world.now, 10 * SECOND);
      world.step({ at: world.at, kind: "attempt-progressed", attempt, progress });
    };
    runOnN1(0);
    world.advance(50 * SECOND);
    runOnN1(1);
    world.advance(70 * SECOND).offer("n2");
    expect(timesLeft().map(Math.round)).toEqual([30 * SECOND]);
    world.advance(95 * SECOND).offer("n2");
    expect(timesLeft().map(Math.round)).toEqual([5 * SECOND]);
  });

  /** Reads, then computes for the given time. */
  function readsFor40s(startedAt: number, computesMs: number): ProgressCurve {
    const readMs = 40 * SECOND;
    const segment = (from: number, at: object, perMs: object): Segment => ({
      from: instant(from),
      stage: 0,
      at: { ...NO_AMOUNTS, ...at },
      perMs: { ...NO_AMOUNTS, ...perMs },
    });
    const reads = { score: 0.5 / readMs, bytesRead: BYTES / readMs };
    const isRead = { score: 0.5, bytesRead: BYTES };
    return {
      kind: "curve",
      startedAt: instant(startedAt),
      segments: [
        segment(startedAt, {}, reads),
        segment(startedAt + readMs, isRead, { score: 0.5 / computesMs }),
      ],
      reportEvery: 0,
    };
  }
});

test("§5.5: a task without bytes, or whose host counts none, is judged by its score", () => {
  const { discipline, timesLeft } = probing("mantri-restart");
  const options = { discipline, nodes: 2, slots: [1], slotKinds: ["map"] };
  const empty = new World({ ...options, runs: () => steadily(100 * SECOND) });
  empty.submit({ maps: 1 });
  empty.advance(40 * SECOND).look();
  empty.offer("n2");
  expect(timesLeft().map(Math.round)).toEqual([60 * SECOND]);
  const silent = new World({ ...options, runs: () => steadily(100 * SECOND) });
  silent.submit({ maps: 1, inputBytes: BYTES });
  silent.advance(40 * SECOND);
  const report = { ...NO_AMOUNTS, score: 0.5, stage: 0, at: silent.at, changedAt: silent.at };
  const attempt = silent.attempt("map", 0);
  const progress = { kind: "reported", ...report } as const;
  silent.step({ at: silent.at, kind: "attempt-progressed", attempt, progress });
  silent.offer("n2");
  expect(timesLeft().map(Math.round)).toEqual([40 * SECOND]);
});

describe("eq. 3: t_new = processRate * locationFactor * d + schedLag", () => {
  test("process rates are a distribution, of all the tasks in the phase", () => {
    const finished = emptySample();
    finished.rising.push(10, 20, 30, 40);
    finished.seen = 4;
    const all = { finished, most: 100 };
    expect(mixed({ ...all, running: [], runningTasks: 0 })).toEqual([10, 20, 30, 40]);
    expect(mixed({ ...all, running: [90, 15], runningTasks: 2 })).toEqual([10, 15, 20, 30, 40, 90]);
    // Each group weighs by its number of tasks: as many run as have finished.
    const half = mixed({ ...all, running: [100, 200, 300, 400], runningTasks: 4, most: 4 });
    expect(half.filter((rate) => rate >= 100)).toHaveLength(2);
    expect(mixed({ ...all, finished: emptySample(), running: [], runningTasks: 0 })).toEqual([]);
  });

  /** Two tasks of a phase, launched at 0, which the host starts later. */
  function newCopyOf(bytes: readonly number[], starts: readonly number[]): Distribution {
    let newCopy: Distribution | undefined;
    const probe: SpeculationPolicy<object, null> = {
      name: "probe",
      source: "tests",
      params: {},
      needs: [],
      remember: () => null,
      onIdleSlot({ estimate }) {
        newCopy = estimate.newCopy(taskId(1));
        return [];
      },
    };
    const discipline = { ...parseDiscipline("mantri-restart"), speculation: use(probe) };
    const scheduler = createScheduler({
      ...SETUP_DEFAULTS,
      seed: 1,
      slotKinds: ["map"],
      racks: ["r1"],
      discipline,
      capabilities: CAPABILITIES,
    });
    const map = slotKind(0);
    const free = (count: number) => [{ kind: map, count }];
    const node = { id: nodeId(0), name: "n1", rack: rackId(0), slots: free(3) };
    const tasks = bytes.map((inputBytes, index) => ({
      id: taskId(index),
      phase: phaseId(0),
      index,
      inputBytes,
      replicas: [],
      stages: MAP_STAGES,
    }));
    const phase = { id: phaseId(0), name: "map", job: jobId(0), slots: [map], after: [], tasks };
    const job = {
      id: jobId(0),
      name: "j",
      user: "u",
      pool: "p",
      priority: "normal" as const,
      submittedAt: instant(0),
      phases: [phase],
    };
    const step = (event: ClusterEvent) => scheduler.step(event);
    step({ at: instant(0), kind: "node-joined", node });
    step({ at: instant(0), kind: "job-submitted", job });
    step({ at: instant(0), kind: "slots-offered", node: node.id, free: free(3) });
    starts.forEach((ms, index) => {
      const at = instant(ms);
      const bytesPerMs = (bytes[index] ?? 0) / (100 * SECOND);
      const perMs = { ...NO_AMOUNTS, score: 1 / (100 * SECOND), bytesRead: bytesPerMs };
      const segments = [{ from: at, stage: 0, at: NO_AMOUNTS, perMs }];
      const progress = { kind: "curve" as const, startedAt: at, segments, reportEvery: 0 };
      const attempt = attemptId(index);
      const task = taskId(index);
      step({ at, kind: "attempt-started", attempt, task, node: node.id, as: "original", progress });
    });
    const endsAt = instant(100 * SECOND + (starts[0] ?? 0));
    const output = { bytes: 0, records: 0 };
    step({ at: endsAt, kind: "attempt-succeeded", attempt: attemptId(0), output });
    step({ at: endsAt, kind: "slots-offered", node: node.id, free: free(2) });
    return newCopy ?? { kind: "unknown" };
  }

  test("t_new grows with d, and schedLag is the mean time from launch to start", () => {
    // 100 s for 1 MB; the second task has 3 MB. Starts were 2 s and 6 s late.
    const newCopy = newCopyOf([BYTES, 3 * BYTES], [2 * SECOND, 6 * SECOND]);
    expect(quantileOf(newCopy, 100)).toBeCloseTo(304 * SECOND);
    expect(newCopyOf([BYTES, BYTES], [0, 0])).toMatchObject({ kind: "scaled", plus: 0 });
    expect(meanOf(newCopyOf([BYTES, BYTES], [0, 0]))).toBeCloseTo(100 * SECOND);
  });
});
