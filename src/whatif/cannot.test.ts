import { expect, test } from "vitest";
import { TrueJob } from "../../test/diagnose/support/true-job.ts";
import { ROLE } from "../diagnose/schedule/planned.ts";
import type { TraceJob } from "../history/model.ts";
import { assumedOf, cannotOf, nothingToTry } from "./cannot.ts";
import { fitted } from "./fitted.ts";

const made = new TrueJob(4, 0);
const log = made.logOf(made.run("none", 1));
const cannot = (parts: Partial<TraceJob>) => cannotOf(fitted({ ...log, ...parts })).join(" ");

test("a whole log leaves no question open", () => {
  expect(cannot({})).toBe("");
  expect(nothingToTry(fitted(log))).toBeUndefined();
});

test("phases whose code must not run twice are named", () => {
  const [first, ...others] = log.phases;
  if (first === undefined) throw new Error("expected a phase");
  expect(cannot({ phases: [{ ...first, forbidsCopies: true }, ...others] })).toBe(
    `The job forbids copies of these phases, and no policy makes any: ${first.name}.`,
  );
});

test("a failed job, a log that is cut off and lost executors come first", () => {
  expect(cannot({ outcome: "failed" })).toContain("cannot tell whether a policy would have saved");
  expect(cannot({ outcome: "cut-off" })).toContain("The log ends before its job does");
  const [first, ...others] = log.slots;
  if (first === undefined) throw new Error("a slot");
  const gone = { ...first, until: log.endedAt / 2 };
  expect(cannot({ slots: [gone, ...others] })).toMatch(/^Nodes went, or their slots changed/);
  const slots = [{ ...gone, executor: 0 }, ...others];
  expect(cannot({ slots })).toMatch(/^Executors came and went/);
});

test("a single task has nothing to be compared with", () => {
  const [phase] = log.phases;
  if (phase === undefined) throw new Error("a phase");
  const one = {
    ...log,
    phases: [{ ...phase, tasks: 1, attempts: { ...phase.attempts, length: 1 } }],
  };
  expect(nothingToTry(fitted(one))).toContain("has a single task");
});

test("gaps of the log are listed as assumptions", () => {
  expect(assumedOf(fitted(log)).join(" ")).toContain("The log has no progress");
  expect(assumedOf(fitted({ ...log, slots: [] })).join(" ")).toContain("The log names no slots");
  const { plan, ...parts } = fitted(log);
  plan.role.fill(ROLE.fails, 0, 2);
  expect(assumedOf({ plan, ...parts }).join(" ")).toContain("2 attempts failed, were lost or");
});
