import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { whyText } from "../../src/cli/why-text.ts";
import type { HintRow } from "../../src/diagnose/document.ts";
import { diagnose } from "../../src/diagnose/why.ts";
import { ColumnsBuilder } from "../../src/history/columns-builder.ts";
import type { TraceJob } from "../../src/history/model.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { addAttempt, type NamedAttempt } from "./support/attempt.ts";
import { makeWorld } from "./support/world.ts";

const WORLDS = Number(process.env.DIAGNOSE_WORLDS ?? 200);
const NODES = ["n0", "n1", "n2", "n3"];

function hintsIn(job: TraceJob): readonly HintRow[] {
  const found = diagnose({ notes: [] }, job, { intervals: false, audit: false });
  if (found.kind !== "why") throw new Error(found.kind);
  return found.why.hints;
}

/** One phase of 24 tasks of 10 s, six on each node, two at a time; `change` makes some late. */
function jobOf(change: (task: number) => Partial<NamedAttempt>): TraceJob {
  const builder = new ColumnsBuilder();
  let endedAt = 0;
  for (let task = 0; task < 24; task++) {
    const startedAt = Math.floor(task / 8) * 10_500 + (task % 8) * 7;
    const attempt: NamedAttempt = {
      task,
      ordinal: 0,
      as: "original",
      node: task % NODES.length,
      executor: -1,
      startedAt,
      endedAt: startedAt + 10_000 + ((task * 37) % 11) * 20,
      ended: "succeeded",
      cpuMs: 9_000,
      inputBytes: 1_000,
      inputRecords: 100,
      ...change(task),
    };
    addAttempt(builder, attempt);
    endedAt = Math.max(endedAt, attempt.endedAt);
  }
  const attempts = builder.build();
  const phase = { name: "stage 0", kind: "stage", span: -1, reads: [] } as const;
  return {
    id: "job",
    name: "job",
    submittedAt: 0,
    endedAt,
    outcome: "succeeded",
    phases: [{ ...phase, tasks: 24, attempts }],
    spans: [],
    nodes: NODES,
    executors: [],
    slots: [],
    settings: { values: {} },
    lacks: new Set(),
  };
}

const lasting = (task: number, ms: number): Partial<NamedAttempt> => {
  const startedAt = Math.floor(task / 8) * 10_500 + (task % 8) * 7;
  return { endedAt: startedAt + ms };
};

describe("hints on the unexplained", () => {
  test("name a time-out that two nodes lost at the same time", () => {
    const job = jobOf((task) => (task === 21 || task === 22 ? lasting(task, 70_100) : {}));
    expect(hintsIn(job)).toEqual([
      {
        kind: "time-out",
        text:
          "2 attempts each lost about 60 s, the default of HDFS's dfs.client.socket-timeout, at " +
          "the same time.",
        attempts: ["stage 0/21#0", "stage 0/22#0"],
      },
    ]);
  });

  test("do not name one that a single node lost, or that was lost at different times", () => {
    const same = jobOf((task) => (task === 17 || task === 21 ? lasting(task, 70_100) : {}));
    expect(hintsIn(same)).toEqual([]);
    const other = jobOf((task) => (task === 21 || task === 22 ? lasting(task, 50_100) : {}));
    expect(hintsIn(other)).toEqual([]);
  });

  test("name a moment at which most attempts were late", () => {
    const job = jobOf((task) => (task >= 16 && task < 22 ? lasting(task, 19_000 + task * 31) : {}));
    expect(hintsIn(job).map(({ kind, text }) => [kind, text])).toEqual([
      [
        "all-at-once",
        "21.0 s after the submission, 6 of the 6 attempts that ran were late, on 4 nodes: look " +
          "for what these nodes share.",
      ],
    ]);
  });

  test("point out late attempts that waited, and late attempts with more records", () => {
    const off = jobOf((task) => (task % 7 === 3 ? lasting(task, 25_000) : {}));
    expect(hintsIn(off).map(({ text }) => text)).toEqual([
      "The late attempts spent 36 % of their time on the CPU, the others 89 %: they waited for " +
        "something.",
    ]);
    const dense = { cpuMs: 22_500, inputRecords: 300 };
    const more = jobOf((task) => (task % 7 === 3 ? { ...lasting(task, 25_000), ...dense } : {}));
    expect(hintsIn(more).map(({ text }) => text)).toEqual([
      "The late attempts read 3.0 times as many records per byte.",
    ]);
  });

  test("point out that attempts slow each other down", () => {
    // Each node runs three tasks one after another, then three at once.
    const job = jobOf((task) => {
      const nth = Math.floor(task / 4);
      const [startedAt, ms] = nth < 3 ? [nth * 10_500, 10_000] : [31_500 + nth, 16_000];
      return { startedAt, endedAt: startedAt + ms + ((task * 37) % 11) * 20 };
    });
    expect(hintsIn(job).map(({ kind, text }) => [kind, text])).toEqual([
      [
        "crowded",
        "Attempts took longer the more others ran on their node: about 1.2 times as long with 3 " +
          "at once as with 2.3.",
      ],
    ]);
  });

  test("are rare where only chance made attempts late", () => {
    let hints = 0;
    for (let seed = 1; seed <= WORLDS; seed++)
      hints += hintsIn(makeWorld(seed, new Set()).job).length;
    console.log(`${hints} hints in ${WORLDS} clean worlds`);
    expect(hints).toBeLessThanOrEqual(0.05 * WORLDS);
  });

  test("are not needed where all attempts collect garbage: the usual part says so", () => {
    const found = diagnose(
      { notes: [] },
      jobOf(() => ({ gcMs: 4_000 })),
      { intervals: false },
    );
    if (found.kind !== "why") throw new Error(found.kind);
    const text = whyText(
      { ...found.why, units: [], outsideMs: 0 },
      { width: 100, ink: "none", explain: undefined, answer: "first", next: "", top: 5 },
    );
    expect(text).toMatch(/usual .* stage 0 6\.\d s each and 4\.0 s of garbage collection/);
  });

  test("garbage collection outside the tasks is no cause, and a note says so", () => {
    const gcMs = (task: number): number => 500 + ((task * 7_919) % 24) * 150;
    const whyOf = (job: TraceJob) => {
      const found = diagnose({ notes: [] }, job, { intervals: false });
      if (found.kind !== "why") throw new Error(found.kind);
      const { notes, causes } = found.why;
      return { notes, ms: causes.find(({ cause }) => cause === "gc")?.ms ?? 0 };
    };
    const beside = whyOf(jobOf((task) => ({ gcMs: gcMs(task) })));
    expect(beside.notes.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^garbage collection in stage 0 counts by \d %: attempts with more/),
    ]);
    expect(beside.ms).toBeLessThan(100);
    const stopping = whyOf(
      jobOf((task) => ({ gcMs: gcMs(task), ...lasting(task, 10_000 + gcMs(task)) })),
    );
    expect(stopping.notes).toEqual([]);
    expect(stopping.ms).toBeGreaterThan(200);
  });

  const GROUPON = "../shared/data/spark/sparklint/spark_event_log_example";
  test.skipIf(!existsSync(GROUPON))("find the effect of HDFS's time-out on a job", async () => {
    const { jobs } = await openTrace(GROUPON);
    expect(jobs.flatMap(hintsIn).map(({ kind, attempts }) => [kind, attempts])).toContainEqual([
      "time-out",
      ["stage 0/39#0", "stage 0/40#0", "stage 0/41#0"],
    ]);
  });
});
