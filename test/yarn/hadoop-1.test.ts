import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomState } from "../../src/base/random.ts";
import { parseDiscipline } from "../../src/policy/index.ts";
import { cases } from "../support/cases.ts";
import { Hadoop1Player } from "./hadoop-1/hadoop-1-player.ts";
import { type Answer, playWorld } from "./hadoop-1/played-world.ts";
import { drawPlan, type PlanKind } from "./hadoop-1/world.ts";
import { lacksHadoop } from "./support/java-and-maven.ts";

/**
 * The worlds of each kind: the sample is large enough for each kind of trouble to occur many times.
 */
const WORLDS = cases({ all: 100, sample: 25 });
/**
 * JobInProgress.findSpeculativeTask, shouldRemove: a node takes a task that runs there off its list
 * when it next looks for a copy; under `hadoop` at once. In these worlds the node was lost and came
 * back between the two moments.
 */
const TAKEN_OFF_LATER: readonly number[] = [67, 97];
const AT_ONCE = { trouble: "lost-trackers", speculate: false, slowstart: 0 } as const;

/**
 * Every heartbeat of random clusters is answered by Hadoop's JobTracker, JobInProgress and
 * JobQueueTaskScheduler, and by the discipline `hadoop`: with launches, their kinds, and kills.
 */
describe.skipIf(lacksHadoop)("beside Hadoop 1.2.1's own JobTracker", () => {
  let hadoop: Hadoop1Player;

  beforeAll(async () => {
    hadoop = await Hadoop1Player.compile();
  });

  afterAll(() => hadoop.remove());

  test("slow attempts: the same are copied, and nodes get the same number of tasks", async () => {
    const { differences, counts } = await compare(hadoop, { trouble: "nothing", speculate: true });
    expect(differences).toEqual([]);
    expect(counts.get("speculative")).toBeGreaterThan(2 * WORLDS);
  });

  test("attempts fail and are killed: they run again in the same order, elsewhere", async () => {
    const { differences, counts } = await compare(hadoop, {
      trouble: "failures",
      speculate: false,
    });
    expect(differences).toEqual([]);
    expect(counts.get("FAILED")).toBeGreaterThan(2 * WORLDS);
    expect(counts.get("KILLED")).toBeGreaterThan(WORLDS / 2);
    expect(counts.get("job failed")).toBeGreaterThan(0);
  });

  test("trackers are lost: their maps are recomputed, and their failures count", async () => {
    const { differences, counts } = await compare(hadoop, AT_ONCE);
    expect(differences).toEqual([]);
    expect(counts.get("node lost")).toBeGreaterThan(WORLDS / 2);
    expect(counts.get("recompute")).toBeGreaterThan(WORLDS);
  });

  // JobInProgress.scheduleReduces: reduces wait again once too few maps are done.
  test("reduces wait again for the maps that were lost", async () => {
    const { differences } = await compare(hadoop, { trouble: "lost-trackers", speculate: false });
    expect(differences).toEqual([]);
  });

  // TaskInProgress.machinesWhereFailed: also the node of an output that could not be read.
  test("a map does not run again where its output could not be fetched", async () => {
    const missed = { ...AT_ONCE, trouble: "missed-outputs" } as const;
    const { differences } = await compare(hadoop, missed);
    expect(differences).toEqual([]);
  });

  // TaskInProgress.hasRunOnMachine: where it runs, or has failed; not where it was killed or lost.
  test("a copy may run where an attempt was killed", async () => {
    const { differences } = await compare(hadoop, { ...AT_ONCE, speculate: true });
    const expected = TAKEN_OFF_LATER.filter((seed) => seed < WORLDS);
    expect(differences).toEqual(expected.map((seed) => expect.stringContaining(`seed ${seed},`)));
  });
});

interface Comparison {
  /** The first difference of each world that has one. */
  readonly differences: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
}

async function compare(hadoop: Hadoop1Player, kind: PlanKind): Promise<Comparison> {
  const ours: (readonly Answer[])[] = [];
  const counts = new Map<string, number>();
  const discipline = parseDiscipline("hadoop");
  function* worlds(): Iterable<string> {
    for (let seed = 0; seed < WORLDS; seed++) {
      const dice = randomState(seed, "hadoop-1");
      const played = playWorld(seed, drawPlan(dice, kind), discipline, dice);
      ours.push(played.answers);
      for (const [what, times] of played.counts) counts.set(what, (counts.get(what) ?? 0) + times);
      yield `${played.lines.join("\n")}\n`;
    }
  }
  const theirs = await hadoop.play(worlds());
  expect(theirs.length).toBe(WORLDS);
  const differences = ours.flatMap((answers, seed) => {
    const said = theirs[seed] ?? [];
    const at = answers.findIndex((answer, i) => JSON.stringify(answer.said) !== said[i]);
    const answer = answers[at];
    if (answer === undefined) return [];
    const it = `seed ${seed}, ${answer.at} ms, ${answer.host}`;
    return [`${it}: Hadoop ${said[at]}, ours ${JSON.stringify(answer.said)}`];
  });
  return { differences, counts };
}
