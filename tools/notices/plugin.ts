import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";
import { type BundledPackage, noticesOf, packageOf } from "./notices.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The helpers that the bundler adds are modules whose names begin with this. */
const OF_BUNDLER = "\0rolldown/";

const installed = (name: string): BundledPackage => ({
  name,
  root: join(ROOT, "node_modules", name),
});

/**
 * Keeps a file with the notices of all packages whose code is in the bundles that share the plugin.
 * `also`: packages whose code enters our package without the bundler.
 */
export function notices(
  into: string,
  { before = "", also = [] }: { readonly before?: string; readonly also?: readonly string[] } = {},
): Plugin {
  const packages = also.map(installed);
  return {
    name: "notices",
    // A module without a byte in the chunk is not listed.
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const module of Object.keys(chunk.modules)) {
          const found = module.startsWith(OF_BUNDLER) ? installed("rolldown") : packageOf(module);
          if (found !== undefined) packages.push(found);
        }
      }
    },
    // Bundles are made one after the other: after the last, all packages are known.
    writeBundle: () => writeFileSync(into, before + noticesOf(packages, ROOT)),
  };
}
