import { expect, test } from "vitest";
import { tryPolicies } from "../../src/whatif/try-policies.ts";
import { promisesOf } from "../support/promises.ts";
import { Dice } from "./support/dice.ts";
import { hopelessJob, REASONS } from "./support/hopeless.ts";

test.each(REASONS)("no policy is promised to help against: %s", (reason) => {
  const job = hopelessJob(3, new Set([reason]));
  const policies = ["spark-3.5", { policy: "late", sets: ["speculation.runtimeMsMin=1000"] }];
  const found = tryPolicies(job, { policies, seeds: 2, source: { format: "spark" } });
  expect(found.gate.verdict).toBe("good");
  expect(promisesOf(found)).toEqual([]);
  expect(found.verdict[0]).toBe("No policy would have helped by more than chance.");
});

test("copies that end as their original did do not take turns for ever", () => {
  const dice = new Dice(10_013);
  const job = hopelessJob(13, new Set(REASONS.filter(() => dice.chance(0.35))));
  const policies = [{ policy: "late", sets: ["speculation.runtimeMsMin=1000"] }];
  const found = tryPolicies(job, { policies, seeds: 4, source: { format: "spark" } });
  expect(found.gate.verdict).toBe("good");
  expect(promisesOf(found)).toEqual([]);
});
