import { lookup as systemLookup } from "node:dns";
import { readFileSync } from "node:fs";
import type { LookupFunction } from "node:net";
import { InputError } from "../../../base/input-error.ts";

/**
 * Resolves the names of the cluster's hosts as Java does: from a file instead of the system where
 * `JDK_JAVA_OPTIONS` has `-Djdk.net.hosts.file=FILE`.
 */
export function hostLookup(environment: NodeJS.ProcessEnv): LookupFunction {
  const [, file] =
    /(?:^|\s)-Djdk\.net\.hosts\.file=(\S+)/.exec(environment.JDK_JAVA_OPTIONS ?? "") ?? [];
  if (file === undefined) return systemLookup;
  const addresses = readHosts(file);
  return (name, options, callback) => {
    const address = addresses.get(name);
    if (address === undefined) systemLookup(name, options, callback);
    else if (options.all) callback(null, [{ address, family: familyOf(address) }]);
    else callback(null, address, familyOf(address));
  };
}

const familyOf = (address: string): number => (address.includes(":") ? 6 : 4);

/** Lines such as `127.0.0.1 name other-name # remark`; the first address of a name counts. */
function readHosts(file: string): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  for (const line of textOf(file).split("\n")) {
    const [address, ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    for (const name of names) {
      if (address !== undefined && !addresses.has(name)) addresses.set(name, address);
    }
  }
  return addresses;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    const place = "-Djdk.net.hosts.file of JDK_JAVA_OPTIONS";
    throw new InputError("missing-file", place, `expected a file of host names, found ${file}`);
  }
}
