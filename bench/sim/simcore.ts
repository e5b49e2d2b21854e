import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("../../../bench/sim/simcore", import.meta.url));
const BUILT = fileURLToPath(new URL("../../simcore", import.meta.url));

/**
 * Builds W1 on DSLab's simcore, from the crates registry. Returns the program's path, or why there
 * is none.
 */
export function buildSimcore(): { readonly path: string } | { readonly missing: string } {
  mkdirSync(BUILT, { recursive: true });
  cpSync(SOURCE, BUILT, { recursive: true });
  const args = ["build", "--release", "--quiet"];
  const { status, error, stderr } = spawnSync("cargo", args, { cwd: BUILT, encoding: "utf8" });
  if (error !== undefined) return { missing: "no cargo is installed" };
  if (status !== 0) return { missing: `cargo could not build it: ${stderr.trim().split("\n")[0]}` };
  return { path: `${BUILT}/target/release/w1` };
}
