import { describe, expect, test } from "vitest";
import { kindOf, localityOf, type RanAttempt, ranAttempts } from "./attempts.ts";
import { ONE_CLOCK } from "./clocks.ts";
import { attemptIn, endAttempt, newJob, taskIn } from "./history.ts";
import { placeNamed } from "./place.ts";

const task = () => taskIn(newJob("job_1_1"), "task_1_1_m_000000", "map");

function ran(
  startedAt: number,
  finishedAt: number,
  ended: RanAttempt["ended"],
  more: Partial<RanAttempt> = {},
): RanAttempt {
  const attempt = attemptIn(task(), "attempt_1_1_m_000000_0");
  return { ...attempt, startedAt, finishedAt, ended, isOpen: false, ...more };
}

describe("an attempt is", () => {
  const later = ran(50, 90, "succeeded");

  test.each([
    ["the original, if it is the first", [], "original"],
    ["speculative beside one that runs", [ran(0, 100, "killed")], "speculative"],
    ["a retry after a failure", [ran(0, 40, "failed")], "retry"],
    // Clocks of two trackers differ.
    ["a retry even if the failure seems to come later", [ran(0, 60, "failed")], "retry"],
    ["a rerun after a kill", [ran(0, 40, "killed")], "rerun"],
    ["a rerun after its node was lost", [ran(0, 40, "lost")], "rerun"],
    ["a recomputation if it succeeds after a success", [ran(0, 40, "succeeded")], "recompute"],
    ["what the last end before it says", [ran(0, 40, "failed"), ran(5, 45, "killed")], "rerun"],
  ])("%s", (_, earlier, kind) => {
    expect(kindOf(later, earlier)).toBe(kind);
  });

  test("speculative after a success that had not been reported yet", () => {
    const before = ran(0, 40, "succeeded");
    expect(kindOf(ran(50, 90, "killed"), [before])).toBe("speculative");
    const lost = { ...before, isOutputLost: true };
    expect(kindOf(ran(50, 90, "killed"), [lost])).toBe("recompute");
  });

  test("the recorded kind, where the history has one", () => {
    const before = [ran(0, 40, "failed")];
    expect(kindOf({ ...later, isSpeculative: true }, before)).toBe("speculative");
    expect(kindOf({ ...later, isSpeculative: false }, [ran(0, 100, "killed")])).toBe("rerun");
  });
});

describe("attempts of a task", () => {
  function job(outcome: "succeeded" | "cut-off") {
    const made = newJob("job_1_1");
    made.outcome = outcome;
    made.finishedAt = outcome === "succeeded" ? 900 : undefined;
    return made;
  }

  test("without a start never ran", () => {
    const one = task();
    attemptIn(one, "attempt_1_1_m_000000_0").finishedAt = 80;
    expect(ranAttempts(job("succeeded"), one, ONE_CLOCK, 1_000)).toEqual([]);
  });

  test("without an end were killed with their job, or are cut off with the log", () => {
    const one = task();
    attemptIn(one, "attempt_1_1_m_000000_0").startedAt = 10;
    const [killed] = ranAttempts(job("succeeded"), one, ONE_CLOCK, 1_000);
    expect([killed?.ended, killed?.finishedAt]).toEqual(["killed", 900]);
    const [cut] = ranAttempts(job("cut-off"), one, ONE_CLOCK, 1_000);
    expect([cut?.ended, cut?.finishedAt]).toEqual(["cut-off", 1_000]);
  });

  test("without an end had ended when the next began, unless that is a copy", () => {
    const began = (isSpeculative: boolean | undefined): readonly (number | undefined)[] => {
      const one = task();
      attemptIn(one, "attempt_1_1_m_000000_0").startedAt = 10;
      const next = attemptIn(one, "attempt_1_1_m_000000_1");
      [next.startedAt, next.isSpeculative] = [300, isSpeculative];
      endAttempt(next, "succeeded", 800);
      return ranAttempts(job("succeeded"), one, ONE_CLOCK, 1_000).map((each) => each.finishedAt);
    };
    expect(began(undefined)).toEqual([300, 800]);
    expect(began(false)).toEqual([300, 800]);
    expect(began(true)).toEqual([900, 800]);
  });

  test("that both lack their end ran one after the other in a job that succeeded", () => {
    const ends = (outcome: "succeeded" | "cut-off"): readonly number[] => {
      const one = task();
      attemptIn(one, "attempt_1_1_m_000000_0").startedAt = 10;
      attemptIn(one, "attempt_1_1_m_000000_1").startedAt = 300;
      return ranAttempts(job(outcome), one, ONE_CLOCK, 1_000).map((each) => each.finishedAt);
    };
    expect(ends("succeeded")).toEqual([300, 900]);
    expect(ends("cut-off")).toEqual([1_000, 1_000]);
  });

  test("keep their success when their output is lost later", () => {
    const attempt = attemptIn(task(), "attempt_1_1_m_000000_0");
    endAttempt(attempt, "succeeded", 50);
    endAttempt(attempt, "failed", 70);
    expect([attempt.ended, attempt.finishedAt, attempt.isOutputLost]).toEqual([
      "succeeded",
      50,
      true,
    ]);
  });
});

describe("the locality of an attempt", () => {
  const at = (host: string, splits: readonly string[], racks: Record<string, string> = {}) => {
    const one = task();
    one.splits = splits.flatMap((name) => placeNamed(name) ?? []);
    const attempt = { ...attemptIn(one, "attempt_1_1_m_000000_0"), host };
    return localityOf(attempt, one, new Map(Object.entries(racks)));
  };

  test("is the node of a split, its rack, or any other", () => {
    expect(at("n1", ["/r1/n1", "/r2/n2"])).toBe("node");
    expect(at("n3", ["/r1/n1", "/r2/n2"], { n3: "r2" })).toBe("rack");
    expect(at("n3", ["/r1/n1", "/r2/n2"], { n3: "r3" })).toBe("any");
  });

  test("is unknown without splits, or where a rack is unknown", () => {
    expect(at("n1", [])).toBeUndefined();
    expect(at("n3", ["n1"], { n3: "r1" })).toBeUndefined();
    expect(at("n3", ["/r1/n1"])).toBeUndefined();
  });
});

test("a host's name lacks its rack and the log's backslashes", () => {
  expect(placeNamed("/10\\.1\\.0\\.0/n1\\.example\\.com")).toEqual({
    host: "n1.example.com",
    rack: "10.1.0.0",
  });
  expect(placeNamed("/default-rack/n1")).toEqual({ host: "n1", rack: "default-rack" });
  expect(placeNamed("n1")).toEqual({ host: "n1", rack: undefined });
  expect(placeNamed("")).toBeUndefined();
});
