import { findProgram } from "../../../tools/cluster/java.ts";

const missing = ["java", "javac", "mvn"].filter((name) => findProgram(name) === undefined);

/**
 * Whether tests that need Hadoop are skipped here: never in CI, and elsewhere only with a message
 * about what is missing.
 */
export const lacksHadoop = missing.length > 0 && (process.env.CI ?? "") === "";

if (lacksHadoop) {
  console.warn(`Tests on Hadoop are SKIPPED: there is no ${missing.join(", no ")} on the path.`);
}
