import { expect, test } from "vitest";
import { jobOf } from "../../src/library/job-of-history.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";
import { tryPolicies } from "../../src/whatif/try-policies.ts";
import { ownHistories } from "../evidence/histories.ts";
import { contradictionsIn } from "../support/one-answer.ts";

const OWN = ownHistories().filter(({ format, path }) => format !== "journal" && !/off/.test(path));

test.each(OWN.map(({ path }) => path))("what-if says one thing about %s", async (path) => {
  const trace = await openTrace(path);
  const { source } = trace;
  const job = jobOf({ trace, place: path });
  const found = tryPolicies(job, { policies: ["late", "spark-4"], source, seeds: 2 });
  expect(contradictionsIn(found)).toEqual([]);
});
