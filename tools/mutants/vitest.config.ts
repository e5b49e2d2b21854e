import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import type { TestCase, TestModule } from "vitest/node";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The test files to run, in their order: a JSON list in the file that the variable names. */
const include: string[] = JSON.parse(readFileSync(process.env.MUTANT_TESTS ?? "", "utf8"));

class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      include.findIndex((path) => moduleId.endsWith(`/${path}`));
    return files.sort((a, b) => place(a) - place(b));
  }
}

/** A line for each test, and for each test file that has passed. */
const reporter = {
  onTestModuleEnd(module: TestModule): void {
    for (const error of module.errors()) tell("failed", `${path(module)}: ${error.message}`);
    if (module.ok()) tell("passed", path(module));
  },
  onTestCaseResult(test: TestCase): void {
    const how = test.result().state === "failed" ? "failed" : "tested";
    tell(how, `${path(test.module)}: ${test.fullName}`);
  },
  onTestRunEnd(_: readonly TestModule[], errors: readonly { readonly message: string }[]): void {
    for (const { message } of errors) tell("failed", message);
  },
};

const path = ({ relativeModuleId }: TestModule): string => relativeModuleId;

function tell(how: "failed" | "passed" | "tested", what: string): void {
  process.stdout.write(`${how} ${what.split("\n")[0]}\n`);
}

export default defineConfig({
  test: {
    include,
    reporters: [reporter],
    // Ten times as fast as a process for each file.
    isolate: false,
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    bail: 1,
    sequence: { sequencer: AsGiven },
    experimental: { fsModuleCache: true, fsModuleCachePath: ".vitest-cache" },
  },
});
