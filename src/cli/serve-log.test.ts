import { expect, test } from "vitest";
import { ServeLog } from "./serve-log.ts";

const phases = [{ name: "map", tasks: 1 }];
const submitted = { kind: "job-submitted", phases, inputBytes: 10 } as const;
const attempt = { as: "original", node: "n1", ranMs: 5 } as const;

test("a server names the job that ended, its time, and the reason of a failure", () => {
  const log = new ServeLog();
  expect(log.line({ at: 1_000, job: "count", ...submitted })).toBe(
    "1.0 s  job count: 1 map task over 10 B",
  );
  log.line({ at: 1_500, job: "sort", ...submitted });
  log.line({
    ...{ at: 2_000, kind: "attempt-ended", attempt: "sort/map/0#3", ...attempt },
    how: { kind: "failed", cause: "error", message: "no such thing", place: "/sort.ts:7" },
  });
  const why = { rule: "too-many-failures", numbers: {} };
  expect(log.line({ at: 2_500, kind: "job-ended", job: "sort", outcome: "failed", why })).toBe(
    "2.5 s  job sort failed after 1.0 s: a task failed too often; " +
      "map/0#3 failed at /sort.ts:7: no such thing",
  );
  const done = { rule: "all-done", numbers: {} };
  expect(
    log.line({ at: 4_000, kind: "job-ended", job: "count", outcome: "succeeded", why: done }),
  ).toBe("4.0 s  job count succeeded after 3.0 s");
});
