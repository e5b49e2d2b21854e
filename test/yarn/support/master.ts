import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster, ContainerProcess } from "../../../tools/cluster/cluster.ts";

/** An application's master, as a test on the same machine sees it. */
export interface Master {
  readonly node: string;
  readonly container: string;
  /** The processes of its container: the master, its child, the shells around them. */
  readonly processes: readonly ContainerProcess[];
  readonly child: number | undefined;
  /** The master's own JVM. */
  readonly java: number | undefined;
  /** The master's log so far. */
  readonly log: string;
  /** The child's files so far. */
  readonly journal: string;
}

/** The application's master of the given attempt, from 1; undefined while it has no container. */
export function findMaster(cluster: Cluster, application: string, attempt = 1): Master | undefined {
  const ending = `_${String(attempt).padStart(2, "0")}_000001`;
  for (const { name: node } of cluster.workers) {
    const directory = join(cluster.places.nodes, node, "log", application);
    const container = namesIn(directory).find((name) => name.endsWith(ending));
    if (container === undefined) continue;
    const processes = cluster.containers(node).filter((one) => one.container === container);
    const is = (wanted: (command: readonly string[]) => boolean): number | undefined =>
      processes.find(({ command }) => wanted(command))?.pid;
    return {
      node,
      container,
      processes,
      child: is((command) => command.some((part) => part.endsWith("yarn-policy.mjs"))),
      java: is(([program = ""]) => program.endsWith("/java")),
      log: textIn(join(directory, container, "syslog")),
      journal: textIn(join(directory, container, "broomwagon-journal.ndjson")),
    };
  }
  return undefined;
}

const namesIn = (directory: string): readonly string[] =>
  existsSync(directory) ? readdirSync(directory) : [];

/** Only whole lines. */
function textIn(file: string): string {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return text.slice(0, text.lastIndexOf("\n") + 1);
}
