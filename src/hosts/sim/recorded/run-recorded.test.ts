import { describe, expect, test } from "vitest";
import {
  jobOf,
  lasting,
  nodes,
  phase,
  readsAll,
  runJob,
  slots,
  told,
} from "../../../../test/support/recorded.ts";
import { nextFloat } from "../../../base/random.ts";
import { type JournalWriter, journalWriter, replay } from "../../../core/journal/index.ts";
import { restoreDiscipline } from "../../../policy/discipline.ts";
import { REGISTRY } from "../../../policy/registry.ts";
import type { FurtherAttempt, RecordedJob } from "./recorded-job.ts";

/** A handmade schedule that has each peculiarity of recorded jobs once. */
const story: RecordedJob = {
  name: "story",
  slotKinds: ["map", "reduce"],
  nodes: [
    {
      name: "n1",
      slots: [
        { kind: "map", count: 1 },
        { kind: "reduce", count: 1 },
      ],
    },
    { name: "slow", factor: 2, slots: [{ kind: "map", count: 1 }] },
    { name: "late", slots: [{ kind: "map", count: 1, fromMs: 4_000, untilMs: 20_000 }] },
  ],
  phases: [
    phase(
      "map",
      [
        lasting(3_000, { waitMs: 100 }, { firstOn: "slow" }),
        {
          firstOn: "n1",
          attempts: [{ workMs: 5_000, waitMs: 50, failsAfterMs: 2_000 }, { workMs: 4_000 }],
        },
        lasting(2_000, { slowedByNode: true }),
        lasting(3_000, {}, { firstOn: "late" }),
      ],
      { slots: ["map"], gapMs: 500 },
    ),
    phase("reduce", [lasting(1_000, { heldByReads: true, records: 10 })], {
      slots: ["reduce"],
      reads: [{ phase: 0, start: { when: "fraction", of: 0.25 } }],
    }),
    phase("last", [lasting(1_000, { slowedByNode: true }, { firstOn: "slow" })], {
      slots: ["map"],
      reads: [{ phase: 1, start: { when: "done" } }],
      gapMs: 700,
    }),
  ],
  tailMs: 200,
};

describe("a recorded job", () => {
  test.each(["none", "none,sharing=fifo-plain"])(
    "is reproduced to the millisecond under %s",
    (under) => {
      const run = runJob(story, { under });
      expect(told(run)).toEqual([
        "0/1 original n1 550-2550 failed",
        "0/0 original slow 600-3600",
        "0/2 original n1 2550-4550",
        "1/0 original n1 3600-8600",
        "0/1 retry slow 3600-7600",
        "0/3 original late 4000-7000",
        "2/0 original slow 9300-11300",
      ]);
      expect(run).toMatchObject({ outcome: "succeeded", responseMs: 11_500, copies: 0, wins: 0 });
      expect(run.slotMs).toBe(3_100 + 2_050 + 2_000 + 5_000 + 4_000 + 3_000 + 2_000);
    },
  );

  test("runs under every discipline, the same for the same seed", () => {
    for (const { name } of REGISTRY.disciplines) {
      const once = runJob(story, { under: name });
      expect([name, once.outcome]).toEqual([name, "succeeded"]);
      expect([name, runJob(story, { under: name })]).toEqual([name, once]);
    }
  });

  test("is replayed from its journal to the byte", () => {
    const lines: string[] = [];
    let writer: JournalWriter | undefined;
    runJob(story, {
      onStart: ({ setup }) => {
        writer = journalWriter(setup);
        lines.push(writer.header());
      },
      onStep: (event, actions) => lines.push(writer?.step(event, actions) ?? ""),
    });
    expect(lines.join("\n")).toContain('"gapMs":700');
    expect(lines.join("\n")).toContain('"firstOn":{"each":["slow","n1",null,"@2"]}');
    expect(replay(lines, restoreDiscipline).kind).toBe("same");
  });

  test("ends with the failure of a task that fails too often, and without its tail", () => {
    const fails = { attempts: [], copies: [] };
    const map = phase("map", [fails], { further: () => ({ workMs: 900, failsAfterMs: 300 }) });
    const run = runJob({ ...jobOf(nodes(1), map), tailMs: 50 });
    expect(run).toMatchObject({ outcome: "failed", responseMs: 1_200 });
    expect(run.attempts.map(({ ended }) => ended)).toEqual(Array(4).fill("failed"));
    expect(runJob(jobOf(nodes(1), map), { timing: { attemptsMax: 2 } }).responseMs).toBe(600);
  });
});

describe("a gap", () => {
  const map = phase("map", [lasting(1_000), lasting(1_500)]);

  test("begins when the phase's edges allow it, and the phase begins when it ends", () => {
    const reduce = phase("reduce", [lasting(400)], { ...readsAll, gapMs: 250 });
    expect(told(runJob(jobOf(nodes(2), map, reduce))).at(-1)).toBe("1/0 original n0 1750-2150");
  });

  test("of one phase overlaps with another phase, and with another gap", () => {
    const a = phase("a", [lasting(400)], { ...readsAll, gapMs: 900 });
    const b = phase("b", [lasting(100)], { ...readsAll, gapMs: 250 });
    const c = phase("c", [lasting(10)], { reads: [{ phase: 2, start: { when: "done" } }] });
    expect(told(runJob(jobOf(nodes(2), map, a, b, c))).slice(2)).toEqual([
      "2/0 original n0 1750-1850",
      "3/0 original n1 1850-1860",
      "1/0 original n0 2400-2800",
    ]);
  });

  test("after a phase without tasks begins at once", () => {
    const none = phase("none", [], { gapMs: 300 });
    const after = phase("after", [lasting(100)], { ...readsAll, gapMs: 40 });
    expect(runJob(jobOf(nodes(1), none, after)).responseMs).toBe(440);
  });

  test("of a last phase without tasks ends the job", () => {
    const none = phase("none", [], { ...readsAll, gapMs: 300 });
    expect(runJob(jobOf(nodes(2), map, none)).responseMs).toBe(1_800);
  });
});

describe("an attempt beyond the recorded ones", () => {
  /** Three tasks of 10 s and one of 100 s, whose copy is not in the record. */
  const withFurther = (further: (attempt: FurtherAttempt) => { workMs: number }) => {
    const tasks = [lasting(100_000), lasting(10_000), lasting(10_000), lasting(10_000)];
    return jobOf(nodes(4), phase("map", tasks, { further }));
  };

  test("is requested with the task's numbers of attempts and copies so far", () => {
    const asked: Omit<FurtherAttempt, "chance">[] = [];
    const job = withFurther(({ chance, ...rest }) => {
      asked.push(rest);
      return { workMs: 2_000 };
    });
    expect(runJob(job, { under: "spark-3.5" })).toMatchObject({ copies: 1, wins: 1 });
    expect(asked).toContainEqual({
      task: 0,
      as: "speculative",
      ordinal: 1,
      copies: 0,
      of: 0,
      leftMs: 0,
    });
    expect(new Set(asked.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  test("draws from a stream that depends on the seed, and not on the policy", () => {
    const job = withFurther(({ chance }) => ({ workMs: 1_000 + 9_000 * nextFloat(chance) }));
    const copyMs = (under: string, seed: number): number => {
      const copy = runJob(job, { under, seed }).attempts.find(({ as }) => as === "speculative");
      return (copy?.endedAtMs ?? 0) - (copy?.startedAtMs ?? 0);
    };
    const under = ["spark-3.5", "late", "spark-4"].map((name) => copyMs(name, 7));
    expect(new Set(under.map((ms) => ms.toFixed(6))).size).toBe(1);
    expect(under[0]).toBeGreaterThan(1_000);
    expect(copyMs("late", 8)).not.toBe(copyMs("late", 7));
  });

  test("comes after the recorded copies", () => {
    const recorded = lasting(100_000, {}, { copies: [{ workMs: 50_000, failsAfterMs: 1_000 }] });
    const job = withFurther(() => ({ workMs: 2_000 }));
    const [map] = job.phases;
    const tasks = [recorded, ...(map?.tasks.slice(1) ?? [])];
    const run = runJob(
      jobOf(nodes(4), { ...phase("map", tasks), further: () => ({ workMs: 2_000 }) }),
      {
        under: "spark-3.5",
      },
    );
    const copies = run.attempts.filter(({ as }) => as === "speculative");
    expect(copies.map(({ ended }) => ended)).toEqual(["failed", "succeeded"]);
  });
});

describe("records", () => {
  /** SPARK-32170: eight tasks have read 500 records per second; two have 18,000 to read. */
  const jobWith = (hasRecords: boolean): RecordedJob => {
    const reads = (workMs: number, records: number) =>
      lasting(workMs, hasRecords ? { records } : {});
    const usual = Array.from({ length: 8 }, () => reads(20_000, 10_000));
    const tasks = [...usual, reads(49_090, 18_000), reads(36_000, 18_000)];
    return jobOf(
      Array.from({ length: 3 }, (_, n) => ({ name: `n${n}`, slots: [slots(5)] })),
      phase("map", tasks, { further: () => ({ workMs: 20_000 }) }),
    );
  };
  const copied = (hasRecords: boolean) =>
    runJob(jobWith(hasRecords), { under: "spark-3.5" })
      .attempts.filter(({ as }) => as === "speculative")
      .map(({ task }) => task);

  test("make Spark's filter refuse the copy of a task that reads efficiently", () => {
    expect(copied(true)).toEqual([8]);
    expect(copied(false)).toEqual([8, 9]);
  });
});
