import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { defined } from "../../src/base/assert.ts";
import type { ClusterAccess } from "../../src/hosts/yarn/client/cluster-access.ts";
import { replaySession } from "../../src/hosts/yarn/policy/replay.ts";
import { classArchive } from "../../tools/cluster/class-archive.ts";
import type { Cluster } from "../../tools/cluster/cluster.ts";
import { seen } from "../../tools/cluster/seen.ts";
import { applicationOf, endOf, stateOf } from "./support/in-time.ts";
import { lacksHadoop } from "./support/java-and-maven.ts";
import { mappedBy } from "./support/mapped.ts";
import { findMaster, type Master } from "./support/master.ts";
import { accessTo, mend, theCluster } from "./support/the-cluster.ts";
import { toldIn } from "./support/told.ts";
import { expectedLines, WorkJob } from "./support/work-job.ts";

describe.skipIf(lacksHadoop)("a job under our policies, when something dies", () => {
  let cluster: Cluster;
  let access: ClusterAccess;
  const place = mkdtempSync(join(tmpdir(), "broomwagon-gates-"));

  beforeAll(async () => {
    cluster = await theCluster();
    access = await accessTo(cluster);
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") console.error(await stateOf(cluster));
    await mend(cluster);
  });

  afterAll(() => rmSync(place, { recursive: true }));

  /** All maps but the first wait until the test opens the gate: it has all the time it needs. */
  async function gatedJob(name: string, maps: number) {
    const gate = join(place, name);
    const options = { name, maps, cpuMs: 100, discipline: "late", gate };
    const work = await WorkJob.submit(cluster, access, options);
    const application = await applicationOf(cluster, work.job);
    const master = (attempt = 1): Master | undefined => findMaster(cluster, application, attempt);
    return {
      master,
      openGate: () => writeFileSync(gate, ""),
      avataars: () => work.avataars(),
      async endsWell(lastMaster = 1): Promise<string> {
        const { code, said } = await endOf(cluster, work.job);
        expect(code, said).toBe(0);
        expect(await work.output()).toEqual(expectedLines(options));
        return work.journal(lastMaster);
      },
    };
  }

  test("a node, then the ApplicationMaster: the second one continues with our policy", async () => {
    const job = await gatedJob("lost", 5);
    const { first, host } = await seen("all five maps run, and the first has ended", () => {
      const first = job.master();
      const { started, ended } = toldIn(first?.journal ?? "");
      const isUnderWay = started.length >= 5 && ended.length === 1;
      const free = started.find((one) => one.host !== first?.node && !isFirst(one.task));
      return isUnderWay && first && free ? { first, host: free.host } : undefined;
    });
    const onHost = toldIn(first.journal).started.filter(
      (one) => one.host === host && !isFirst(one.task),
    );
    // Its class path begins as the archive of Hadoop's classes wants it: it starts sooner.
    expect(mappedBy(first.java)).toContain(classArchive());
    await cluster.kill(host);
    const afterLoss = await seen("the maps of the killed node run again", () => {
      const told = toldIn(job.master()?.journal ?? "");
      const isBack = onHost.every(({ task, attempt }) =>
        told.started.some((one) => one.task === task && one.attempt !== attempt),
      );
      return isBack ? told : undefined;
    });
    expect(afterLoss.nodes).toContainEqual(expect.objectContaining({ host, state: "lost" }));
    for (const { attempt, task } of onHost) {
      expect(afterLoss.ended).toContainEqual(expect.objectContaining({ attempt, state: "killed" }));
      const again = afterLoss.started.find((one) => one.task === task && one.attempt !== attempt);
      expect(again?.host).not.toBe(host);
    }

    cluster.killProcess(defined(job.master()?.java, "the master's JVM"));
    const second = await seen("the second master starts four maps", () => {
      const told = toldIn(job.master(2)?.journal ?? "");
      return told.started.length >= 4 ? told : undefined;
    });
    // The child of a master that was killed does not outlive it.
    await seen("the killed master's child is gone", () =>
      job.master()?.processes.length === 0 ? true : undefined,
    );
    expect(second.hello).toMatchObject({ amAttempt: 2, settings: { discipline: "late" } });
    expect(second.ready).toMatchObject({ discipline: "late" });
    expect(second.recovered).toContainEqual(
      expect.objectContaining({ task: "m_000000", state: "succeeded" }),
    );
    job.openGate();
    const journal = await job.endsWell(2);
    expect(replaySession(journal.split("\n"))).toMatchObject({ kind: "same" });
    expect(toldIn(journal).hello).toMatchObject({ amAttempt: 2 });
    await cluster.restart(host);
  });

  test("the child, killed or hung: the job ends well, without speculation", async () => {
    const jobs = await Promise.all([gatedJob("killed", 2), gatedJob("hung", 2)]);
    const off = /Broomwagon: no speculation from now on: .*/;
    const [killed, hung] = jobs;
    for (const [job, name] of [
      [killed, "SIGKILL"],
      [hung, "SIGSTOP"],
    ] as const) {
      const child = await seen("both maps run, and the child", () => {
        const master = job.master();
        const isAtWork = toldIn(master?.journal ?? "").started.length >= 2;
        return isAtWork ? master?.child : undefined;
      });
      cluster.killProcess(child, name);
    }
    const said = await Promise.all(
      jobs.map((job) =>
        seen(
          "the reason why the child is no longer asked",
          () => off.exec(job.master()?.log ?? "")?.[0],
        ),
      ),
    );
    expect(said[0]).toMatch(/exit|ended/);
    expect(said[1]).toMatch(/has not answered/);
    // A stopped child is also ended.
    await seen("both children are gone", () =>
      jobs.every((job) => job.master()?.child === undefined) ? true : undefined,
    );
    for (const job of jobs) job.openGate();
    for (const job of jobs) {
      const told = toldIn(await job.endsWell());
      expect([...told.copies, ...told.kills]).toEqual([]);
      // No other process replaced the child: Hadoop itself made no copy.
      const avataars = await job.avataars();
      expect([...avataars.keys()]).toEqual(expect.arrayContaining(["m_000000_0", "m_000001_0"]));
      expect([...avataars.values()]).not.toContain("SPECULATIVE");
    }
  });
});

const isFirst = (task: string): boolean => task === "m_000000";
