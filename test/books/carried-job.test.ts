import { expect, test } from "vitest";
import type { Trace, TraceJob } from "../../src/history/model.ts";
import { REGISTRY } from "../../src/policy/registry.ts";
import { carriedJob, jobFromCarried } from "../../src/report/page/carried-job.ts";
import { documentBytes, documentFrom } from "../../src/report/page/document-bytes.ts";
import { journalPage } from "../../src/report/page/from-journal.ts";
import { pageOf } from "../../src/report/page/from-trace.ts";
import { planWorld } from "../../src/testing/plan.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { World } from "../simulate/world.ts";

/** Journals of ours, and logs of Hadoop and Spark. */
const HISTORIES = [
  "fixtures/pairs/engine/late.ndjson.gz",
  "test/replay/yarn/late-outputs-lost.ndjson",
  "fixtures/pairs/spark/1-off.ndjson.zst",
  "fixtures/hadoop/json.jhist",
];

const withoutCurves = ({ phases, ...job }: TraceJob): TraceJob => ({
  ...job,
  phases: phases.map(({ attempts: { curves: _, ...attempts }, ...phase }) => ({
    ...phase,
    attempts,
  })),
});

function checkCarried(trace: Trace): void {
  const page = pageOf(trace, { host: "hadoop", source: "history", intervals: false });
  const shown = documentFrom(documentBytes(page));
  for (const [n, job] of trace.jobs.entries()) {
    const carriedAs = (isWhole: boolean) =>
      jobFromCarried(carriedJob({ job, isWhole }, page, n), shown);
    expect(carriedAs(true)).toEqual({ job, isWhole: true });
    const { job: large, isWhole } = carriedAs(false);
    expect(isWhole).toBe(false);
    expect(withoutCurves(large)).toEqual(withoutCurves(job));
    for (const [p, { attempts }] of large.phases.entries()) {
      const exact = job.phases[p]!.attempts.curves;
      expect(attempts.curves?.length).toBe(exact?.length);
    }
  }
}

test.each(HISTORIES)("a page carries its job to the last bit: %s", async (path) => {
  checkCarried(await openTrace(path, { registry: REGISTRY }));
});

test("also of simulated runs, whose times are no whole ms", () => {
  for (let seed = 0; seed < 5; seed += 1) {
    const world = new World(planWorld(seed));
    world.run();
    const restore = () => world.setup.discipline;
    const { trace } = journalPage(world.journal, restore, { place: "world", by: "actions" });
    checkCarried(trace);
  }
});
