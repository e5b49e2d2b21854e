import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { defined } from "../../src/base/assert.ts";
import { processTime } from "../../src/hosts/engine/throttle/process-time.ts";
import { classArchive } from "../../tools/cluster/class-archive.ts";
import { type Cluster, findCluster } from "../../tools/cluster/cluster.ts";
import { processesBelow } from "../../tools/cluster/processes.ts";
import { BUILD } from "../../tools/cluster/repository.ts";
import { seen } from "../../tools/cluster/seen.ts";
import { runsAll } from "../support/cases.ts";
import { lacksHadoop } from "./support/java-and-maven.ts";
import { mappedBy } from "./support/mapped.ts";
import { theCluster } from "./support/the-cluster.ts";

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The command as `npm run cluster --` runs it, without compiling it first. */
function command(...args: readonly string[]): Promise<Said> {
  return new Promise((resolve) => {
    const main = join(BUILD, "tools/cluster/main.js");
    execFile(process.execPath, [main, ...args], (error, out, err) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err });
    });
  });
}

describe.skipIf(lacksHadoop)("the cluster on this machine", () => {
  let cluster: Cluster;
  const started: ChildProcess[] = [];

  beforeAll(async () => {
    cluster = await theCluster();
  });

  afterAll(() => {
    for (const child of started) child.kill("SIGKILL");
  });

  /** A process that computes without end in the directory of the node's containers. */
  function burn(node: string): number {
    const standsIn = join(cluster.places.nodes, node, "local", "container_burning");
    mkdirSync(standsIn, { recursive: true });
    const child = spawn(process.execPath, ["-e", "for (;;);"], { cwd: standsIn, detached: true });
    started.push(child);
    return child.pid ?? 0;
  }

  test("has distinct nodes in two racks, all in use by YARN and HDFS", async () => {
    const { isWhole, nodes, liveDataNodes } = await cluster.status();
    expect(isWhole).toBe(true);
    expect(liveDataNodes).toBe(4);
    expect(nodes.map(({ name, rack, state }) => [name, rack, state])).toEqual([
      ["n1", "/rack1", "RUNNING"],
      ["n2", "/rack1", "RUNNING"],
      ["n3", "/rack2", "RUNNING"],
      ["n4", "/rack2", "RUNNING"],
    ]);
  });

  test("a slowed node's processes get a part of the CPU time that others get", async () => {
    const directory = ["--dir", cluster.directory];
    // An ApplicationMaster stays some seconds after its job.
    await seen("n2 is free", () => (cluster.containers("n2").length === 0 ? true : undefined));
    const before = burn("n2");
    expect(await command("slow", "n2", "6", ...directory)).toMatchObject({ code: 0 });
    const [later, free] = [burn("n2"), burn("n1")];
    const status = await command("status", ...directory);
    expect(status.out).toMatch(/n2 .* 1 containers, slowed 6 times/);
    const used = () => [before, later, free].map((pid) => processTime(pid) ?? Number.NaN);
    const [beforeFrom = 0, laterFrom = 0, freeFrom = 0] = used();
    const [beforeTo = 0, laterTo = 0, freeTo = 0] = await seen(
      "three seconds of work on the free node",
      () => {
        const now = used();
        return (now[2] ?? 0) - freeFrom > 3_000 ? now : undefined;
      },
    );
    const slowed = beforeTo - beforeFrom + laterTo - laterFrom;
    expect(slowed).toBeGreaterThan(0);
    // Two processes of one core each and a sixth of it; unslowed they would get more than the one.
    expect(slowed).toBeLessThan((freeTo - freeFrom) / 1.5);
    expect(await command("slow", "n2", "1", ...directory)).toMatchObject({ code: 0 });
    const [full = 0] = used();
    await seen("the first process is no longer slowed", () =>
      (used()[0] ?? 0) - full > 1_000 ? true : undefined,
    );
    expect((await command("status", ...directory)).out).not.toContain("slowed");
  });

  test("if the slowing process is killed, stopped processes continue", async () => {
    const directory = ["--dir", cluster.directory];
    const pid = burn("n4");
    expect(await command("slow", "n4", "50", ...directory)).toMatchObject({ code: 0 });
    await seen("n4's process is stopped", () =>
      /\) T /.test(readFileSync(`/proc/${pid}/stat`, "latin1")) ? true : undefined,
    );
    const [slowing] = processesBelow(join(cluster.places.daemons, "slow-nodes")).filter(
      ({ command: words }) => words.includes("n4=50"),
    );
    cluster.killProcess(defined(slowing, "the process that slows n4").pid);
    const from = processTime(pid) ?? Number.NaN;
    await seen("n4's process goes on", () =>
      (processTime(pid) ?? 0) - from > 1_000 ? true : undefined,
    );
    expect((await command("status", ...directory)).out).not.toContain("slowed");
  });

  test("a killed node is lost with its processes; restarted, it is usable", async () => {
    const pid = burn("n3");
    expect(await command("kill", "n3", "--dir", cluster.directory)).toMatchObject({ code: 0 });
    expect(processTime(pid)).toBeUndefined();
    const after = await command("status", "--dir", cluster.directory);
    expect(after.code).toBe(1);
    expect(after.out).toContain("nodemanager-n3 is gone");
    await seen("n3 is lost", async () => {
      const { nodes } = await cluster.status();
      return nodes.find(({ name, state }) => name === "n3" && state === "LOST");
    });
    await cluster.restart("n3");
    expect(await cluster.status()).toMatchObject({ isWhole: true });
  });

  test("a killed ResourceManager is restarted, and has all nodes", async () => {
    const directory = ["--dir", cluster.directory];
    expect(await command("kill", "resourcemanager", ...directory)).toMatchObject({ code: 0 });
    const { code, out } = await command("status", ...directory);
    expect(code).toBe(1);
    expect(out).toContain("10 of 11 daemons run, 4 DataNodes\n  resourcemanager is gone");
    expect(await command("restart", "resourcemanager", ...directory)).toMatchObject({ code: 0 });
    expect(await cluster.status()).toMatchObject({ isWhole: true });
    const unknown = await command("kill", "n9", ...directory);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.err).toContain("n9: one of n1, n2, n3, n4, m1, namenode, resourcemanager");
  });

  // It starts nine processes more, and nothing else here needs them.
  test.runIf(runsAll)(
    "a second cluster runs beside the first, and leaves nothing when taken down",
    async () => {
      const directory = `${inject("clusterDirectory")}-beside`;
      const at = ["--dir", directory];
      const block = cluster.workers[0]?.address.replace(/\.\d+$/, "") ?? "";
      const [, , third] = block.split(".");
      const beside = `127.0.${Number(third) + 100}`;
      const webServers = () =>
        readdirSync(tmpdir()).filter((name) => name.includes(beside.replace(/\./g, "_")));
      const earlier = webServers();
      try {
        const taken = await command("up", ...at, "--address", block);
        expect(taken).toMatchObject({ code: 2, out: "" });
        expect(taken.err).toMatch(/^error: --address: .* is taken, .*choose another/);
        expect(existsSync(directory)).toBe(false);

        const up = await command("up", ...at, "--address", beside, "--workers", "1");
        expect(up, up.err).toMatchObject({ code: 0 });
        expect(up.out).toContain(`http://${beside}.10:8088`);
        expect(up.out).toMatch(new RegExp(`conf +${join(directory, "conf")}$`, "m"));
        expect(existsSync(join(directory, "conf", "core-site.xml"))).toBe(true);
        expect(existsSync(join(directory, "environment"))).toBe(true);
        expect(await command("status", ...at)).toMatchObject({ code: 0 });
        const twice = await command("up", ...at, "--address", beside);
        expect(twice).toMatchObject({ code: 2, out: "" });
        expect(twice.err).toMatch(/a cluster is there already/);

        // The first cluster has made the archive of classes, which all others map.
        const other = findCluster(directory);
        const { daemons } = (await other?.status()) ?? { daemons: [] };
        expect(daemons).toHaveLength(5);
        for (const { pid } of daemons) expect(mappedBy(pid)).toContain(classArchive());

        // A crash, without a message.
        const named = daemons.find(({ name }) => name === "namenode");
        if (named?.pid !== undefined) other?.killProcess(named.pid);
        const status = await seen("the namenode is gone", async () => {
          const said = await command("status", ...at);
          return said.out.includes("namenode is gone") ? said : undefined;
        });
        expect(status.code).toBe(1);
        expect(status.out).toMatch(/^not whole: 4 of 5 daemons run, HDFS does not answer/);
      } finally {
        const down = await command("down", ...at);
        expect(down).toMatchObject({ code: 0 });
      }
      expect(existsSync(directory)).toBe(false);
      expect(webServers(), "directories of its web servers").toEqual(earlier);
      expect(processesBelow(directory)).toEqual([]);
      expect(await command("status", ...at)).toMatchObject({ code: 3 });
    },
  );
});
