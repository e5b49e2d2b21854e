import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Tests of the engine and the command line run the built package, so it must be up to date.
 * `BROOMWAGON_BUILT` says that it is.
 */
export default function build(): void {
  if (process.env.BROOMWAGON_BUILT !== undefined) return;
  const done = spawnSync("npm", ["run", "--silent", "build"], { cwd: root, encoding: "utf8" });
  // Reported, not thrown: the tests of one file should run while another is half written. `npm
  // test` builds earlier, and stops at the first error.
  if (done.status !== 0) console.error(`The build has errors:\n${done.stdout}${done.stderr}`);
}
