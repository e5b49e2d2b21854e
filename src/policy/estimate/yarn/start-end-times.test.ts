import { describe, expect, test } from "vitest";
import { Line } from "../../../../test/golden/format.ts";
import { Script } from "../../../../test/golden/script.ts";
import type { Distribution } from "../../../base/distribution.ts";
import { instant } from "../../../model/ids.ts";
import type { View } from "../../../model/view.ts";
import { parseDiscipline } from "../../discipline.ts";
import { type SpeculationPolicy, use } from "../../policy.ts";

interface Seen {
  /** The estimated time left of running attempts, in ms. */
  readonly timesLeft: () => readonly number[];
  readonly newCopies: () => readonly Distribution[];
}

/**
 * A script under an estimator, with a look each second; before the look at `stallAt` comes a
 * made-up report.
 */
function run(
  estimator: string,
  commands: readonly string[],
  {
    sets = [],
    stallAt = -1,
  }: { readonly sets?: readonly string[]; readonly stallAt?: number } = {},
): Seen {
  let timesLeft: readonly number[] = [];
  let newCopies: readonly Distribution[] = [];
  const probe: SpeculationPolicy<object, null> = {
    name: "probe",
    source: "tests",
    params: {},
    needs: [],
    remember: () => null,
    scan({ estimate, view }) {
      const running = runningIn(view);
      if (view.now === stallAt) for (const { id } of running) estimate.stall(id);
      timesLeft = running.map(({ id }) => estimate.timeLeft(id));
      newCopies = running.map(({ task }) => estimate.newCopy(task));
      return [{ kind: "wake", at: instant(view.now + 1_000) }];
    },
  };
  const script = new Script(() => () => undefined);
  const discipline = parseDiscipline(`none,sharing=fifo-plain,estimator=${estimator}`, sets);
  script.changeSetup({ discipline: { ...discipline, speculation: use(probe) } });
  for (const command of commands) script.run(new Line(command));
  return { timesLeft: () => timesLeft, newCopies: () => newCopies };
}

const runningIn = (view: View) =>
  [...view.jobs()].flatMap((job) =>
    view
      .phases(job.id)
      .flatMap(({ id }) => [...view.runningTasks(id)].flatMap((task) => view.runningOf(task.id))),
  );

describe("the reports that are read from a host", () => {
  const CURVE = ["nodes n1 map=1", "run j/map/* takes=64s", "job j map*1"];

  test("whose progress is always fresh: the last of the reports, sent every 3 s", () => {
    // At 7 s the last report was of 6 s: 6 / 64 done, and 64 s in all.
    expect(run("yarn-legacy", [...CURVE, "until 7s"]).timesLeft()).toEqual([57_000]);
    const sets = ["estimator.reportMs=8000"];
    // No report yet: as if the attempt had ended just before it began.
    expect(run("yarn-legacy", [...CURVE, "until 7s"], { sets }).timesLeft()).toEqual([-7_001]);
    expect(run("yarn-legacy", [...CURVE, "until 9s"], { sets }).timesLeft()).toEqual([55_000]);
  });

  test("that has its own intervals: the reports that it sends", () => {
    const own = ["nodes n1 map=1", "run j/map/* takes=64s reports=5s", "job j map*1", "until 7s"];
    expect(run("yarn-legacy", own).timesLeft()).toEqual([57_000]);
    // At 4 s there was no report yet, though another host would have sent one at 3 s.
    const early = [...own.slice(0, 3), "until 4s"];
    expect(run("yarn-legacy", early).timesLeft()).toEqual([-4_001]);
  });

  const REPORTS = ["nodes n1 map=1", "job j map*1"];

  test.each(["", " seen=8s"])("that reports: each report, at the time of its arrival%s", (seen) => {
    const report = ["until 10s", `progress j/map/0#0 0.25${seen}`, "until 12s"];
    expect(run("yarn-legacy", [...REPORTS, ...report]).timesLeft()).toEqual([28_000]);
  });

  test("that reports at the start: no time has passed, so the report says nothing", () => {
    const seen = run("yarn-legacy", [...REPORTS, "progress j/map/0#0 0.25", "until 5s"]);
    expect(seen.timesLeft()).toEqual([-5_001]);
  });

  test("that is silent: no further reports", () => {
    const seen = run("yarn-legacy", [...CURVE, "until 20s", "silent n1", "until 40s"]);
    // The report of 18 s is the last.
    expect(seen.timesLeft()).toEqual([24_000]);
  });

  test("a made-up report counts: the same progress, now", () => {
    const commands = [...REPORTS, "until 10s", "progress j/map/0#0 0.25", "until 20s"];
    expect(run("yarn-legacy", commands, { stallAt: 20_000 }).timesLeft()).toEqual([60_000]);
    const on = [...commands, "until 25s"];
    expect(run("yarn-legacy", on, { stallAt: 20_000 }).timesLeft()).toEqual([55_000]);
  });
});

test("no progress counts as a ten-thousandth", () => {
  const commands = [
    "nodes n1 map=1",
    "job j map*1",
    "until 4s",
    "progress j/map/0#0 0",
    "until 5s",
  ];
  expect(run("yarn-legacy", commands).timesLeft()).toEqual([40_000_000 - 5_000]);
});

describe("a new copy", () => {
  const job = (commands: readonly string[]): readonly Distribution[] =>
    run("yarn-legacy", commands).newCopies();

  test("takes the mean of the successes, in whole milliseconds", () => {
    const start = ["nodes n1 n2 n3 n4 map=1", "job j map*4", "until 5s"];
    expect(job(start)[0]).toEqual({ kind: "unknown" });
    const commands = [
      ...start,
      "succeed j/map/0#0 j/map/1#0",
      "until 10s",
      "succeed j/map/2#0",
      "until 11s",
    ];
    expect(job(commands)).toEqual([{ kind: "point", at: 6_666 }]);
  });

  test("is estimated from each task's first success", () => {
    const commands = [
      "nodes n1 n2 n3 map=1 reduce=1",
      "job j map*2 reduce*1<map@0.5",
      "until 4s",
      "succeed j/map/0#0",
      "until 5s",
      "left n1",
      "until 11s",
      "succeed j/map/0#1",
      "until 12s",
    ];
    expect(job(commands)[0]).toEqual({ kind: "point", at: 4_000 });
  });
});
