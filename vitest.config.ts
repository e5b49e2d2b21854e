import { defineConfig } from "vitest/config";

/** `npm run check` runs `unit`; `npm test` runs all, one project after the other. */
export default defineConfig({
  test: {
    globalSetup: ["./tools/global-setup.ts"],
    reporters: ["default", "./tools/tally-reporter.ts"],
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "src/**/*.test.ts",
            "bench/**/*.test.ts",
            "test/{golden,habits,replay,cli,support}/**/*.test.ts",
          ],
          exclude: ["**/*.slow.test.ts"],
          testTimeout: 20_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "worlds",
          include: ["test/{conformance,letter,simulate}/**/*.test.ts"],
          testTimeout: 180_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          // Each of these tests starts several processes: one file at a time.
          name: "engine",
          include: ["test/engine/**/*.test.ts", "test/cli/**/*.slow.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 60_000,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          // One real cluster serves all of these: one file at a time.
          name: "yarn",
          globalSetup: ["./test/yarn/support/global-setup.ts"],
          include: ["test/yarn/**/*.test.ts"],
          testTimeout: 240_000,
          hookTimeout: 180_000,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
