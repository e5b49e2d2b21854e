import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { testsOf } from "./imports.ts";
import { letterNet } from "./letter-net.ts";
import type { Mutant } from "./mutant.ts";
import type { Reach } from "./reach.ts";
import type { Tree } from "./tree.ts";
import type { Net, Verdict } from "./verdict.ts";
import { watched } from "./watched.ts";

/** What the nets know of the unchanged tree. */
export interface Known {
  readonly reach: Reach;
  readonly importers: ReadonlyMap<string, readonly string[]>;
}

const TESTS = {
  unit: /^src\/.*(?<!\.long|\.slow)\.test\.ts$/,
  /** The other tests there read the words of the scripts. */
  golden: /^test\/golden\/(golden|invariants)\.test\.ts$/,
};
/** It measures the process that it runs in. */
const OWN_PROCESS = "src/hosts/engine/master/memory-watch.test.ts";

export function ask(net: Net, tree: Tree, mutant: Mutant, known: Known): Promise<Verdict> {
  if (net === "letter") return letterNet(tree, mutant, known.reach);
  return runTests(tree, testsIn(net, testsOf(known.importers, mutant.path)));
}

const testsIn = (net: keyof typeof TESTS, tests: readonly string[]): readonly string[] =>
  tests.filter((path) => TESTS[net].test(path) && path !== OWN_PROCESS);

/** Throws unless the types are correct and every test passes where nothing is changed. */
export async function checkUnchanged(
  trees: readonly Tree[],
  { importers, paths }: Pick<Known, "importers"> & { readonly paths: readonly string[] },
): Promise<void> {
  const tests = [...new Set(paths.flatMap((path) => testsOf(importers, path)))];
  // In each tree, so that each has everything in its cache.
  for (const net of ["golden", "unit"] as const) {
    const verdicts = await Promise.all(trees.map((tree) => runTests(tree, testsIn(net, tests))));
    const failed = verdicts.find(({ how }) => how !== "survived");
    if (failed !== undefined) throw new Error(`nothing is changed, yet ${net}: ${failed.by}`);
  }
  for (const valid of await Promise.all(trees.map(isValid))) {
    if (!valid) throw new Error("nothing is changed, yet the types are not correct");
  }
}

/** The tests of a file take seconds; on a busy machine, some more. */
const SILENT_MS = 120_000;

/** Runs the test files in their order, until one fails. */
async function runTests(tree: Tree, tests: readonly string[]): Promise<Verdict> {
  if (tests.length === 0) return { how: "not reached" };
  writeFileSync(join(tree.root, "tests.json"), JSON.stringify(tests));
  const passed: string[] = [];
  let failed: string | undefined;
  const config = "tools/mutants/vitest.config.ts";
  const { ended, code } = await watched(
    ["node_modules/vitest/vitest.mjs", "run", "--config", config, "--root", "."],
    {
      cwd: tree.root,
      env: { MUTANT_TESTS: join(tree.root, "tests.json"), NO_COLOR: "1" },
      silentMs: SILENT_MS,
      onLine(line) {
        if (line.startsWith("passed ")) passed.push(line);
        if (line.startsWith("failed ")) failed ??= line.slice("failed ".length);
        return failed === undefined ? "more" : "enough";
      },
    },
  );
  if (failed !== undefined) return { how: "killed", by: failed };
  const next = tests[passed.length] ?? "the end";
  if (ended === "hung") return { how: "killed", by: `${next} hangs` };
  if (code !== 0) return { how: "killed", by: `${next} crashes` };
  return { how: "survived", by: `${passed.length} files` };
}

/** Whether the changed tree has correct types. */
export async function isValid(tree: Tree): Promise<boolean> {
  const { code } = await watched(
    ["node_modules/typescript/lib/tsc.js", "-p", "tsconfig.mutants.json"],
    { cwd: tree.root, silentMs: SILENT_MS, onLine: () => "more" },
  );
  return code === 0;
}
