import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { randomState } from "../../src/base/random.ts";
import { hadoopJars } from "../../tools/cluster/jars.ts";
import { cases } from "../support/cases.ts";
import { firstDifference } from "./compat/first-difference.ts";
import { HadoopPlayer } from "./compat/hadoop-player.ts";
import type { Look } from "./compat/our-speculator.ts";
import { playJob } from "./compat/played-job.ts";
import { raritiesOf } from "./compat/rarities.ts";
import { drawSettings, ESTIMATORS, type EstimatorName } from "./compat/settings.ts";
import { lacksHadoop } from "./support/java-and-maven.ts";

/**
 * Enough for every rule and every rare case, under each estimator, more often than the tests
 * require.
 */
const SEQUENCES = cases({
  all: { fine: 4_000, coarse: 800 },
  sample: { fine: 1_000, coarse: 200 },
});

/**
 * DefaultSpeculator visits the attempts of a task in the order in which TaskImpl created them, the
 * core in the order of their starts. In this job two reruns of a task start in the reverse order,
 * and the scan ends at the one that is not slow before it has seen a second attempt.
 */
const STARTED_OUT_OF_ORDER: readonly number[] = [2936];

vi.setConfig({ testTimeout: cases({ all: 1_200_000, sample: 240_000 }) });

describe.skipIf(lacksHadoop)("beside Hadoop's own DefaultSpeculator and estimators", () => {
  let hadoop: HadoopPlayer;

  beforeAll(async () => {
    hadoop = await HadoopPlayer.compile(await hadoopJars(console.warn));
  });

  afterAll(() => hadoop.remove());

  test("in random sequences of events the same tasks are copied, at the same times", async () => {
    const { differences, rules, events } = await compare(hadoop, {
      policy: "yarn",
      sequences: SEQUENCES.fine,
    });
    const expected = STARTED_OUT_OF_ORDER.filter((seed) => seed < SEQUENCES.fine);
    expect(differences).toEqual(expected.map((seed) => expect.stringContaining(`seed ${seed},`)));
    // The comparison was worthwhile: every rule decided.
    expect([...rules].sort()).toEqual([
      "already-speculated",
      "containers-needed",
      "largest-gain",
      "on-schedule",
      "progress-is-good",
      "speculative-cap",
      "too-late",
      "too-new",
    ]);
    expect(events.get("copy")).toBeGreaterThan(5 * SEQUENCES.fine);
    expect(events.get("fail")).toBeGreaterThan(SEQUENCES.fine);
    expect(events.get("kill")).toBeGreaterThan(SEQUENCES.fine);
    expect(events.get("lose")).toBeGreaterThan(SEQUENCES.fine);
    expect(events.get("look")).toBeGreaterThan(200 * SEQUENCES.fine);
    expect(events.get("late-start")).toBeGreaterThan(5 * SEQUENCES.fine);
    expect(events.get("fourth-attempt")).toBeGreaterThan(2 * SEQUENCES.fine);
    expect(events.get("stall")).toBeGreaterThan(100 * SEQUENCES.fine);
  });

  test("the same holds on a coarse clock, where reports repeat", async () => {
    const { differences, events } = await compare(hadoop, {
      ...{ policy: "yarn", sequences: SEQUENCES.coarse, isCoarse: true },
    });
    expect(differences).toEqual([]);
    expect(events.get("copy")).toBeGreaterThan(SEQUENCES.coarse);
  });

  test("the comparison notices if Hadoop's bugs are mended", async () => {
    const { differences } = await compare(hadoop, { policy: "yarn-corrected", sequences: 20 });
    expect(differences.length).toBeGreaterThan(0);
  });
});

interface Comparison {
  /** For each sequence that differs: its seed, its estimator and the first difference. */
  readonly differences: readonly string[];
  /** Why we copied or did not. */
  readonly rules: ReadonlySet<string>;
  /** The counts of each kind, and of rare cases. */
  readonly events: ReadonlyMap<string, number>;
}

/**
 * Each sequence has the next estimator; our side plays, and Hadoop's side gets the played events.
 */
async function compare(
  hadoop: HadoopPlayer,
  of: { readonly policy: string; readonly sequences: number; readonly isCoarse?: boolean },
): Promise<Comparison> {
  const ours: { readonly name: string; readonly looks: readonly Look[] }[] = [];
  const events = new Map<string, number>();
  const rules = new Set<string>();
  const count = (kind: string): void => {
    events.set(kind, (events.get(kind) ?? 0) + 1);
  };
  function* sequences(): Iterable<string> {
    for (let seed = 0; seed < of.sequences; seed++) {
      const estimator = estimatorOf(seed);
      const dice = randomState(seed, "default-speculator");
      const settings = drawSettings(dice, {
        ...{ policy: of.policy, estimator },
        isCoarse: of.isCoarse ?? false,
      });
      const { looks, lines } = playJob(seed, settings, dice);
      ours.push({ name: `seed ${seed}, ${estimator}`, looks });
      for (const look of looks) {
        for (const rule of look.rules) rules.add(rule);
        for (const _ of look.copied) count("copy");
      }
      for (const line of lines) count(line.slice(0, line.indexOf(" ")));
      for (const rarity of raritiesOf(lines)) count(rarity);
      yield `${lines.join("\n")}\n`;
    }
  }
  const hadoops = await hadoop.play(sequences());
  expect(hadoops.length).toBe(of.sequences);
  const differences = ours.flatMap(({ name, looks }, seed) => {
    const difference = firstDifference(looks, hadoops[seed] ?? []);
    return difference === undefined ? [] : [`${name}: ${difference}`];
  });
  return { differences, rules, events };
}

const estimatorOf = (seed: number): EstimatorName =>
  ESTIMATORS[seed % ESTIMATORS.length] ?? "yarn-legacy";
