/**
 * `npm run mutants -- [--seed S] [--count N]`: mutants of one line, drawn over the policies, the
 * core and the model, and for each of the letter, the unit tests and the golden scripts whether it
 * finds the change. `npm run mutants -- --listed`: the mutants of a fixed list. A second run goes
 * on where the first stopped. Exits with 1 if a mutant that is not judged to be equal survives
 * every net, with 2 on an unknown flag, with 130 after Ctrl-C.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { LETTERS } from "../../test/letter/letters.ts";
import { PLACEMENT } from "../../test/letter/placement-world.ts";
import { readRepository, type SourceFile } from "../tidy/source.ts";
import { changesOf } from "./changes.ts";
import { draw } from "./draw.ts";
import { importersOf } from "./imports.ts";
import { listed } from "./listed.ts";
import { decides, keyOf, type Mutant, mutantOf } from "./mutant.ts";
import { checkUnchanged, type Known } from "./nets.ts";
import { reachOf } from "./reach.ts";
import { type Result, Results } from "./results.ts";
import { JOBS, run } from "./run.ts";
import { survivorsOf, table } from "./table.ts";
import { isOfLetter, Tree } from "./tree.ts";
import { NETS } from "./verdict.ts";
import { endAll } from "./watched.ts";

const FOLDER = ".build/mutants";
/** The worlds of each policy from which those that run through a mutant are taken. */
const WORLDS = 60;

/** What decides about a mutant; not the lists of mutants, nor how results are shown. */
const DECIDING = [
  /^(src|test\/(letter|golden|support))\//,
  /^tools\/mutants\/(letter-net|letter-program|nets|play-worlds|reach|reached|vitest.config)\.ts$/,
];

const values = flags();
const jobs = wholeNumber("jobs", values.jobs);
const seed = wholeNumber("seed", values.seed);
const root = resolve(".");
const files = readRepository(root);
const { mutants, count, name } = wanted(files);
const state = stateOf(files);
const results = new Results(`${FOLDER}/${name}.ndjson`, state);
const trees: Tree[] = [];
process.on("exit", () => {
  endAll();
  for (const tree of trees) tree.remove();
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);

if (results.first(mutants, count).isWhole) conclude();
for (let job = 0; job < jobs; job++) trees.push(new Tree(root, files));
const known = await look();
const from = performance.now();
await run(mutants, {
  ...{ count, trees, known, results },
  keepsKilled: values["keep-killed"],
  onResult: tell,
});
conclude();

function conclude(): never {
  const { found } = results.first(mutants, count);
  print(table(found).join("\n"));
  process.exit(survivorsOf(found).length > 0 ? 1 : 0);
}

function stop(): never {
  const { found } = results.first(mutants, count);
  if (found.length > 0) print(`\n${table(found).join("\n")}`);
  print("stopped; the same command goes on from here");
  process.exit(130);
}

function wanted(all: readonly SourceFile[]): {
  readonly mutants: readonly Mutant[];
  readonly count: number;
  readonly name: string;
} {
  if (values.listed) {
    const fixed = listed(all);
    return { mutants: fixed, count: fixed.length, name: "listed" };
  }
  return {
    mutants: draw(all, seed),
    count: wholeNumber("count", values.count),
    name: `seed-${seed}`,
  };
}

/** Where nothing is changed, every test must pass, and no world may differ. */
async function look(): Promise<Known> {
  const importers = importersOf(files);
  const deciding = files.filter(decides);
  const all = deciding.flatMap((file) => changesOf(file).map((change) => mutantOf(file, change)));
  print(`${all.length} changes in ${deciding.length} files; now the tree without a change ...`);
  const passed = `${FOLDER}/passed-${state}`;
  if (!existsSync(passed)) {
    await checkUnchanged(trees, { importers, paths: deciding.map(({ path }) => path) });
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(passed, "");
  }
  const reach = await reachOf(trees, {
    worlds: [...LETTERS.map(({ policy }) => policy), PLACEMENT].flatMap((name) =>
      Array.from({ length: WORLDS }, (_, i) => [name, i + 1] as const),
    ),
    ...{ mutants: [...all, ...listed(files)], importers },
    file: `${FOLDER}/reach-${stateOf(files.filter(isOfLetter))}.json`,
  });
  print(`every test passes, and no world of ${reach.worlds.length} differs\n`);
  return { importers, reach };
}

function tell(result: Result, done: number): void {
  const minutes = ((performance.now() - from) / 60_000).toFixed(0);
  const nets =
    result.kind === "not valid"
      ? "not valid"
      : NETS.map((net) => `${net} ${result.verdicts[net].how}`).join(", ");
  print(
    `${minutes} min, ${done}/${count}, ${result.seconds} s: ${nets}\n  ${keyOf(result.mutant)}`,
  );
}

/** A short name for the state of everything that decides about a mutant. */
function stateOf(all: readonly SourceFile[]): string {
  const hash = createHash("sha256");
  for (const { path, text } of all) {
    if (DECIDING.some((part) => part.test(path))) hash.update(`${path}\n${text}\n`);
  }
  return hash.digest("hex").slice(0, 12);
}

function flags() {
  try {
    return parseArgs({
      options: {
        seed: { type: "string", default: "1" },
        count: { type: "string", default: "100" },
        listed: { type: "boolean", default: false },
        jobs: { type: "string", default: String(JOBS) },
        "keep-killed": { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(flag: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  return refuse(`--${flag} ${text}: expected a whole number of 1 or more`);
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
