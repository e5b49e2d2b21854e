import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseJson } from "../../base/json.ts";
import { holding, list, Place, required, text } from "../../base/shape.ts";
import { importModule } from "./import-module.ts";

/** The list of the files of policies in a directory that `preparePolicies` has written. */
export const POLICY_LIST = "policies.json";

/** A file of policies, made ready to be imported. */
export interface PreparedPolicies {
  /** The user's file, as it was given. */
  readonly file: string;
  /** Its absolute path. */
  readonly path: string;
  /** The module to import: a name in the directory of the list, or the path of one in place. */
  readonly entry: string;
}

const prepared = list(
  holding<PreparedPolicies>("a file of policies", {
    file: required(text),
    path: required(text),
    entry: required(text),
  }),
);

/** A user's file, and its default export; undefined if there is none. */
export interface ImportedPolicies {
  readonly file: string;
  readonly exported: unknown;
}

/**
 * Imports the files of policies that `preparePolicies` has written into the directory; none if it
 * has written nothing there. InputError if its list is damaged.
 */
export async function importPolicies(directory: string): Promise<readonly ImportedPolicies[]> {
  const path = join(directory, POLICY_LIST);
  if (!existsSync(path)) return [];
  const parsed = parseJson(readFileSync(path, "utf8"));
  const place = new Place("bad-policies", path);
  const all = parsed.ok ? prepared.read(parsed.value, place) : place.fail(parsed.problem);
  const imported: ImportedPolicies[] = [];
  for (const one of all) {
    const module = await importModule(resolve(directory, one.entry), one.path, "bad-policies");
    const isObject = typeof module === "object" && module !== null;
    const exported = isObject && "default" in module ? module.default : undefined;
    imported.push({ file: one.file, exported });
  }
  return imported;
}
