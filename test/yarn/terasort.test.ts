import { execFileSync } from "node:child_process";
import { createReadStream, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClusterAccess } from "../../src/hosts/yarn/client/cluster-access.ts";
import { replaySession } from "../../src/hosts/yarn/policy/replay.ts";
import type { Cluster } from "../../tools/cluster/cluster.ts";
import { type ClientEnd, HadoopJob } from "../../tools/cluster/hadoop-job.ts";
import { PLUGIN_JAR } from "../../tools/cluster/repository.ts";
import { seen } from "../../tools/cluster/seen.ts";
import { avataarsOf, HISTORY_AS_JSON } from "./support/avataars.ts";
import { expectServedAsWritten } from "./support/history-server.ts";
import { endOf } from "./support/in-time.ts";
import { lacksHadoop } from "./support/java-and-maven.ts";
import { findMaster } from "./support/master.ts";
import { accessTo, freeNode, theCluster } from "./support/the-cluster.ts";
import { avataarsIn, firstHost, runOf, toldIn } from "./support/told.ts";
import { journalOf } from "./support/work-job.ts";

const ROWS = 100_000;
const ROW_BYTES = 100;
const BASE = "/terasort";

describe.skipIf(lacksHadoop)("a job that does not know Broomwagon", () => {
  const place = mkdtempSync(join(tmpdir(), "broomwagon-terasort-"));
  let cluster: Cluster;
  let access: ClusterAccess;

  beforeAll(async () => {
    cluster = await theCluster();
    access = await accessTo(cluster);
    await access.hdfs.remove(BASE);
  });

  afterAll(() => rmSync(place, { recursive: true }));

  /** Puts Node into HDFS as in its archives: `bin/node`, executable. */
  async function putNode(to: string): Promise<void> {
    mkdirSync(join(place, "bin"));
    symlinkSync(process.execPath, join(place, "bin/node"));
    const archive = join(place, "node.tgz");
    execFileSync("tar", ["-chf", archive, "-I", "gzip -1", "-C", place, "bin"]);
    await access.hdfs.write(to, () => createReadStream(archive));
  }

  const submit = (name: string, ...args: readonly string[]): HadoopJob =>
    new HadoopJob(cluster, "org.apache.hadoop.examples.ExampleDriver", [name, ...args]);

  async function ended(job: HadoopJob): Promise<ClientEnd> {
    const end = await endOf(cluster, job);
    expect(end.code, end.said).toBe(0);
    return end;
  }

  /** TeraSort unchanged, with six maps, two per node, and the flags that give it LATE. */
  const submitSort = (): HadoopJob =>
    submit(
      "terasort",
      ...["-Dmapreduce.job.reduces=2", "-Dmapreduce.map.memory.mb=768"],
      `-Dmapreduce.input.fileinputformat.split.maxsize=${Math.ceil((ROWS * ROW_BYTES) / 6)}`,
      ...Object.entries(HISTORY_AS_JSON).map(([key, value]) => `-D${key}=${value}`),
      "-Dyarn.app.mapreduce.am.job.speculator.class=broomwagon.yarn.BroomwagonSpeculator",
      "-Dyarn.app.mapreduce.am.command-opts=-Xmx320m broomwagon.yarn.BroomwagonAppMaster",
      "-Dbroomwagon.discipline=late",
      "-Dbroomwagon.set=speculation.runtimeMsMin=2000,speculation.speculativeCap=0.5",
      `-Dbroomwagon.journal=hdfs://${BASE}/journal.ndjson`,
      "-Dbroomwagon.node=./node/bin/node",
      ...["-libjars", PLUGIN_JAR],
      ...["-archives", `hdfs://${BASE}/node.tgz#node`],
      ...[`${BASE}/in`, `${BASE}/out`],
    );

  test("TeraSort, by flags alone: LATE copies a slow node's tasks, and it is sorted", async () => {
    const generated = await ended(
      submit("teragen", "-Dmapreduce.job.maps=2", `${ROWS}`, `${BASE}/in`),
    );
    await putNode(`${BASE}/node.tgz`);
    const sorting = submitSort();
    const slowed = await seen("a node to slow", () => freeNode(cluster, 4));
    await cluster.slow(slowed, 8);
    await ended(sorting);
    await cluster.slow(slowed, 1);
    await ended(submit("teravalidate", `${BASE}/out`, `${BASE}/report`));

    // The same rows as TeraGen's, each as often, in order; otherwise the report names the error.
    const report = (await access.hdfs.read(`${BASE}/report/part-r-00000`)).toString();
    const [, checksum = ""] = /CHECKSUM=(\d+)/.exec(generated.said) ?? [];
    expect(report).toBe(`checksum\t${BigInt(checksum).toString(16)}\n`);
    const parts = await access.hdfs.list(`${BASE}/out`);
    const sorted = parts.filter(({ path }) => path.includes("/part-"));
    expect(sorted.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(ROWS * ROW_BYTES);

    const application = await sorting.application;
    const ran = /Broomwagon: (\S+) \S+yarn-policy\.mjs runs as process/;
    expect(ran.exec(findMaster(cluster, application)?.log ?? "")?.[1]).toBe("./node/bin/node");
    const path = journalOf(`${BASE}/journal.ndjson`, application);
    const journal = (await access.hdfs.read(path)).toString();
    const told = toldIn(journal);
    expect(told.ready).toMatchObject({ discipline: "late" });
    expect(new Set(told.copies.map(({ why }) => why.rule))).toEqual(new Set(["longest-time-left"]));
    const ofSlow = told.copies.filter(({ task }) => firstHost(told, task) === slowed);
    const beside = ofSlow.flatMap((copy) => runOf(told, copy)?.host ?? []);
    expect(beside).not.toEqual([]);
    expect(beside).not.toContain(slowed);
    const avataars = Array.from(await avataarsOf(access, application));
    expect(avataars).toEqual(expect.arrayContaining([...avataarsIn(told)]));
    expect(told.ended.map(({ state }) => state)).toContain("succeeded");
    const read = told.ended.flatMap(({ counters }) => counters?.hadoop.BYTES_READ ?? 0);
    expect(Math.max(...read)).toBeGreaterThan(1_000_000);
    expect(replaySession(journal.split("\n"))).toMatchObject({ kind: "same" });
    await expectServedAsWritten(cluster, access, application);
  });
});
