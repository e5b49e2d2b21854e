import { describe, expect, test } from "vitest";
import { curveOf } from "../../model/progress.ts";
import { FixedRun } from "./fixed-run.ts";
import { EVEN_STEPS, type Profile } from "./profile.ts";

const even: Profile = {
  totalMs: 100,
  steps: EVEN_STEPS,
  bytesRead: 1_000,
  slowedByNode: true,
  startMs: 0,
};
const staged: Profile = {
  totalMs: 100,
  steps: [
    { stage: 0, share: 0, score: 0.25 },
    { stage: 1, share: 0.25, score: 0.25 },
    { stage: 2, share: 0.75, score: 0.5 },
  ],
  bytesRead: 0,
  slowedByNode: true,
  startMs: 0,
};

const looks = (run: FixedRun) =>
  curveOf(run.progress(0)).segments.map(({ from, stage, at, perMs }) => [
    from,
    stage,
    at.score,
    perMs.score,
  ]);

describe("a run of fixed time", () => {
  test("proceeds evenly from 0 to 1, and reads at the same pace", () => {
    const run = new FixedRun(even, { failsAt: undefined, at: 10, speed: 0.5 });
    expect(run.endsAt).toBe(210);
    expect(looks(run)).toEqual([[10, 0, 0, 0.005]]);
    expect(curveOf(run.progress(3_000))).toMatchObject({
      kind: "curve",
      startedAt: 10,
      reportEvery: 3_000,
    });
    expect(curveOf(run.progress(0)).segments[0]?.perMs.bytesRead).toBe(5);
  });

  test("a stage that takes no time is jumped over: the score starts above 0", () => {
    const run = new FixedRun(staged, { failsAt: undefined, at: 0, speed: 1 });
    expect(looks(run)).toEqual([
      [0, 1, 0.25, 0.01],
      [25, 2, 0.5, 0.5 / 75],
    ]);
  });

  test("a change of speed keeps the progress so far, and stretches the rest", () => {
    const run = new FixedRun(staged, { failsAt: undefined, at: 0, speed: 1 });
    run.changeSpeed(50, 0.25);
    expect(run.endsAt).toBe(250);
    expect(looks(run)).toEqual([
      [0, 1, 0.25, 0.01],
      [25, 2, 0.5, 0.5 / 75],
      [50, 2, expect.closeTo(0.5 + 25 * (0.5 / 75), 12), 0.5 / 75 / 4],
    ]);
  });

  test("a paused run never ends, and continues where it was", () => {
    const run = new FixedRun(even, { failsAt: undefined, at: 0, speed: 1 });
    run.changeSpeed(40, 0);
    expect(run.endsAt).toBe(Number.POSITIVE_INFINITY);
    expect(looks(run).at(-1)).toEqual([40, 0, 0.4, 0]);
    run.changeSpeed(90, 1);
    expect(run.endsAt).toBe(150);
    expect(looks(run)).toEqual([
      [0, 0, 0, 0.01],
      [40, 0, 0.4, 0],
      [90, 0, 0.4, 0.01],
    ]);
  });

  test("a failing run ends at the point of its failure", () => {
    const run = new FixedRun(even, { failsAt: 0.3, at: 0, speed: 0.5 });
    expect(run.endsAt).toBe(60);
    expect(run.ends).toBe("failed");
  });

  test("reads records as it reads bytes: evenly, after its start-up", () => {
    const profile: Profile = {
      ...even,
      records: 600,
      startMs: 40,
      steps: [
        { stage: 0, share: 0.4, score: 0 },
        { stage: 0, share: 0.6, score: 1 },
      ],
    };
    const run = new FixedRun(profile, { failsAt: undefined, at: 0, speed: 0.5 });
    const [starts, reads] = curveOf(run.progress(0)).segments;
    expect([starts?.perMs.records, reads?.perMs.records]).toEqual([0, 5]);
    run.changeSpeed(100, 0.25);
    expect(curveOf(run.progress(0)).segments.at(-1)).toMatchObject({
      at: { records: 100 },
      perMs: { records: 2.5 },
    });
  });

  test("fails after its recorded time, also past the end of its work", () => {
    const failing = (failsAfterMs: number) =>
      new FixedRun({ ...even, failsAfterMs }, { failsAt: undefined, at: 10, speed: 0.5 });
    expect([failing(30).endsAt, failing(150).endsAt]).toEqual([70, 310]);
    expect(failing(30).ends).toBe("failed");
  });

  test("is held until it is released, whatever happens to its node", () => {
    const run = new FixedRun(even, { failsAt: undefined, at: 10, speed: 1, isHeld: true });
    expect(run.endsAt).toBe(Number.POSITIVE_INFINITY);
    run.changeSpeed(20, 0.5);
    expect(run.endsAt).toBe(Number.POSITIVE_INFINITY);
    run.release(50, 0.5);
    expect(run.endsAt).toBe(250);
    expect(looks(run).map(([from, , score, perMs]) => [from, score, perMs])).toEqual([
      [10, 0, 0],
      [20, 0, 0],
      [50, 0, 0.005],
    ]);
  });
});
