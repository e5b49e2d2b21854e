import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { findCluster } from "../../../tools/cluster/cluster.ts";
import { BUILD, ROOT } from "../../../tools/cluster/repository.ts";
import { lacksHadoop } from "./java-and-maven.ts";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * The directory of the cluster for all these tests, which the first test that needs it starts.
     */
    readonly clusterDirectory: string;
  }
}

/**
 * One cluster for all tests of the project; the first that needs it starts it, and it is taken down
 * here. `BROOMWAGON_CLUSTER=DIR` names one that is there already, and stays; the plug-in's jar
 * is then taken as it is, too.
 */
export default function setup(project: TestProject): (() => Promise<void>) | undefined {
  const given = process.env.BROOMWAGON_CLUSTER;
  project.provide("clusterDirectory", given ?? own(process.pid));
  if (lacksHadoop) return undefined;
  // Slowed nodes have a process of their own, which is started as compiled.
  run("npx", ["tsc", "-p", "tools/cluster"]);
  if (given !== undefined) return undefined;
  const isBuilt = process.env.BROOMWAGON_BUILT !== undefined;
  run("npm", ["run", "--silent", isBuilt ? "build:plugin" : "build:yarn"]);
  return async () => {
    await findCluster(own(process.pid))?.down();
    await takeDownForgotten();
  };
}

function run(program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error(`${[program, ...args].join(" ")}:\n${stdout}${stderr}`);
}

const NAME = "test-cluster-";
const own = (pid: number): string => join(BUILD, `${NAME}${pid}`);

/** Cleans up after runs that were killed before they could do so. */
async function takeDownForgotten(): Promise<void> {
  for (const name of readdirSync(BUILD)) {
    if (!name.startsWith(NAME)) continue;
    const pid = Number(name.slice(NAME.length));
    if (!existsSync(`/proc/${pid}`)) await findCluster(own(pid))?.down();
  }
}
