import { expect, test } from "vitest";
import { diagnose } from "../../src/diagnose/why.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";

/** The slow nodes that fixtures/README.md and docs/pairs.md tell of. */
const KNOWN: readonly (readonly [path: string, node: string])[] = [
  ["fixtures/hadoop/json.jhist", "n1"],
  ["fixtures/hadoop/binary.jhist", "n1"],
  ["fixtures/spark/two-workers.ndjson", "127.0.0.41"],
  ["fixtures/pairs/engine/none.ndjson.gz", "n2"],
  ["fixtures/pairs/engine/late.ndjson.gz", "n2"],
  ["fixtures/pairs/hadoop/none.jhist.gz", "n1"],
  ["fixtures/pairs/hadoop/stock.jhist.gz", "n1"],
  ["fixtures/pairs/hadoop/late.jhist.gz", "n1"],
  ["fixtures/pairs/spark/off.ndjson.zst", "127.0.0.52"],
  ["fixtures/pairs/spark/on.ndjson.zst", "127.0.0.52"],
  ["fixtures/pairs/spark/1-off.ndjson.zst", "127.0.0.52"],
  ["fixtures/pairs/spark/2-off.ndjson.zst", "127.0.0.52"],
  ["fixtures/pairs/spark/3-off.ndjson.zst", "127.0.0.52"],
];

test.each(KNOWN)("the first sentence about %s names %s", async (path, node) => {
  const trace = await openTrace(path);
  const [job] = trace.jobs;
  if (job === undefined) throw new Error("no job");
  const found = diagnose(trace, job);
  if (found.kind !== "why") throw new Error(found.kind);
  const [first = "", second = ""] = found.why.verdict.split("\n");
  expect(first).toMatch(new RegExp(`(slow )?node ${node.replaceAll(".", "\\.")}\\b.*slow`));
  expect(second).toContain(`Node ${node} `);
  // No interval of the first line holds 0.
  for (const [, low = "", high = ""] of first.matchAll(/\[(-?[\d.]+), (-?[\d.]+)\]/g)) {
    expect(Number(low) > 0 || Number(high) < 0, first).toBe(true);
  }
});
