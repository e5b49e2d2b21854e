import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importPolicies } from "../data/load/import-policies.ts";
import { preparePolicies } from "../data/load/policy-files.ts";
import { withOwnPolicies } from "../policy/own-policies.ts";
import { REGISTRY, type Registry } from "../policy/registry.ts";

/** All policies, with those of the files; InputError if a file is not as it must be. */
export async function registryWith(files: readonly string[]): Promise<Registry> {
  if (files.length === 0) return REGISTRY;
  const into = mkdtempSync(join(tmpdir(), "broomwagon-policies-"));
  try {
    await preparePolicies({ files, into });
    return withOwnPolicies(REGISTRY, await importPolicies(into));
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}
