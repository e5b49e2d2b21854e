import { describe, expect, test } from "vitest";
import {
  jobOf,
  lasting,
  nodes,
  phase,
  readsAll,
  runJob,
  told,
} from "../../../test/support/recorded.ts";
import { parseDiscipline } from "../../policy/discipline.ts";

const discipline = parseDiscipline("none,sharing=fifo-plain", ["detection.expiryMs=200"]);

describe("a phase in its gap", () => {
  const map = phase("map", [lasting(1_000), lasting(1_000)], {
    further: () => ({ workMs: 3_000 }),
  });
  const reduce = phase("reduce", [lasting(400)], { ...readsAll, gapMs: 2_000 });
  const job = jobOf(nodes(3), map, reduce);

  /** n0 dies with the output of the first map. */
  const withoutN0 = (at: number) =>
    told(
      runJob(
        { ...job, faults: [{ kind: "kill", at, node: "n0" }] },
        { discipline, timing: { heartbeatMs: 100 } },
      ),
    );

  test("keeps the end of its gap while a lost output is recomputed within the gap", () => {
    const short = { ...map, further: () => ({ workMs: 200 }) };
    const on = jobOf(nodes(3), short, reduce);
    const run = runJob(
      { ...on, faults: [{ kind: "kill", at: 1_300, node: "n0" }] },
      { discipline, timing: { heartbeatMs: 100 } },
    );
    expect(told(run).some((line) => line.startsWith("0/0 recompute"))).toBe(true);
    const began = run.attempts.find(({ phase }) => phase === 1)?.launchedAtMs ?? 0;
    expect(began).toBeGreaterThanOrEqual(3_000);
    expect(began).toBeLessThan(3_200);
  });

  test("begins when a lost output is back, if its gap has ended before", () => {
    const lines = withoutN0(1_500);
    const recompute = lines.find((line) => line.startsWith("0/0 recompute"));
    const [, , , times = ""] = (recompute ?? "").split(" ");
    const again = Number(times.split("-")[1]);
    const [, , , began = ""] = (lines.find((line) => line.startsWith("1/0")) ?? "").split(" ");
    expect(again).toBeGreaterThan(4_000);
    expect(Number(began.split("-")[0])).toBeGreaterThanOrEqual(again);
    expect(Number(began.split("-")[0])).toBeLessThan(again + 200);
  });

  test("is over once its job has failed", () => {
    const fails = lasting(5_000, { failsAfterMs: 300 });
    const side = phase("side", [fails], { further: () => ({ workMs: 9_000, failsAfterMs: 300 }) });
    const run = runJob(jobOf(nodes(3), map, side, { ...reduce, gapMs: 5_000 }));
    expect(run).toMatchObject({ outcome: "failed", responseMs: 1_900 });
  });
});
