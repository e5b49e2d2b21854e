import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Ends the output with one line that scripts can read: `12 passed, 0 failed`. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    // Vitest writes its own summary before this hook of the earlier reporters returns.
    console.log(tally(modules, errors));
  }
}

/** A module that could not be loaded, and an error outside any test, count as failures. */
export function tally(modules: readonly TestModule[], errors: readonly SerializedError[]): string {
  const count = { passed: 0, failed: errors.length, skipped: 0 };
  for (const module of modules) {
    if (module.errors().length > 0) count.failed += 1;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === "passed") count.passed += 1;
      else if (state === "skipped") count.skipped += 1;
      else count.failed += 1;
    }
  }
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
  return `${count.passed} passed, ${count.failed} failed${skipped}`;
}
