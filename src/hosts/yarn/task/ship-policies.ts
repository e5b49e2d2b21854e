import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { preparePolicies } from "../../../data/load/policy-files.ts";
import { shipPackages } from "./ship-packages.ts";
import { writeTarGz } from "./write-tar-gz.ts";

const POLICIES_FILE = fileURLToPath(
  new URL("../../../../dist/bundle/yarn-policies.mjs", import.meta.url),
);

/**
 * Makes an archive of the user's policies for the ApplicationMaster; returns its path, a `.tar.gz`.
 * `into`: a directory, made if it does not exist.
 *
 *     package.json
 *     policies.json             the list of the files
 *     0-mine.mjs 1-lib.mjs      the user's modules, which import each other by these names
 *     node_modules/broomwagon/  `broomwagon/policies`
 *     node_modules/*            packages that the user's modules import
 *
 * An InputError names the file and line of an import that cannot be shipped.
 */
export async function shipPolicies(query: {
  readonly files: readonly string[];
  readonly into: string;
}): Promise<string> {
  const root = join(query.into, "policies");
  const own = join(root, "node_modules/broomwagon");
  mkdirSync(own, { recursive: true });
  const packages = await preparePolicies({ files: query.files, into: root, travels: true });
  shipPackages(packages, join(root, "node_modules"));
  cpSync(POLICIES_FILE, join(own, "policies.mjs"));
  writeFileSync(join(own, "package.json"), JSON.stringify(OWN_PACKAGE));
  // Without it the modules would belong to any package around the container.
  writeFileSync(join(root, "package.json"), JSON.stringify({ type: "module" }));
  const archive = join(query.into, "policies.tar.gz");
  await writeTarGz(root, archive);
  return archive;
}

const OWN_PACKAGE = { name: "broomwagon", exports: { "./policies": "./policies.mjs" } };
