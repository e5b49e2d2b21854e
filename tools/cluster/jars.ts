import { spawn } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../src/base/input-error.ts";
import { findProgram } from "./java.ts";
import { BUILD, ROOT } from "./repository.ts";

const POM = join(ROOT, "tools/cluster/pom.xml");

/** Hadoop's version, from the pom. */
export function hadoopVersion(): string {
  const version = /<hadoop\.version>(.+)<\/hadoop\.version>/.exec(readFileSync(POM, "utf8"))?.[1];
  if (version === undefined) throw new Error(`${POM} names no hadoop.version`);
  return version;
}

/** The directory of the jars, whether it exists yet or not. */
export const jarsDirectory = (): string => join(BUILD, `hadoop-${hadoopVersion()}`);

/** All jars, as an entry of a class path. */
export const everyJar = (): string => join(jarsDirectory(), "*");

/**
 * The directory of all jars that a cluster, its jobs and their clients need: 100 MB that Maven
 * copies there the first time, and again after a change of the pom.
 */
export async function hadoopJars(told: (line: string) => void): Promise<string> {
  const directory = jarsDirectory();
  const madeOf = join(directory, "pom.xml");
  if (existsSync(madeOf) && readFileSync(madeOf, "utf8") === readFileSync(POM, "utf8")) {
    return directory;
  }
  const maven = findProgram("mvn");
  if (maven === undefined) {
    throw new InputError("missing-file", "mvn", "there is no Maven on the path: it brings Hadoop");
  }
  told("copying Hadoop's jars, which are kept");
  const partial = `${directory}.${process.pid}`;
  try {
    await copyJars(maven, partial);
    copyFileSync(POM, join(partial, "pom.xml"));
    rmSync(directory, { recursive: true, force: true });
    renameSync(partial, directory);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return directory;
}

async function copyJars(maven: string, to: string): Promise<void> {
  const child = spawn(
    maven,
    [
      "--quiet",
      "--batch-mode",
      "--file",
      POM,
      "--activate-profiles",
      "daemons",
      "dependency:copy-dependencies",
      "-DincludeScope=runtime",
      `-DoutputDirectory=${to}`,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  const hear = (chunk: Buffer): void => {
    said += chunk.toString();
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`Maven could not copy Hadoop's jars:\n${said}`);
}
