import { expect, test } from "vitest";
import type { JobDigest } from "./digest.ts";
import { dayOf, fleetOf } from "./fleet.ts";
import { fleetSentences } from "./sentences.ts";

test("an instant's day is the calendar's", () => {
  for (let day = -800_000; day < 1_200_000; day += 97) {
    const at = day * 86_400_000 + 12_345_678;
    const known = new Date(at).toISOString().slice(0, 10);
    if (known.startsWith("-") || known.startsWith("+")) continue;
    expect(dayOf(at)).toBe(known);
  }
  expect(dayOf(Date.UTC(2028, 1, 29))).toBe("2028-02-29");
  expect(dayOf(Date.UTC(2028, 2, 1) - 1)).toBe("2028-02-29");
});

const job = (id: string, more: Partial<JobDigest>): JobDigest => ({
  ...{ id, name: id, outcome: "succeeded", submittedAt: 0, isDated: false, responseMs: 100_000 },
  ...{ delayMs: 0, usualMs: 100_000, slotMs: 0, attempts: 10, causes: [], nodes: [], sigma: 0.1 },
  ...{ parts: [{ part: "work", ms: 100_000 }], failures: [] },
  ...more,
});

test("jobs together: causes with the jobs that they hurt, idle time, failures by reason", () => {
  const fleet = fleetOf([
    job("a", {
      ...{ delayMs: 30_000, usualMs: 70_000, causes: [{ cause: "node", ms: 30_000 }] },
      parts: [
        { part: "work", ms: 50_000 },
        { part: "driver", ms: 20_000 },
      ],
      failures: [{ reason: "no space left on device", count: 3 }],
    }),
    job("b", {
      ...{ outcome: "failed", causes: [{ cause: "node", ms: 500 }] },
      failures: [
        { reason: "exit code 137", count: 1 },
        { reason: "no space left on device", count: 2 },
      ],
    }),
  ]);
  expect(fleetSentences(fleet)).toEqual([
    "2 jobs, 1 of which did not succeed, took 200 s in all; 30.0 s (15 %) of that was lost: " +
      "30.5 s to slow node (1 job).",
    "Beside their work: driver alone 20.0 s.",
    "5 attempts of 2 jobs had no result: no space left on device.",
    "1 attempt of 1 job had no result: exit code 137.",
  ]);
});

test("a slow node that delayed no job says so, in the place of 0 s", () => {
  const node = { node: "n7", jobs: 4, hurt: ["a", "b", "c"], slowIn: 3, factor: 1.3, delayMs: 0 };
  const [, sentence] = fleetSentences({
    ...fleetOf([job("a", {}), job("b", {}), job("c", {})]),
    nodes: [{ ...node, isSlow: true }],
  });
  expect(sentence).toBe(
    "Node n7 was slow in 3 of the 4 jobs that ran on it: its attempts took 1.3 times as long as " +
      "their peers and cost no job any time (a, b, c).",
  );
});
