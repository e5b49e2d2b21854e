import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout: the same for this file as it is written and as it is compiled. */
export const ROOT = rootAbove(dirname(fileURLToPath(import.meta.url)));

/** What is made and may be deleted at any time; what is compiled stands below it, too. */
export const BUILD = join(ROOT, ".build");

/** Our plug-in as users get it: `npm run build:yarn` makes it. */
export const PLUGIN_JAR = join(ROOT, "yarn-plugin/target/broomwagon-yarn.jar");

function rootAbove(directory: string): string {
  return existsSync(join(directory, "package.json")) ? directory : rootAbove(dirname(directory));
}
