import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folders that decide the outcome of an experiment's unit. */
const FOLDERS = ["base", "model", "policy", "core", "hosts/sim", "reproduce"];
/**
 * The files in these folders that only show and judge outcomes, and may change without affecting
 * them.
 */
const SHOWN =
  /^(report\/|reproduce\/(page\/|(columns|parse-figures|remarks|rows|score|verdict)\.))/;

/** Whether an outcome may depend on the file. */
export const decidesOutcomes = (path: string): boolean =>
  /\.[jt]s$/.test(path) && !/\.(test|d)\.ts$/.test(path) && !SHOWN.test(path);

/**
 * A hash of the built program, since another program may compute other outcomes. The published
 * package has the bundles alone.
 */
export function programVersion(root = fileURLToPath(new URL("../../", import.meta.url))): string {
  const hash = createHash("sha256");
  const folders = existsSync(join(root, "core")) ? FOLDERS : ["bundle"];
  for (const folder of folders) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => decidesOutcomes(`${folder}/${name}`))
      .sort();
    for (const name of names) {
      hash.update(`${folder}/${name}\n`).update(readFileSync(join(root, folder, name)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}
