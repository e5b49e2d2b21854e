import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { InputError } from "../../src/base/input-error.ts";

/** The oldest Java on which Hadoop 3.5's daemons run. */
const JAVA_MIN = 17;

/** The directory that contains `bin/java`: `JAVA_HOME`, or that of the `java` on the path. */
export function javaHome(): string {
  const found = findJavaHome();
  if (found === undefined) {
    throw new InputError(
      "missing-file",
      "java",
      `there is none on the path, and JAVA_HOME names none: Java ${JAVA_MIN} or newer is needed`,
    );
  }
  const version = Number.parseInt(javaVersion(found), 10);
  if (!(version >= JAVA_MIN)) {
    const is = Number.isNaN(version) ? "tells no version" : `is Java ${version}`;
    throw new InputError("missing-file", found, `${is}; Java ${JAVA_MIN} or newer is needed`);
  }
  return found;
}

const versions = new Map<string, string>();

/** Such as `17.0.15+6-Debian-1deb12u1`; empty if Java prints none. */
export function javaVersion(home: string): string {
  const known = versions.get(home);
  if (known !== undefined) return known;
  const { stderr } = spawnSync(join(home, "bin/java"), ["-version"], { encoding: "utf8" });
  const version = /\(build ([\w.+-]+)/.exec(stderr ?? "")?.[1] ?? "";
  versions.set(home, version);
  return version;
}

export function findJavaHome(): string | undefined {
  const { JAVA_HOME } = process.env;
  if (JAVA_HOME !== undefined && existsSync(join(JAVA_HOME, "bin/java"))) return JAVA_HOME;
  const program = findProgram("java");
  return program === undefined ? undefined : dirname(dirname(realpathSync(program)));
}

/** The path of the program, from `PATH`. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
