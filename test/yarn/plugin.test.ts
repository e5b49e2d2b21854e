import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClusterAccess } from "../../src/hosts/yarn/client/cluster-access.ts";
import type { Cluster } from "../../tools/cluster/cluster.ts";
import { ROOT } from "../../tools/cluster/repository.ts";
import { applicationOf, endOf } from "./support/in-time.ts";
import { lacksHadoop } from "./support/java-and-maven.ts";
import { findMaster } from "./support/master.ts";
import { accessTo, theCluster } from "./support/the-cluster.ts";
import { firstHost, runOf, type Told, toldIn } from "./support/told.ts";
import { expectedLines, WorkJob, type WorkOptions } from "./support/work-job.ts";

describe.skipIf(lacksHadoop)("the plug-in in the ApplicationMaster", () => {
  const place = mkdtempSync(join(tmpdir(), "broomwagon-plugin-"));
  let cluster: Cluster;
  let access: ClusterAccess;

  beforeAll(async () => {
    cluster = await theCluster();
    access = await accessTo(cluster);
  });

  afterAll(() => rmSync(place, { recursive: true }));

  /** A job whose child follows the script; the job must succeed whatever the child sends. */
  async function scriptedJob(name: string, { stockMaster = false, end = "well" }) {
    const gate = join(place, name);
    const options: WorkOptions = {
      name,
      maps: 4,
      cpuMs: 200,
      discipline: "none",
      gate,
      stockMaster,
      settings: {
        "broomwagon.policy": join(ROOT, "test/yarn/plugin/scripted-child.mjs"),
        "broomwagon.gate": gate,
        "broomwagon.end": end,
        // A job may load its classes by itself, but not under our own ApplicationMaster.
        "mapreduce.job.classloader": `${stockMaster}`,
        "mapreduce.job.reduces": "1",
        "mapreduce.job.reduce.slowstart.completedmaps": "1",
      },
    };
    const work = await WorkJob.submit(cluster, access, options);
    const { code, said } = await endOf(cluster, work.job);
    expect(code, said).toBe(0);
    expect(await work.output()).toEqual(expectedLines(options));
    const log = findMaster(cluster, await applicationOf(cluster, work.job))?.log ?? "";
    return { log, told: toldIn(await work.journal()) };
  }

  /** `copy: done` and the like for each command, in order. */
  const answers = ({ given, done, refused }: Told): readonly string[] =>
    given.map(({ command, type }) => {
      const reason = refused.find((line) => line.command === command)?.reason;
      const isDone = done.some((line) => line.command === command);
      return `${type}: ${isDone ? "done" : reason}`;
    });

  const REFUSED_ANYWHERE = [
    "copy: not-running", // The task waits for its first container.
    "copy: unknown",
    "copy: unknown",
    "copy: unknown",
    "kill: unknown",
    "withdraw: unknown",
    "copy: not-running", // The task is done.
  ];

  test.concurrent("ours: copies run where they may, if at all; nonsense ends no job", async () => {
    const { log, told } = await scriptedJob("ours", { end: "garbage" });
    expect(told.hello?.capabilities).toEqual({ placement: true, withdraw: true });
    expect(answers(told)).toEqual([
      ...REFUSED_ANYWHERE,
      "copy: time-out",
      "copy: done",
      "copy: withdrawn",
      "withdraw: done",
      "kill: done",
    ]);
    const placed = told.copies.find(({ command }) => told.done.some((d) => d.command === command));
    const run = placed && runOf(told, placed);
    expect(run).toMatchObject({ copy: true });
    expect(run?.host).not.toBe(firstHost(told, placed?.task ?? ""));
    expect(replaced(told)).toBe(true);
    // One attempt for each map, the copy, and the rerun after the kill; none for the refused copy.
    expect(told.started).toHaveLength(4 + 1 + 1);
    expect(log).toContain(
      "Broomwagon: no speculation from now on: the child said what is not of the protocol",
    );
  });

  test.concurrent("Hadoop's own: copies run somewhere, and cannot be taken back", async () => {
    const { log, told } = await scriptedJob("stock", { stockMaster: true });
    expect(told.hello?.capabilities).toEqual({ placement: false, withdraw: false });
    expect(answers(told)).toEqual([
      ...REFUSED_ANYWHERE,
      "copy: no-placement",
      "copy: done",
      "withdraw: too-late",
      "kill: done",
    ]);
    expect(replaced(told)).toBe(true);
    // The reduce is included, since this child got all messages to the end.
    expect(told.started).toHaveLength(4 + 1 + 1 + 1);
    expect(told.ended.filter(({ state }) => state === "succeeded")).toHaveLength(4 + 1);
    expect(log).not.toContain("no speculation");
  });

  test.concurrent("a job that forbids copies says that it has no journal", async () => {
    const forbidden = ["map", "reduce"].map((kind) => [`mapreduce.${kind}.speculative`, "false"]);
    const of = { name: "forbids", maps: 1, cpuMs: 10, discipline: "late" };
    const options: WorkOptions = { ...of, settings: Object.fromEntries(forbidden) };
    const work = await WorkJob.submit(cluster, access, options);
    const { code, said } = await endOf(cluster, work.job);
    expect(code, said).toBe(0);
    const { log = "" } = findMaster(cluster, await applicationOf(cluster, work.job)) ?? {};
    expect(log).toContain("Broomwagon: no policies and no journal in this job: mapreduce.map.spec");
    await expect(work.journal()).rejects.toThrow("gone");
  });

  /** Whether Hadoop has rerun the killed attempt, and not as a copy. */
  function replaced({ kills, started }: Told): boolean {
    const task = kills.at(-1)?.attempt.replace(/_\d+$/, "");
    return started.some(({ attempt, copy }) => attempt === `${task}_1` && !copy);
  }
});
