import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { whyText } from "../../src/cli/why-text.ts";
import type { HintRow } from "../../src/diagnose/document.ts";
import { diagnose } from "../../src/diagnose/why.ts";
import type { TraceJob } from "../../src/history/model.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { lasting, smallJob } from "./support/small-job.ts";
import { makeWorld } from "./support/world.ts";

const WORLDS = Number(process.env.DIAGNOSE_WORLDS ?? 200);

function hintsIn(job: TraceJob): readonly HintRow[] {
  const found = diagnose({ notes: [] }, job, { intervals: false, audit: false });
  if (found.kind !== "why") throw new Error(found.kind);
  return found.why.hints;
}

describe("hints on the unexplained", () => {
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
      smallJob(() => ({ gcMs: 4_000 })),
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
    const beside = whyOf(smallJob((task) => ({ gcMs: gcMs(task) })));
    const [note, ...others] = beside.notes.map(({ text }) => text);
    expect(note).toMatch(/^garbage collection in stage 0 counts by \d %: /);
    expect(note).toMatch(/: attempts with more of it took hardly longer$/);
    expect(others).toEqual([]);
    expect(beside.ms).toBeLessThan(100);
    const stopping = whyOf(
      smallJob((task) => ({ gcMs: gcMs(task), ...lasting(task, 10_000 + gcMs(task)) })),
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
