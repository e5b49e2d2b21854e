import fc from "fast-check";
import { expect, test } from "vitest";
import { ATTEMPT_KINDS, type AttemptKind, type AttemptState } from "../../model/attempt.ts";
import { attemptId, type Instant, instant, nodeId, slotKind, taskId } from "../../model/ids.ts";
import type { ProgressSource } from "../../model/progress.ts";
import { AttemptTable } from "./attempt-table.ts";

interface Rare {
  progress: ProgressSource | undefined;
  note?: number;
}

/** The simple twin of a row. */
interface Twin {
  readonly row: number;
  readonly id: number;
  readonly phase: number;
  readonly index: number;
  readonly node: number;
  readonly kind: number;
  readonly as: AttemptKind;
  readonly launchedAt: number;
  state: AttemptState;
  startedAt: Instant | undefined;
  endedAt: Instant | undefined;
  isConfirmed: boolean;
  isPresent: boolean;
  progress: ProgressSource | undefined;
  note: number | undefined;
}

const STATES = ["assumed", "running", "dying", "succeeded", "failed", "killed"] as const;
const instants = fc.oneof(fc.double({ min: 0, max: 1e13, noNaN: true }), fc.nat(1e6)).map(instant);
const line = fc.record({
  kind: fc.constant("line" as const),
  startedAt: fc.option(instants, { nil: undefined }),
  scorePerMs: fc.double({ min: 0, max: 1, noNaN: true }),
  bytesReadPerMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
  reportEvery: fc.oneof(fc.constant(0), fc.nat(10_000), fc.constant(2.5), fc.constant(2 ** 40)),
});
const curve = instants.map((startedAt) => ({
  kind: "curve" as const,
  startedAt,
  segments: [],
  reportEvery: 0,
}));

const change = fc.oneof(
  fc.record({
    does: fc.constant("add" as const),
    phase: fc.nat(1e6),
    index: fc.nat(1e6),
    node: fc.nat(1e5),
    kind: fc.nat(1_000),
    as: fc.constantFrom(...ATTEMPT_KINDS),
    at: instants,
  }),
  fc.record({ does: fc.constant("delete" as const), which: fc.nat() }),
  fc.record({
    does: fc.constant("set" as const),
    which: fc.nat(),
    state: fc.constantFrom(...STATES),
    startedAt: instants,
    endedAt: fc.option(instants, { nil: undefined }),
    confirms: fc.boolean(),
    isPresent: fc.boolean(),
    progress: fc.option(fc.oneof(line, curve), { nil: undefined }),
    note: fc.option(fc.nat(), { nil: undefined }),
  }),
);
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

class Twins {
  readonly #table = new AttemptTable<Rare>();
  readonly #twins: Twin[] = [];
  #next = 0;

  do(what: Change): void {
    if (what.does === "add") this.#add(what);
    else {
      const twin = this.#twins[what.which % Math.max(1, this.#twins.length)];
      if (twin === undefined) return;
      if (what.does === "set") this.#set(twin, what);
      else this.#delete(twin);
    }
  }

  #add({ phase, index, node, kind, as, at }: Change & { does: "add" }): void {
    const id = this.#next++;
    const task = taskId(index);
    const ids = { attempt: attemptId(id), node: nodeId(node), slot: slotKind(kind), task };
    const row = this.#table.add({ ...ids, as }, phase, at);
    this.#twins.push({
      row,
      ...{ id, phase, index, node, kind, as, launchedAt: at },
      state: "assumed",
      startedAt: undefined,
      endedAt: undefined,
      isConfirmed: false,
      isPresent: false,
      progress: undefined,
      note: undefined,
    });
  }

  #delete(twin: Twin): void {
    this.#table.delete(twin.row);
    this.#twins.splice(this.#twins.indexOf(twin), 1);
  }

  #set(twin: Twin, what: Change & { does: "set" }): void {
    const { row } = twin;
    const rare = (): Rare => ({ progress: undefined });
    if (what.endedAt === undefined) this.#table.setState(row, what.state);
    else this.#table.end(row, what.state, what.endedAt);
    if (what.confirms) this.#table.start(row, what.startedAt);
    else this.#table.setStartedAt(row, what.startedAt);
    this.#table.setPresent(row, what.isPresent);
    if (what.note !== undefined) this.#table.ensureColdFields(row, rare).note = what.note;
    const { progress } = what;
    const source =
      progress?.kind === "line"
        ? { ...progress, startedAt: progress.startedAt ?? what.startedAt }
        : progress;
    this.#table.setProgress(row, source, rare);
    twin.state = what.confirms && what.state === "assumed" ? "running" : what.state;
    twin.startedAt = what.startedAt;
    twin.endedAt = what.endedAt ?? twin.endedAt;
    twin.isConfirmed ||= what.confirms;
    twin.isPresent = what.isPresent;
    twin.progress = source;
    twin.note = what.note ?? twin.note;
  }

  compare(): void {
    const table = this.#table;
    for (const twin of this.#twins) {
      const { row } = twin;
      expect(table.find(twin.id)).toBe(row);
      expect({
        row,
        id: table.id(row),
        phase: table.phase(row),
        index: table.task(row),
        node: table.node(row),
        kind: table.kind(row),
        as: table.as(row),
        launchedAt: table.launchedAt(row),
        state: table.state(row),
        startedAt: table.startedAt(row),
        endedAt: table.endedAt(row),
        isConfirmed: table.isConfirmed(row),
        isPresent: table.isPresent(row),
        progress: table.progress(row),
        note: table.coldFields(row)?.note,
      }).toEqual(twin);
      const onSlot = ["assumed", "running", "dying"].includes(twin.state);
      expect(table.holdsSlot(row)).toBe(onSlot);
    }
    expect(table.find(this.#next)).toBe(-1);
    expect(new Set(this.#twins.map(({ row }) => row)).size).toBe(this.#twins.length);
  }
}

test("a row agrees with an object of the same fields, also when reused", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 120 }), (changes) => {
      const twins = new Twins();
      for (const what of changes) twins.do(what);
      twins.compare();
    }),
    { numRuns: 200 },
  );
});

test("rows are reused, and their number grows without a limit", () => {
  const twins = new Twins();
  for (let n = 0; n < 3_000; n += 1) {
    const at = instant(n);
    twins.do({ does: "add", phase: n, index: n, node: n, kind: 0, as: "original", at });
    if (n % 3 === 0) twins.do({ does: "delete", which: n * 7 });
  }
  twins.compare();
});

test("lines that differ in only one field are distinguished", () => {
  const table = new AttemptTable<Rare>();
  const rows = Array.from({ length: 16 }, (_, n) => {
    const [startedAt, scorePerMs, bytesReadPerMs, reportEvery] = [1, 2, 4, 8].map((bit) => n & bit);
    const progress = {
      kind: "line" as const,
      startedAt: instant(startedAt ?? 0),
      scorePerMs: scorePerMs ?? 0,
      bytesReadPerMs: bytesReadPerMs ?? 0,
      reportEvery: reportEvery ?? 0,
    };
    const ids = { attempt: attemptId(n), task: taskId(n), node: nodeId(0), slot: slotKind(0) };
    const row = table.add({ ...ids, as: "original" }, 0, instant(0));
    table.setStartedAt(row, progress.startedAt);
    table.setProgress(row, progress, () => ({ progress: undefined }));
    return { row, progress };
  });
  for (const before of rows) {
    for (const { row, progress } of rows) {
      table.progress(before.row);
      expect(table.progress(row)).toEqual(progress);
    }
  }
});
