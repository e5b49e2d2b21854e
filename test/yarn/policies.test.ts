import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ClusterAccess } from "../../src/hosts/yarn/client/cluster-access.ts";
import type { CopyLine } from "../../src/hosts/yarn/policy/policy-line.ts";
import { replaySession } from "../../src/hosts/yarn/policy/replay.ts";
import type { Cluster } from "../../tools/cluster/cluster.ts";
import { seen } from "../../tools/cluster/seen.ts";
import { runsAll } from "../support/cases.ts";
import { applicationOf, endOf } from "./support/in-time.ts";
import { lacksHadoop } from "./support/java-and-maven.ts";
import { findMaster, type Master } from "./support/master.ts";
import { accessTo, freeNode, mend, theCluster } from "./support/the-cluster.ts";
import { avataarsIn, firstHost, runOf, toldIn } from "./support/told.ts";
import { expectedLines, WorkJob, type WorkOptions } from "./support/work-job.ts";

describe.skipIf(lacksHadoop)("a policy in the ApplicationMaster, one node slowed", () => {
  let cluster: Cluster;
  let access: ClusterAccess;

  beforeAll(async () => {
    cluster = await theCluster();
    access = await accessTo(cluster);
  });

  afterEach(() => mend(cluster));

  /**
   * A job with one slowed node, not the master's, from when the working tasks are under way. The
   * job's output must be right, and its journal must replay to the byte: the child's input from the
   * ApplicationMaster must give the same commands again. Hadoop's own history must have the same
   * copies.
   */
  async function slowedJob(
    discipline: string,
    job: Pick<WorkOptions, "maps" | "reduces" | "set" | "settings"> & { readonly cpuMs?: number },
    maySlow?: (node: string) => boolean,
  ) {
    const options = { name: discipline, cpuMs: 1_200, discipline, ...job };
    const work = await WorkJob.submit(cluster, access, options);
    const application = await applicationOf(cluster, work.job);
    const { reduces } = options;
    const slowed = await seen("a node to slow", () =>
      reduces === undefined
        ? freeNode(cluster, 3, maySlow)
        : reducingNode(findMaster(cluster, application), reduces),
    );
    await cluster.slow(slowed, 8);
    const { code, said } = await endOf(cluster, work.job);
    await cluster.slow(slowed, 1);
    expect(code, said).toBe(0);
    expect(await work.output()).toEqual(expectedLines(options));
    const journal = await work.journal();
    const told = toldIn(journal);
    expect(replaySession(journal.split("\n"))).toMatchObject({
      kind: "same",
      commands: told.commands,
    });
    const ran = (copy: CopyLine) => runOf(told, copy) ?? [];
    const avataars = Array.from(await work.avataars());
    expect(avataars).toEqual(expect.arrayContaining([...avataarsIn(told)]));
    const ofSlow = told.copies.filter(({ task }) => firstHost(told, task) === slowed);
    return { ...told, slowed, ofSlow, runsOfSlow: ofSlow.flatMap(ran) };
  }

  // The smoke test and TeraSort also copy under LATE.
  test.runIf(runsAll)(
    "late: reduces of the slow node are copied, where the policy allows it",
    async () => {
      const set = "speculation.runtimeMsMin=3000,speculation.speculativeCap=0.5";
      const told = await slowedJob("late", { maps: 2, reduces: 4, set });
      const reduces = told.runsOfSlow.filter(({ task }) => task.startsWith("r"));
      expect(reduces.length).toBeGreaterThan(0);
      for (const run of told.runsOfSlow) expect(run.host).not.toBe(told.slowed);
      for (const copy of told.copies) {
        const run = runOf(told, copy);
        if (run !== undefined) expect(allowedHosts(copy)).toContain(run.host);
      }
    },
  );

  // The sample has what no other job has: copies of reduces, and restarts. `run.test.ts` and
  // `plugin.test.ts` have copies on any node; LATE's may run on some nodes only, as eSplash's may.
  test.runIf(runsAll)("yarn: the task that gains most is copied, on any free node", async () => {
    const set = "speculation.retryAfterSpeculateMs=1500";
    const told = await slowedJob("yarn", { maps: 6, set });
    expect(told.runsOfSlow.length).toBeGreaterThan(0);
    for (const { where } of told.copies) expect(where).toEqual({ on: "any" });
  });

  test("mantri: while tasks wait for containers, an outlier is killed to run again", async () => {
    // One task per node: most tasks wait, long enough for a slow one to stand out, even where the
    // processor is fast.
    const settings = { "mapreduce.map.memory.mb": "1024" };
    const set = "speculation.periodsPerLife=2,speculation.gamma=3";
    const told = await slowedJob("mantri", { maps: 16, cpuMs: 2_500, set, settings });
    const kills = told.kills.filter(({ why }) => why.rule === "restart-is-sooner");
    expect(kills.length).toBeGreaterThan(0);
    // The others had ended by themselves before Hadoop got round to it.
    const killed = told.ended.filter(
      ({ attempt, state }) => state === "killed" && kills.some((kill) => kill.attempt === attempt),
    );
    expect(killed.length).toBeGreaterThan(0);
    for (const end of killed) {
      const later = told.started.filter((line) => line.task === end.task && line.at >= end.at);
      expect(later.map((line) => line.attempt)).not.toEqual([]);
    }
  });

  test.runIf(runsAll)("esplash: copies run at the level of the straggler or above", async () => {
    // Given, since in so short a job not every node ends tasks to be told apart by.
    const levels = new Map([1, 2, 2, 2].map((level, index) => [`n${index + 1}`, level]));
    const given = [...levels].map(([node, level]) => `${node}:${level}`).join(",");
    const set = `speculation.levels=${given},speculation.epochMs=3000,speculation.tau=1`;
    // Two tasks to a node and one beside the master: of six, some run on every node of level 2.
    const settings = { "mapreduce.map.memory.mb": "768" };
    const job = { maps: 6, set, settings };
    const told = await slowedJob("esplash", job, (node) => levels.get(node) === 2);
    expect(told.runsOfSlow.length).toBeGreaterThan(0);
    for (const copy of told.ofSlow) expect(copy.why.numbers.minLevel).toBe(2);
    for (const copy of told.copies) {
      const { minLevel = Number.NaN } = copy.why.numbers;
      const hosts = allowedHosts(copy);
      expect(hosts.length).toBeGreaterThan(0);
      for (const host of hosts) expect(levels.get(host)).toBeGreaterThanOrEqual(Number(minLevel));
      const run = runOf(told, copy);
      if (run !== undefined) expect(hosts).toContain(run.host);
    }
  });
});

/**
 * After the given number of reduces has begun: the node of the last one that is not beside the
 * master.
 */
function reducingNode(master: Master | undefined, reduces: number): string | undefined {
  const begun = toldIn(master?.journal ?? "").started.filter(({ task }) => task.startsWith("r"));
  const free = begun.filter(({ host }) => host !== master?.node);
  return begun.length < reduces ? undefined : free.at(-1)?.host;
}

const allowedHosts = ({ where }: CopyLine): readonly string[] =>
  where.on === "only" ? where.hosts : [];
