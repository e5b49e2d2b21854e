/** `npm run release:check -- TAG`: whether the tagged version can be published. */
import { existsSync, readFileSync } from "node:fs";
import { releaseFaults } from "./release-faults.ts";

const faults = releaseFaults({
  tag: process.argv[2] ?? "",
  manifest: JSON.parse(readFileSync("package.json", "utf8")),
  changelog: readFileSync("CHANGELOG.md", "utf8"),
  citation: readFileSync("CITATION.cff", "utf8"),
  hasJar: existsSync("yarn-plugin/target/broomwagon-yarn.jar"),
  runsIn: process.env.GITHUB_REPOSITORY,
});
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
