import { Option } from "commander";
import type { Registry } from "../policy/registry.ts";
import { registryWith } from "../run/own-policies.ts";
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

/** All policies, with those of the flags; InputError if a file is not as it must be. */
export const registryFrom = ({ policies = [] }: PolicyFlags): Promise<Registry> =>
  registryWith(policies);
