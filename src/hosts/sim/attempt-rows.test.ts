import { describe, expect, test } from "vitest";
import { integer, pick, type RandomState, randomState } from "../../base/random.ts";
import { AlikeTasks } from "../../model/alike-tasks.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import {
  attemptId,
  instant,
  jobId,
  nodeId,
  phaseId,
  requestId,
  slotKind,
  taskId,
} from "../../model/ids.ts";
import { MAP_STAGES } from "../../model/job.ts";
import { rule } from "../../model/why.ts";
import { AttemptRows } from "./attempt-rows.ts";
import { type End, type LaunchAction, type Row, SimPhase } from "./state.ts";

const FIRST = 7;
const id = phaseId(0);
const tasks = new AlikeTasks(taskId(FIRST), 9, { phase: id, replicas: [], stages: MAP_STAGES });
const phase = new SimPhase({
  phase: { id, name: "p", job: jobId(0), slots: [slotKind(0)], after: [], tasks },
  work: { kind: "fixed", profile: () => expect.fail("no attempt begins") },
  upstream: [],
  failureProbability: 0,
  stream: randomState(1),
});
const SLOTS = [3, 0, 1, 8];
const ENDS = ["succeeded", "failed", "killed", "evicted"] as const;

/** The expected content of an attempt's row. */
interface Twin {
  readonly launch: LaunchAction;
  readonly row: Row;
  ordinal: number | undefined;
  handle: number | undefined;
  totalMs: number | undefined;
  ended: End | undefined;
}

const launchOf = (random: RandomState, n: number): LaunchAction => ({
  kind: "launch",
  attempt: attemptId(n),
  task: taskId(FIRST + integer(random, 9)),
  as: pick(random, ATTEMPT_KINDS),
  node: nodeId(integer(random, SLOTS.length)),
  slot: slotKind(integer(random, 3)),
  ...(integer(random, 2) === 0 && { request: requestId(n) }),
  why: rule("test"),
});

/** Something happens to the attempt. */
function change(random: RandomState, rows: AttemptRows, twin: Twin): void {
  const { row } = twin;
  const number = integer(random, 1_000);
  switch (integer(random, 4)) {
    case 0:
      twin.ordinal = number;
      rows.arrive(row, { ordinal: number, copies: number + 1 });
      return;
    case 1:
      twin.handle = number < 300 ? undefined : number;
      rows.setHandle(row, twin.handle);
      return;
    case 2:
      twin.totalMs = number / 7;
      rows.begin(row);
      rows.goEvenly(row, evenWork(twin.totalMs));
      return;
    default:
      twin.ended = pick(random, ENDS);
      rows.end(row, twin.ended);
  }
}

const evenWork = (totalMs: number) => ({
  startedAt: instant(totalMs + 1),
  totalMs,
  speed: 1 / 3,
  slowedByNode: true,
  bytesRead: totalMs * 2,
});

function check(rows: AttemptRows, { ended, handle, launch, ordinal, row, totalMs }: Twin): void {
  const { as, attempt, node, request, slot, task } = launch;
  const { id, node: on, request: by, slot: kind, task: of } = rowSays(rows, row);
  expect([id, on, by, kind, of]).toEqual([attempt, node, request, slot, task]);
  expect([rows.as(row), rows.ended(row), rows.handle(row)]).toEqual([as, ended, handle]);
  expect(rows.hasArrived(row)).toBe(ordinal !== undefined);
  expect(rows.isRunning(row)).toBe(totalMs !== undefined && ended === undefined);
  expect(rows.phase(row)).toBe(phase);
  expect(rows.behind(row)).toBe(undefined);
  if (totalMs !== undefined) expect(rows.evenWork(row)).toEqual(evenWork(totalMs));
  if (ordinal === undefined) return;
  const index = task - FIRST;
  expect(rows.arriving(row)).toEqual({ index, ordinal, as, copies: ordinal + 1 });
}

const rowSays = (rows: AttemptRows, row: Row) => ({
  id: rows.id(row),
  node: rows.node(row),
  request: rows.request(row),
  slot: rows.slot(row),
  task: rows.task(row),
});

describe("rows of attempts", () => {
  test("agree with a record of each attempt, however often rows are reused", () => {
    const random = randomState(3, "rows");
    const rows = new AttemptRows(SLOTS);
    const twins = new Set<Twin>();
    for (let n = 0; n < 500; n += 1) {
      const launch = launchOf(random, n);
      const there = [...twins].filter((twin) => twin.launch.node === launch.node);
      if (there.length < (SLOTS[launch.node] ?? 0)) {
        const row = rows.enter(launch, phase);
        const none = undefined;
        twins.add({ launch, row, ordinal: none, handle: none, totalMs: none, ended: none });
      } else if (there.length > 0) {
        const gone = pick(random, there);
        rows.leave(gone.row);
        twins.delete(gone);
        expect(rows.find(launch.node, gone.launch.attempt)).toBe(undefined);
      }
      for (const twin of twins) {
        if (integer(random, 4) === 0) change(random, rows, twin);
        check(rows, twin);
      }
      for (const node of SLOTS.keys()) {
        const on = [...twins].filter((twin) => twin.launch.node === node);
        const visited: Row[] = [];
        rows.each(nodeId(node), (row) => visited.push(row));
        expect(visited).toEqual(on.map(({ row }) => row));
        for (const { launch, row } of on) expect(rows.find(nodeId(node), launch.attempt)).toBe(row);
      }
    }
  });

  test("a visit skips attempts that have left and attempts that have come since", () => {
    const random = randomState(4, "rows");
    const rows = new AttemptRows([3]);
    const launch = (n: number) => ({ ...launchOf(random, n), node: nodeId(0) });
    const [first, second] = [rows.enter(launch(0), phase), rows.enter(launch(1), phase)];
    const visited: Row[] = [];
    rows.each(nodeId(0), (row) => {
      visited.push(row);
      rows.leave(second);
      expect(rows.enter(launch(2), phase)).toBe(second);
    });
    expect(visited).toEqual([first]);
  });

  test("a node has no row for more attempts than it has slots", () => {
    const rows = new AttemptRows([1]);
    const launch = { ...launchOf(randomState(5, "rows"), 0), node: nodeId(0) };
    rows.leave(rows.enter(launch, phase));
    const row = rows.enter(launch, phase);
    expect(() => rows.enter(launch, phase)).toThrow("a row for each of its slots");
    rows.leave(row);
    expect(() => rows.leave(row)).toThrow("leaves its node once");
  });
});
