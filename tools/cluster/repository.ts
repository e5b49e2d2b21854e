import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout, both from this file's source and from its compiled form. */
export const ROOT = rootAbove(dirname(fileURLToPath(import.meta.url)));

/** The directory of build results, compiled code included, which may be deleted at any time. */
export const BUILD = join(ROOT, ".build");

/** The plug-in as users get it: `npm run build:yarn` makes it. */
export const PLUGIN_JAR = join(ROOT, "yarn-plugin/target/broomwagon-yarn.jar");

function rootAbove(directory: string): string {
  return existsSync(join(directory, "package.json")) ? directory : rootAbove(dirname(directory));
}
