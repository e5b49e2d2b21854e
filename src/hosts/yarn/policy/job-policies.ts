import { InputError } from "../../../base/input-error.ts";
import { isObject, type Json } from "../../../base/json.ts";
import { importPolicies } from "../../../data/load/import-policies.ts";
import { withOwnPolicies } from "../../../policy/own-policies.ts";
import { REGISTRY, type Registry } from "../../../policy/registry.ts";

/** The name of the directory of the user's policies in the ApplicationMaster's container. */
export const POLICIES_DIRECTORY = "broomwagon-policies";

/** The directory that `hello` names in `broomwagon.policies`; undefined for any other line. */
export function policiesNamedIn(line: string): string | undefined {
  if (!line.includes('"hello"')) return undefined;
  const json: Json = JSON.parse(line);
  if (!isObject(json) || json.type !== "hello") return undefined;
  const { settings = null } = json;
  const directory = isObject(settings) ? settings.policies : undefined;
  return typeof directory === "string" ? directory : undefined;
}

/** All policies of a job, with the user's own; throws the InputError of the user's mistake. */
export type JobPolicies = () => Registry;

export const NO_OWN_POLICIES: JobPolicies = () => REGISTRY;

/** Imports the user's policies of a job; a mistake becomes the job's reason to make no copies. */
export async function jobPolicies(directory: string): Promise<JobPolicies> {
  try {
    const imported = await importPolicies(directory);
    if (imported.length === 0) {
      const expected = "expected the directory that `run --on yarn --policies` ships";
      throw new InputError("missing-file", `broomwagon.policies=${directory}`, expected);
    }
    const registry = withOwnPolicies(REGISTRY, imported);
    return () => registry;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return () => {
      throw error;
    };
  }
}
