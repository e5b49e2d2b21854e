import { expect, test } from "vitest";
import {
  lasting,
  lostIn,
  SLOTS,
  saidOf,
  smallJob,
  waiting,
  whyOf,
} from "../../../test/diagnose/support/small-job.ts";

test("a wait beyond those of the peers is a cause", () => {
  const [headline] = saidOf(smallJob((task) => (task === 20 ? waiting(task, 6_000) : {})));
  expect(Math.abs(lostIn(headline, "waiting to start") - 6_000)).toBeLessThan(200);
});

test("an attempt that begins as soon as it can has waited for nothing", () => {
  const said = saidOf(smallJob((task) => (task === 20 ? lasting(task, 16_000) : {})));
  expect(said.join()).not.toMatch(/waiting|[Ww]aited/);
});

test("a wait beside a free slot names Spark's setting where tasks prefer places", () => {
  const placed = (far: "any" | "node") =>
    smallJob(
      (task) =>
        task === 20 ? { ...waiting(task, 6_000), locality: far } : { locality: "node" as const },
      { slots: SLOTS },
    );
  expect(saidOf(placed("any"))[2]).toMatch(
    /^Attempts waited beside free slots for 6.0 s: spark.locality.wait \(3s\) is a likely reason,/,
  );
  expect(saidOf(placed("node")).join()).not.toMatch(/spark.locality.wait/);
});

test("a wait after the assignment is a part of its own", () => {
  const { causes } = whyOf(
    smallJob((task) => ({
      ...(task === 20 ? waiting(task, 6_000) : {}),
      assignedAt: Math.floor(task / 8) * 10_500 + (task % 8) * 7,
    })),
  );
  const [part, ...others] = causes.find(({ cause }) => cause === "waited-to-start")?.parts ?? [];
  expect(others).toEqual([]);
  expect(part?.what).toBe("assigned but not begun");
  expect(Math.abs((part?.ms ?? Number.NaN) - 6_000)).toBeLessThan(200);
});
