import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { InputError } from "../../src/base/input-error.ts";

/** The oldest that Hadoop 3.5's daemons run on. */
const JAVA_MIN = 17;

/** The directory that holds `bin/java`: `JAVA_HOME`, or where the `java` on the path stands. */
export function javaHome(): string {
  const found = findJavaHome();
  if (found === undefined) {
    throw new InputError(
      "missing-file",
      "java",
      `there is none on the path, and JAVA_HOME names none: Java ${JAVA_MIN} or newer is needed`,
    );
  }
  const { stderr } = spawnSync(join(found, "bin/java"), ["-version"], { encoding: "utf8" });
  const version = Number(/version "(\d+)/.exec(stderr ?? "")?.[1]);
  if (!(version >= JAVA_MIN)) {
    const is = Number.isNaN(version) ? "tells no version" : `is Java ${version}`;
    throw new InputError("missing-file", found, `${is}; Java ${JAVA_MIN} or newer is needed`);
  }
  return found;
}

export function findJavaHome(): string | undefined {
  const { JAVA_HOME } = process.env;
  if (JAVA_HOME !== undefined && existsSync(join(JAVA_HOME, "bin/java"))) return JAVA_HOME;
  const program = findProgram("java");
  return program === undefined ? undefined : dirname(dirname(realpathSync(program)));
}

/** Where the program stands on the path. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
