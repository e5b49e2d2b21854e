import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Option } from "commander";
import { importPolicies } from "../data/load/import-policies.ts";
import { preparePolicies } from "../data/load/policy-files.ts";
import { withOwnPolicies } from "../policy/own-policies.ts";
import { REGISTRY, type Registry } from "../policy/registry.ts";
import { collect } from "./flags.ts";

/** The flag of the commands that look up policies by name. */
export interface PolicyFlags {
  readonly policies?: readonly string[];
}

/** `--policies my-policy.ts`. */
export const policiesOption = (): Option =>
  new Option(
    "--policies <file>",
    "policies of your own: a module in TypeScript or JavaScript; may be repeated",
  ).argParser(collect);

/** All policies, with those of the files; InputError if a file is not as it must be. */
export async function registryFrom({ policies: files = [] }: PolicyFlags): Promise<Registry> {
  if (files.length === 0) return REGISTRY;
  const into = mkdtempSync(join(tmpdir(), "broomwagon-policies-"));
  try {
    await preparePolicies({ files, into });
    return withOwnPolicies(REGISTRY, await importPolicies(into));
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}
