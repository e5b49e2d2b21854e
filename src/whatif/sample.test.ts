import { describe, expect, test } from "vitest";
import { longJob } from "../../test/diagnose/support/long-job.ts";
import { cannotOf } from "./cannot.ts";
import { fitted } from "./fitted.ts";
import { type Sampler, sampleOf } from "./sample.ts";
import { disciplineOf, outcomeOf } from "./trial.ts";

const job = longJob(4, 60);
const attempts = job.phases.reduce((sum, { attempts: { length } }) => sum + length, 0);
const upTo =
  (max: number): Sampler =>
  (plan, shape) =>
    sampleOf(plan, shape, max);
const whole = fitted(job, upTo(attempts));
const part = fitted(job, upTo(attempts - 1));

test("a job of no more attempts than asked is whole, and one of few waves, too", () => {
  expect(whole.sample).toBeUndefined();
  expect(fitted(longJob(4, 12), upTo(10)).sample).toBeUndefined();
});

describe("of a larger one", () => {
  const { sample, shape } = part;
  if (sample === undefined) throw new Error("a job that is not sampled");

  const tails = shape.phases.map(
    ({ tasks }, index) => tasks.length - (sample.heads[index]?.size ?? 0),
  );

  test("the last waves are whole, and of the head one of so many tasks is kept", () => {
    const { phases } = sample.shapeOf(shape, 1);
    expect(Math.min(...tails)).toBeGreaterThanOrEqual(3 * job.slots.length);
    for (const [index, { tasks }] of phases.entries()) {
      const all = shape.phases[index]?.tasks ?? [];
      const head = all.length - (tails[index] ?? 0);
      expect(all.slice(head).every((task) => tasks.includes(task))).toBe(true);
      const kept = tasks.length - (tails[index] ?? 0);
      expect(Math.abs(kept - head / (sample.factors[index] ?? 1))).toBeLessThan(job.nodes.length);
    }
  });

  test("each seed has other tasks, and all have their turn", () => {
    const seen = new Set<unknown>();
    for (let seed = 1; seed <= Math.max(...sample.factors); seed++) {
      const [first] = sample.shapeOf(shape, seed).phases;
      for (const task of first?.tasks ?? []) seen.add(task);
    }
    expect(seen.size).toBe(shape.phases[0]?.tasks.length);
  });

  test("the first lines say how much is simulated", () => {
    const said = cannotOf(part).join(" ");
    expect(said).toContain(`A sample is simulated, ${sample.tasks} of ${attempts} tasks`);
    expect(cannotOf(whole).join(" ")).not.toContain("sample");
  });

  test("response and slot time are those of the whole job", () => {
    const none = disciplineOf({ policy: "none", sets: [] });
    const question = { luck: "that-run", rho: 0, seed: 1, pinned: true } as const;
    const [all, some] = [whole, part].map((fit) => outcomeOf(fit, none, question));
    if (all === undefined || some === undefined) throw new Error("two runs");
    expect(Math.abs(some.responseMs / all.responseMs - 1)).toBeLessThan(0.03);
    expect(Math.abs(some.slotMs / all.slotMs - 1)).toBeLessThan(0.03);
  });
});
