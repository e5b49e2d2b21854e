import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OutputChange } from "../../../data/formats/output-change.ts";
import { shipJobFile } from "../../../data/load/loader.ts";
import { installedPackages, shipPackages } from "./ship-packages.ts";
import { RUNNER, type ShippedProgram } from "./task-list.ts";
import { writeTarGz } from "./write-tar-gz.ts";

const RUNNER_FILE = fileURLToPath(
  new URL("../../../../dist/bundle/yarn-task.mjs", import.meta.url),
);

/** The content of the archive, unpacked as the directory SHIPMENT of each container. */
export interface Shipment {
  readonly program: ShippedProgram;
  /** The path of a `.tar.gz`. */
  readonly archive: string;
}

/**
 * Makes an archive of everything that a container needs besides Node: the runner, the user's module
 * with its relative imports, and packages. `into`: a directory, made if it does not exist.
 *
 *     yarn-task.mjs
 *     0-job.mjs 1-lib.mjs       the user's modules, which import each other by these names
 *     node_modules/broomwagon/  the kernels, and `broomwagon/job`, re-exported from the runner
 *     node_modules/*            packages that the user's modules import
 *
 * An InputError names the file and line of an import that cannot be shipped.
 */
export async function shipJob(query: {
  readonly file: string;
  readonly into: string;
  readonly outputChange?: OutputChange | undefined;
  /** Packages of this project that the inputs need, if they are installed here. */
  readonly needs?: readonly string[];
}): Promise<Shipment> {
  const { file: path, into, outputChange, needs = [] } = query;
  const root = join(into, "shipment");
  const own = join(root, "node_modules/broomwagon");
  mkdirSync(own, { recursive: true });
  const { entry, file, packages } = await shipJobFile({ file: path, into: root });
  const ours = installedPackages(needs, dirname(fileURLToPath(import.meta.url)));
  // Of two versions the user's own wins.
  shipPackages([...ours, ...packages], join(root, "node_modules"));
  cpSync(RUNNER_FILE, join(root, RUNNER));
  const require = createRequire(import.meta.url);
  cpSync(require.resolve("broomwagon/kernel.wasm"), join(own, "kernel.wasm"));
  writeFileSync(join(own, "job.mjs"), `export * from "../../${RUNNER}";\n`);
  writeFileSync(join(own, "package.json"), JSON.stringify(OWN_PACKAGE));
  const archive = join(into, "broomwagon.tar.gz");
  await writeTarGz(root, archive);
  const change = outputChange === undefined ? {} : { outputChange };
  return { program: { entry, file, ...change }, archive };
}

const OWN_PACKAGE = {
  name: "broomwagon",
  exports: { "./job": "./job.mjs", "./kernel.wasm": "./kernel.wasm" },
};
