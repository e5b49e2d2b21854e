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

/** Curves of jobs that the page does not simulate are in whole ms. */
const rounded = ({ phases, ...job }: TraceJob): TraceJob => ({
  ...job,
  phases: phases.map(({ attempts: { curves, ...attempts }, ...phase }) => ({
    ...phase,
    attempts: { ...attempts, ...(curves !== undefined && { curves: curves.map(Math.round) }) },
  })),
});

function checkCarried(trace: Trace): void {
  const options = { host: "hadoop", source: "history", intervals: false } as const;
  const page = documentFrom(documentBytes(pageOf(trace, options)));
  const { whyJob } = page.head;
  for (const [n, job] of trace.jobs.entries()) {
    const { job: found, isSimulated } = jobFromCarried(carriedJob(job, page, n), page);
    expect(isSimulated).toBe(true);
    if (n === whyJob) expect(found).toEqual(job);
    else expect(rounded(found)).toEqual(rounded(job));
    const own = pageOf(trace, { ...options, jobs: [job] });
    const alone = documentFrom(documentBytes(own));
    expect(jobFromCarried(carriedJob(job, own, 0), alone).job).toEqual(job);
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
