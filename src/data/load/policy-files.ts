import { writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { POLICY_LIST, type PreparedPolicies } from "./import-policies.ts";
import { userFile, writeModules } from "./loader.ts";
import { ModuleGraph, POLICIES_KIND, type UsedPackage } from "./module-graph.ts";

/**
 * Writes files of policies and all their relative imports into the directory `into`, as plain
 * JavaScript that `importPolicies` imports. An InputError names file and line. `travels`: as for a
 * job file, the directory goes to another machine; the packages must be installed there.
 */
export async function preparePolicies(query: {
  readonly files: readonly string[];
  readonly into: string;
  readonly travels?: boolean;
}): Promise<Iterable<UsedPackage>> {
  const { into, travels = false } = query;
  const graph = new ModuleGraph(resolve(into), { travels, kind: POLICIES_KIND });
  const list: PreparedPolicies[] = [];
  for (const file of query.files) {
    const path = userFile(file, POLICIES_KIND);
    const to = await writeModules(path, graph, into);
    list.push({ file, path, entry: to === path ? path : basename(to) });
  }
  writeFileSync(join(into, POLICY_LIST), JSON.stringify(list));
  return graph.packages();
}
