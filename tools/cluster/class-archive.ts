import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { everyJar, jarsDirectory } from "./jars.ts";
import { javaHome, javaVersion } from "./java.ts";
import { type ClusterPlan, places } from "./plan.ts";

/**
 * An archive of Hadoop's classes, parsed and verified: JVMs map the file, and start in two thirds
 * of the CPU time. A JVM silently ignores the archive unless the same JVM made it and the class
 * path begins with the same jars. Java's `java` page, "Application Class Data Sharing".
 */
export const classArchive = (): string =>
  join(jarsDirectory(), `classes-${javaVersion(javaHome())}.jsa`);

/** The flags for a JVM to use the archive; without the archive the JVM uses its own. */
export function archiveFlags(): readonly string[] {
  const archive = classArchive();
  return existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`] : [];
}

/** The flags for the daemon whose classes `makeArchive` takes: the daemon lists them. */
export const recordingFlags = (plan: ClusterPlan): readonly string[] => [
  `-XX:DumpLoadedClassList=${listOf(plan)}`,
];

/**
 * Makes the archive of the classes that a NodeManager has listed: five in six of those that an
 * ApplicationMaster or a task needs. Takes some 12 s. A JVM that cannot make an archive is no
 * obstacle: the reason is printed.
 */
export async function makeArchive(
  plan: ClusterPlan,
  { tell, signal }: { readonly tell: (line: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  tell("making an archive of Hadoop's classes, which is kept");
  const list = `${listOf(plan)}.whole`;
  const archive = classArchive();
  const partial = `${archive}.${process.pid}`;
  try {
    const text = readFileSync(listOf(plan), "utf8");
    // The JVM is still writing the last line.
    writeFileSync(list, text.slice(0, text.lastIndexOf("\n") + 1));
    const flags = [`-XX:SharedClassListFile=${list}`, `-XX:SharedArchiveFile=${partial}`];
    await java(["-XX:+UseSerialGC", "-Xshare:dump", ...flags, "-Xlog:cds=off"], signal);
    renameSync(partial, archive);
  } catch (error) {
    signal.throwIfAborted();
    tell(`there is none, so JVMs start as slowly as ever: ${String(error)}`);
  } finally {
    rmSync(partial, { force: true });
  }
}

async function java(flags: readonly string[], signal: AbortSignal): Promise<void> {
  const child = spawn(join(javaHome(), "bin/java"), [...flags, "-cp", everyJar()], {
    stdio: ["ignore", "ignore", "pipe"],
    signal,
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`java ended with ${code}: ${said.slice(-500)}`);
}

const listOf = (plan: ClusterPlan): string => places(plan.directory).classes;
