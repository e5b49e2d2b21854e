import { describe, expect, test } from "vitest";
import { jobOf, lasting, phase, readsSome, runJob, told } from "../../../test/support/recorded.ts";

const KINDS = ["map", "reduce"];
const node = { kind: "map", count: 2 };

/** Maps of 1 and 4 s, and reduces with a slot of their own. */
function run(reduces: readonly Parameters<typeof lasting>[], reduceSlots = 1, under?: string) {
  const on = [{ name: "n0", slots: [node, { kind: "reduce", count: reduceSlots }] }];
  const map = phase("map", [lasting(1_000), lasting(4_000)], { slots: ["map"] });
  const reduce = phase(
    "reduce",
    reduces.map((parts) => lasting(...parts)),
    { slots: ["reduce"], ...readsSome },
  );
  const job = { ...jobOf(on, map, reduce), slotKinds: KINDS };
  return runJob(job, under === undefined ? {} : { under });
}

describe("an attempt that is held until its input is complete", () => {
  test("holds its slot, and begins its work when the last map is done", () => {
    expect(told(run([[500, { heldByReads: true }]]))).toEqual([
      "0/0 original n0 0-1000",
      "0/1 original n0 0-4000",
      "1/0 original n0 1000-4500",
    ]);
  });

  test("works at once if the maps are done, or if its work does not wait", () => {
    const starts = run([
      [500, { heldByReads: true }],
      [600, { heldByReads: true }],
    ]);
    expect(told(starts).slice(2)).toEqual([
      "1/0 original n0 1000-4500",
      "1/1 original n0 4500-5100",
    ]);
    expect(told(run([[500]]))[2]).toBe("1/0 original n0 1000-1500");
  });

  test("fails a while after its work began, not while it is held", () => {
    const fails = { heldByReads: true, failsAfterMs: 200 };
    expect(told(run([[500, fails]])).slice(2)).toEqual([
      "1/0 original n0 1000-4200 failed",
      "1/0 retry n0 4200-5200",
    ]);
  });

  test("shows no progress until then", () => {
    const scores: number[] = [];
    const on = [{ name: "n0", slots: [node, { kind: "reduce", count: 1 }] }];
    const map = phase("map", [lasting(1_000), lasting(4_000)], { slots: ["map"] });
    const reduce = phase("reduce", [lasting(500, { heldByReads: true })], {
      slots: ["reduce"],
      ...readsSome,
    });
    runJob(
      { ...jobOf(on, map, reduce), slotKinds: KINDS },
      {
        onStep: (event) => {
          const isProgress =
            event.kind === "attempt-started" || event.kind === "attempt-progressed";
          if (!isProgress || event.at < 1_000 || event.progress.kind !== "curve") return;
          const { segments } = event.progress;
          scores.push(...segments.map(({ perMs }) => perMs.score));
        },
      },
    );
    expect(scores).toEqual([0, 0, 1 / 500]);
  });
});
