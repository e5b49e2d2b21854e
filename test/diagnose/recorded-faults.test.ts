import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { diagnose } from "../../src/diagnose/why.ts";
import { JournalReader } from "../../src/trace/journal/read-journal.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";

const DEMO = "fixtures/page/demo.ndjson.gz";

/** The demo, without the seal of its last line, and with these lines of the host. */
function withFaults(...faults: readonly object[]): Buffer {
  const lines = gunzipSync(readFileSync(DEMO)).toString().trimEnd().split("\n");
  const host = faults.map((fault) => JSON.stringify({ host: { kind: "fault", ...fault } }));
  return Buffer.from([...lines.slice(0, -1), ...host].join("\n"));
}

function jobOf(bytes: Uint8Array) {
  const reader = new JournalReader("demo.ndjson");
  reader.push(bytes);
  const [job] = reader.end().jobs;
  if (job === undefined) throw new Error("no job");
  return job;
}

function firstLineOf(job: ReturnType<typeof jobOf>): string {
  const found = diagnose({ notes: [] }, job, { intervals: false, audit: false });
  if (found.kind !== "why") throw new Error(found.kind);
  return found.why.verdict.split("\n")[0] ?? "";
}

describe("faults that a journal records", () => {
  test("are told as facts, with the time since the submission", async () => {
    const [job] = (await openTrace(DEMO)).jobs;
    if (job === undefined) throw new Error("no job");
    expect(job.evidence?.faults?.map(({ node, what }) => `${node} ${what}`)).toEqual([
      "n2 slowed 10-fold",
      "n3 killed",
    ]);
    expect(firstLineOf(job)).toContain(
      "The journal records: n2 slowed 10-fold at 0.37 s; n3 killed at 23.0 s.",
    );
  });

  test("count by kind, and those that were over before the job, or began after it, do not", () => {
    const { submittedAt, endedAt } = jobOf(withFaults());
    const slow = { node: "n4", what: "slow ×2", fault: "slow" };
    const before = { ...slow, node: "n5", at: submittedAt - 20, is: "begin" };
    const job = jobOf(
      withFaults(
        before,
        { ...before, at: submittedAt - 10, what: "over", is: "end" },
        { ...slow, at: submittedAt - 5, is: "begin" },
        { ...slow, at: submittedAt + 1_000, what: "over", is: "end" },
        { ...slow, at: submittedAt + 2_000, is: "begin" },
        { ...slow, node: "n6", fault: "pause", what: "paused", at: endedAt + 1, is: "begin" },
        {
          ...slow,
          node: "rack-1",
          fault: "congestion",
          what: "30 % taken",
          at: 40_000,
          is: "begin",
        },
      ),
    );
    const line = firstLineOf(job);
    expect(line).toContain("; n4 slow ×2 at 0 s, 2 times; 1 more fault.");
    expect(line).not.toMatch(/n5|n6/);
  });

  test("a line that is no fault of a node is none", () => {
    const said = jobOf(withFaults()).evidence?.faults;
    const odd = withFaults({ node: 7, what: "slow", at: 1, is: "begin" }, { at: "soon" }, {});
    expect(jobOf(odd).evidence?.faults).toEqual(said);
  });
});
