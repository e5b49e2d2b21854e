import { expect, test } from "vitest";
import { tryPolicies } from "../../src/whatif/try-policies.ts";
import { promisesOf } from "../support/promises.ts";
import { Dice } from "./support/dice.ts";
import { hopelessJob, REASONS } from "./support/hopeless.ts";

/** HOPELESS=400 takes some minutes. */
const WORLDS = Number(process.env.HOPELESS ?? 20);
const FIRST = Number(process.env.FIRST ?? 1);

const POLICIES = [
  "spark-3.5",
  "yarn",
  "mantri",
  { policy: "late", sets: ["speculation.runtimeMsMin=1000"] },
];

const LIMIT = { timeout: 3_600_000 };

test("where all lost time has reasons that no policy changes, nothing is promised", LIMIT, () => {
  const found: string[] = [];
  let good = 0;
  for (let seed = FIRST; seed < FIRST + WORLDS; seed++) {
    const dice = new Dice(10_000 + seed);
    const reasons = new Set(REASONS.filter(() => dice.chance(0.35)));
    const job = hopelessJob(seed, reasons);
    const answer = tryPolicies(job, { policies: POLICIES, seeds: 4, source: { format: "spark" } });
    if (answer.gate.verdict === "good") good += 1;
    const promises = promisesOf(answer);
    if (promises.length > 0) found.push(`${job.id} (${job.name}): ${promises.join("; ")}`);
  }
  console.log(`${WORLDS} hopeless worlds: ${good} gates good, ${found.length} with a promise`);
  expect(found).toEqual([]);
  expect(good / WORLDS).toBeGreaterThan(0.9);
});
