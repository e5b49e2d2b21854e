import { execFileSync } from "node:child_process";
import { createReadStream, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClusterAccess } from "../../src/hosts/yarn/client/cluster-access.ts";
import { replaySession } from "../../src/hosts/yarn/policy/replay.ts";
import type { Cluster } from "../../tools/cluster/cluster.ts";
import { HadoopJob } from "./support/hadoop-job.ts";
import { lacksHadoop } from "./support/java-and-maven.ts";
import { findMaster } from "./support/master.ts";
import { accessTo, theCluster } from "./support/the-cluster.ts";
import { toldIn } from "./support/told.ts";
import { JAR } from "./support/work-job.ts";

const ROWS = 100_000;
const BASE = "/terasort";

describe.skipIf(lacksHadoop)("a job that knows nothing of us", () => {
  const place = mkdtempSync(join(tmpdir(), "broomwagon-terasort-"));
  let cluster: Cluster;
  let access: ClusterAccess;

  beforeAll(async () => {
    cluster = await theCluster();
    access = await accessTo(cluster);
    await access.hdfs.remove(BASE);
  });

  afterAll(() => rmSync(place, { recursive: true }));

  /** Puts Node into HDFS as its archives hold it: `bin/node`, to be run. */
  async function putNode(to: string): Promise<void> {
    mkdirSync(join(place, "bin"));
    symlinkSync(process.execPath, join(place, "bin/node"));
    const archive = join(place, "node.tgz");
    execFileSync("tar", ["-chf", archive, "-I", "gzip -1", "-C", place, "bin"]);
    await access.hdfs.write(to, () => createReadStream(archive));
  }

  /** The application that it was. */
  async function example(name: string, ...args: readonly string[]): Promise<string> {
    const job = new HadoopJob(cluster, "org.apache.hadoop.examples.ExampleDriver", [name, ...args]);
    const { code, said } = await job.ended;
    expect(code, said).toBe(0);
    return job.application;
  }

  test("TeraSort, by flags alone, runs under LATE, and TeraValidate finds it sorted", async () => {
    await example("teragen", "-Dmapreduce.job.maps=2", `${ROWS}`, `${BASE}/in`);
    await putNode(`${BASE}/node.tgz`);
    const sorting = await example(
      "terasort",
      "-Dmapreduce.job.reduces=2",
      "-Dyarn.app.mapreduce.am.job.speculator.class=broomwagon.yarn.BroomwagonSpeculator",
      "-Dyarn.app.mapreduce.am.command-opts=-Xmx320m broomwagon.yarn.BroomwagonAppMaster",
      "-Dbroomwagon.discipline=late",
      `-Dbroomwagon.journal=hdfs://${BASE}/journal.ndjson`,
      "-Dbroomwagon.node=./node/bin/node",
      "-libjars",
      JAR,
      "-archives",
      `hdfs://${BASE}/node.tgz#node`,
      `${BASE}/in`,
      `${BASE}/out`,
    );
    await example("teravalidate", `${BASE}/out`, `${BASE}/report`);

    const report = (await access.hdfs.read(`${BASE}/report/part-r-00000`)).toString();
    expect(report).toMatch(/^checksum\t[0-9a-f]+\n$/);
    const ran = /Broomwagon: (\S+) \S+yarn-policy\.mjs runs as process/;
    expect(ran.exec(findMaster(cluster, sorting)?.log ?? "")?.[1]).toBe("./node/bin/node");
    const journal = (await access.hdfs.read(`${BASE}/journal.ndjson`)).toString();
    const told = toldIn(journal);
    expect(told.ended.map(({ state }) => state)).toContain("succeeded");
    const read = told.ended.flatMap(({ counters }) => counters?.hadoop.BYTES_READ ?? 0);
    expect(Math.max(...read)).toBeGreaterThan(1_000_000);
    expect(replaySession(journal.split("\n"))).toMatchObject({ kind: "same" });
  });
});
