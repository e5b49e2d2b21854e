/**
 * `npm run worlds -- --count 1000000 [--first SEED] [--jobs N] [--replay-every N]`: so many random
 * worlds on all cores. `npm run worlds -- --seed SEED [--cut WHAT,...]`: one world alone, or what
 * is left of it when something is cut; its journal is kept if it breaks. Exits with 1 if a world
 * breaks an invariant, with 2 on a flag that it does not understand, with 130 after Ctrl-C.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { BrokenWorld, runWorld } from "../run-world.ts";
import { shrunk, Worlds } from "./crew.ts";
import { Progress } from "./progress.ts";

/** A broken world is made smaller for so long. */
const SHRINK_MS = 300_000;
const FOLDER = ".build/worlds";
/** Lines of a journal that are shown. */
const TAIL = 12;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000" },
    first: { type: "string", default: "0" },
    jobs: { type: "string", default: String(availableParallelism()) },
    "replay-every": { type: "string", default: "20" },
    seed: { type: "string" },
    cut: { type: "string" },
  },
});

if (values.seed === undefined) await runMany();
else runOne(wholeNumber("seed", values.seed, 0), values.cut?.split(",") ?? []);

async function runMany(): Promise<void> {
  const first = wholeNumber("first", values.first, 0);
  const count = wholeNumber("count", values.count, 1);
  const progress = new Progress(count);
  const threads = wholeNumber("jobs", values.jobs, 1);
  const replayEvery = wholeNumber("replay-every", values["replay-every"], 1);
  const worlds = new Worlds({ first, count, threads, replayEvery }, (done) => progress.show(done));
  const stop = (): never => {
    progress.clear();
    const { done } = worlds;
    print(`stopped: ${progress.text(done)}; none broke an invariant`);
    print(`go on with --first ${done.next} --count ${first + count - done.next}`);
    process.exit(130);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const outcome = await worlds.run();
  progress.clear();
  if (outcome.kind === "kept") {
    print(`${progress.text(worlds.done)}; none broke an invariant`);
    return;
  }
  process.exitCode = 1;
  process.removeAllListeners("SIGINT");
  print(`${outcome.message}\n(after ${progress.text(worlds.done)}); alone:`);
  print(`  npm run worlds -- --seed ${outcome.seed}\nmaking the world smaller ...`);
  const { cuts, message, journal } = await shrunk(outcome.seed, SHRINK_MS);
  print(`\nas small as it breaks in the same way:\n${message}`);
  print(`  npm run worlds -- --seed ${outcome.seed} --cut ${cuts.join(",")}`);
  keep(outcome.seed, journal);
}

function runOne(seed: number, cuts: readonly string[]): void {
  try {
    const { steps } = runWorld(seed, { cuts, isReplayed: true });
    print(`world ${seed} keeps every invariant in ${steps} steps`);
  } catch (error) {
    if (!(error instanceof BrokenWorld)) throw error;
    process.exitCode = 1;
    print(error.cause instanceof Error ? (error.cause.stack ?? error.message) : error.message);
    print(error.message.split("\n").slice(1).join("\n"));
    keep(seed, error.journal);
  }
}

function keep(seed: number, journal: readonly string[]): void {
  if (journal.length === 0) return;
  const path = `${FOLDER}/world-${seed}.ndjson`;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path, `${journal.join("\n")}\n`);
  print(`its journal is in ${path}, and ends with\n${journal.slice(-TAIL).join("\n")}`);
}

function wholeNumber(flag: string, text: string, least: number): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  process.stderr.write(`--${flag} ${text}: expected a whole number of ${least} or more\n`);
  return process.exit(2);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
