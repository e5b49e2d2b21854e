import { describe, expect, test } from "vitest";
import { jobOf, lasting, phase, runJob, slots, told } from "../../../test/support/recorded.ts";
import { slotKind } from "../../model/ids.ts";
import type { View } from "../../model/view.ts";

const tasks = (count: number, workMs = 1_000) =>
  Array.from({ length: count }, () => lasting(workMs));

describe("slots that come and go", () => {
  test("a node joins when its first slot comes, and takes waiting tasks", () => {
    const late = { name: "late", slots: [slots(2, { fromMs: 400 })] };
    const job = jobOf([{ name: "n0", slots: [slots(1)] }, late], phase("map", tasks(4)));
    expect(told(runJob(job))).toEqual([
      "0/0 original n0 0-1000",
      "0/1 original late 400-1400",
      "0/2 original late 400-1400",
      "0/3 original n0 1000-2000",
    ]);
  });

  test("a node that is listed first and joins last has the last id", () => {
    const late = { name: "late", slots: [slots(1, { fromMs: 400 })] };
    const ids: number[] = [];
    const job = jobOf([late, { name: "n0", slots: [slots(1)] }], phase("map", tasks(2)));
    const onStep = (event: { kind: string; node?: unknown }) => {
      if (event.kind !== "node-joined") return;
      const { id } = event.node as { id: number };
      ids.push(id);
    };
    expect(runJob(job, { onStep }).responseMs).toBe(1_400);
    expect(ids).toEqual([0, 1]);
  });

  test("further slots of a joined node come one after the other", () => {
    const grows = { name: "n0", slots: [slots(1), slots(1, { fromMs: 100 })] };
    const { attempts, responseMs } = runJob(jobOf([grows], phase("map", tasks(3))));
    expect(attempts.map(({ startedAtMs }) => startedAtMs)).toEqual([0, 100, 1_000]);
    expect(responseMs).toBe(2_000);
  });

  test("a slot that goes takes no new attempt, and its running attempt continues", () => {
    const goes = { name: "goes", slots: [slots(1, { untilMs: 500 })] };
    const run = runJob(jobOf([goes, { name: "n1", slots: [slots(1)] }], phase("map", tasks(3))));
    expect(told(run)).toEqual([
      "0/0 original goes 0-1000",
      "0/1 original n1 0-1000",
      "0/2 original n1 1000-2000",
    ]);
  });

  test("an idle slot that goes is not offered when a task begins to wait", () => {
    const goes = { name: "goes", slots: [slots(1, { untilMs: 500 })] };
    const map = phase("map", [lasting(1_000, {}, { firstOn: "n1" })]);
    const reads = [{ phase: 0, start: { when: "done" } }] as const;
    const run = runJob(
      jobOf([goes, { name: "n1", slots: [slots(1)] }], map, phase("reduce", tasks(2), { reads })),
    );
    expect(run.attempts.map(({ node }) => node)).toEqual(["n1", "n1", "n1"]);
    expect(run.responseMs).toBe(3_000);
  });

  test("are counted by the scheduler while they exist", () => {
    const counts: string[] = [];
    let view: View | undefined;
    const node = { name: "n0", slots: [slots(1), slots(2, { fromMs: 300, untilMs: 700 })] };
    const late = { name: "n1", slots: [slots(4, { fromMs: 500 })] };
    runJob(jobOf([node, late], phase("map", tasks(6))), {
      onStart: (scheduler) => {
        view = scheduler.view;
      },
      onStep: ({ at, kind }) => {
        if (kind === "slots-offered") counts.push(`${at}: ${view?.slots(slotKind(0))}`);
      },
    });
    expect([...new Set(counts)].slice(0, 4)).toEqual(["0: 1", "300: 3", "500: 7", "700: 5"]);
  });

  test("no policy takes a slot that has gone for a busy one", () => {
    // Hadoop's FIFO gives a node at most its share of the remaining tasks.
    const shrinks = { name: "n1", slots: [slots(1), slots(4, { untilMs: 100 })] };
    const run = runJob(
      jobOf([{ name: "n0", slots: [slots(1)] }, shrinks], phase("map", tasks(10))),
      {
        under: "none",
      },
    );
    const later = run.attempts.filter(({ launchedAtMs }) => launchedAtMs >= 1_000);
    expect(later.map(({ node }) => node)).toEqual(["n0", "n1", "n0", "n1"]);
  });

  test("the cluster's last slots stay, or the job would never end", () => {
    const goes = (untilMs: number) => ({ name: `n${untilMs}`, slots: [slots(1, { untilMs })] });
    const run = runJob(jobOf([goes(200), goes(1_500)], phase("map", tasks(5))));
    expect(run.outcome).toBe("succeeded");
    expect(run.attempts.map(({ node }) => node)).toEqual([
      "n200",
      "n1500",
      "n1500",
      "n1500",
      "n1500",
    ]);
  });
});
