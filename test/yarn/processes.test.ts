import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Cluster } from "../../tools/cluster/cluster.ts";
import { writeConfiguration } from "../../tools/cluster/configuration.ts";
import { launch } from "../../tools/cluster/daemons.ts";
import { javaHome } from "../../tools/cluster/java.ts";
import { places, planCluster } from "../../tools/cluster/plan.ts";
import { endAll, processesBelow, signal } from "../../tools/cluster/processes.ts";
import { BUILD } from "../../tools/cluster/repository.ts";
import { seen } from "../../tools/cluster/seen.ts";
import { lacksHadoop } from "./support/java-and-maven.ts";

/** Enough looks to catch a JVM that leaves its directory for a moment. */
const STARTS = 20;

describe.skipIf(lacksHadoop)("the processes of a cluster", () => {
  const directory = join(BUILD, `processes-${process.pid}`);
  const plan = planCluster({ directory });
  const { configuration, logs, daemons } = places(plan.directory);

  beforeAll(() => {
    for (const place of [configuration, logs, daemons]) mkdirSync(place, { recursive: true });
    writeConfiguration(plan);
  });

  afterAll(async () => {
    await endAll(() => processesBelow(directory));
    rmSync(directory, { recursive: true });
  });

  /** A small JVM that runs until it is killed, started as a daemon is. */
  const startOne = (name: string, port = "0") =>
    launch(plan, name, [
      join(javaHome(), "bin/java"),
      ...["-Xmx32m", "-Djava.rmi.server.hostname=localhost"],
      ...["-m", "java.rmi/sun.rmi.registry.RegistryImpl", port],
    ]);

  const isThere = (pid: number): boolean => processesBelow(daemons).some((one) => one.pid === pid);

  test(`a JVM that starts is one of them at every look, ${STARTS} times`, async () => {
    const missed: number[] = [];
    for (let start = 0; start < STARTS; start++) {
      const jvm = startOne("starting");
      const from = performance.now();
      while (performance.now() - from < LOOKED_AT_MS) {
        if (isThere(jvm.pid)) await turn();
        else {
          missed.push(start);
          break;
        }
      }
      expect(jvm.hasEnded()).toBe(false);
      signal(jvm.pid, "SIGKILL");
      await seen("the JVM ends", () => jvm.hasEnded() || undefined);
    }
    expect(missed).toEqual([]);
  });

  test("the starter of a process learns of its end, however it came", async () => {
    const killed = startOne("killed");
    expect(killed.hasEnded()).toBe(false);
    signal(killed.pid, "SIGKILL");
    const failed = startOne("failed", "no port");
    await seen("both JVMs end", () => (killed.hasEnded() && failed.hasEnded()) || undefined);
    expect(isThere(killed.pid)).toBe(false);
  });

  test("taking a cluster down also ends processes that have hardly begun", async () => {
    for (let start = 0; start < 10; start++) {
      for (const place of [configuration, logs, daemons]) mkdirSync(place, { recursive: true });
      writeConfiguration(plan);
      const jvm = startOne("early");
      const until = performance.now() + 12 * start;
      while (performance.now() < until) await turn();
      await new Cluster(plan).down();
      await seen("the JVM ends", () => jvm.hasEnded() || undefined);
      expect(processesBelow(directory)).toEqual([]);
    }
    for (const place of [configuration, logs, daemons]) mkdirSync(place, { recursive: true });
  });
});

/** Longer than a JVM takes to set itself up. */
const LOOKED_AT_MS = 250;
