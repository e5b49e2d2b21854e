import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tools/longest-first.ts";

/**
 * A test that takes five minutes hangs. The limits are no measure of speed: beside twenty busy
 * programs, a test that takes two seconds may take forty.
 */
const LIMITS = { testTimeout: 300_000, hookTimeout: 300_000 };

const ALONE = ["test/engine/{ctrl-c,faults,memory,orphans,racks,straggler,what-is-left}.test.ts"];
/** It measures the process that it runs in. */
const OWN_PROCESS = "src/hosts/engine/master/memory-watch.test.ts";
const JAVA = "test/yarn/{default-speculator,hadoop-1,plugin-junit}.test.ts";
/** Unit tests of more than two seconds. */
const LONG = "**/*.long.test.ts";
const UNIT = [
  "src/**/*.test.ts",
  "bench/**/*.test.ts",
  "test/{books,cases,diagnose,evidence,golden,habits,kernel,replay,cli,support}/**/*.test.ts",
];
const SMOKE_ON_CLUSTER = "test/smoke/cluster.test.ts";

/**
 * `npm run check` runs `unit`; `npm test` also the `smoke` projects, each part of the system once;
 * `npm run test:rest` all the others, one group after the other. A test is in one project only.
 */
export default defineConfig({
  test: {
    globalSetup: ["./tools/global-setup.ts"],
    reporters: ["default", "./tools/tally-reporter.ts"],
    sequence: { sequencer: LongestFirst },
    // Each project, and each command, would compile the same files again.
    experimental: { fsModuleCache: true, fsModuleCachePath: ".build/vitest" },
    projects: [
      {
        test: {
          name: "unit",
          include: UNIT,
          exclude: ["**/*.slow.test.ts", LONG, OWN_PROCESS],
          ...LIMITS,
          // Files share a process: to load the modules anew for each takes as long as the tests.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          // A kill on the engine, and a sample of the random worlds.
          name: "smoke",
          include: ["test/smoke/**/*.test.ts"],
          exclude: [SMOKE_ON_CLUSTER],
          ...LIMITS,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          // One job on a real Hadoop cluster.
          name: "smoke-yarn",
          globalSetup: ["./test/yarn/support/global-setup.ts"],
          include: [SMOKE_ON_CLUSTER],
          // As of the project `yarn`.
          retry: 1,
          ...LIMITS,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "long",
          include: UNIT.map((each) => each.replace("*.test.ts", "*.long.test.ts")),
          ...LIMITS,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          // The page in Chromium. A file of tests waits for its browser for a third of its time.
          name: "page",
          globalSetup: ["./test/page/support/global-setup.ts"],
          include: ["test/page/**/*.test.ts"],
          ...LIMITS,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: "worlds",
          include: ["test/{conformance,letter,referee,simulate}/**/*.test.ts"],
          ...LIMITS,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          // Programs in Java that need no cluster.
          name: "java",
          include: [JAVA],
          ...LIMITS,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          // Real runs, of several processes each.
          name: "engine",
          include: ["test/engine/**/*.test.ts", "test/cli/**/*.slow.test.ts"],
          exclude: ALONE,
          ...LIMITS,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          // Those that measure memory, slow a node down or look for processes: one file at a time.
          name: "engine-alone",
          include: [...ALONE, OWN_PROCESS],
          ...LIMITS,
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
          exclude: [JAVA],
          // Nineteen processes on a small machine: a test that failed has a second try, after the
          // cluster was mended, and the report says so.
          retry: 1,
          ...LIMITS,
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
