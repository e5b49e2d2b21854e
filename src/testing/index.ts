/**
 * Tests that every policy must pass, for `node:test`, vitest or any other runner:
 *
 *     for (const { name, run } of conformanceTests(myPolicies)) test(name, run);
 */
export { type ConformanceOptions, checkConformance, conformanceTests } from "./conformance.ts";
export { ConformanceError } from "./conformance-error.ts";
export { type ConformanceTest, type DisciplineTests, disciplineTests } from "./discipline-tests.ts";
