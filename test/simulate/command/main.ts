/**
 * `npm run worlds -- --count 1000000 [--first SEED] [--jobs N] [--replay-every N] [--stuck-after
 * SECONDS]`: runs the given number of random worlds on all cores. `npm run worlds -- --seed SEED
 * [--cut WHAT,...]`: one world, or the rest of it after cuts; its journal is kept if it breaks.
 * Exits with 1 if a world breaks an invariant or does not end, with 2 on an unknown flag, with 130
 * after Ctrl-C.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { unknownCut } from "../cuts.ts";
import { planOf } from "../plans.ts";
import { BrokenWorld, runWorld } from "../run-world.ts";
import { shrunk, Worlds } from "./crew.ts";
import { Progress } from "./progress.ts";

/** A broken world is shrunk for at most this long. */
const SHRINK_MS = 300_000;
const FOLDER = ".build/worlds";
/** The number of a journal's lines that are shown. */
const TAIL = 12;

const values = flags();

if (values.seed === undefined) await runMany();
else runOne(wholeNumber("seed", values.seed, 0), values.cut?.split(",") ?? []);

function flags() {
  try {
    return parseArgs({
      options: {
        count: { type: "string", default: "1000" },
        first: { type: "string", default: "0" },
        jobs: { type: "string", default: String(availableParallelism()) },
        "replay-every": { type: "string", default: "20" },
        "stuck-after": { type: "string", default: "300" },
        seed: { type: "string" },
        cut: { type: "string" },
      },
    }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

async function runMany(): Promise<void> {
  const first = wholeNumber("first", values.first, 0);
  const count = wholeNumber("count", values.count, 1);
  if (!Number.isSafeInteger(first + count)) {
    refuse(`--first ${first} --count ${count}: expected seeds up to ${Number.MAX_SAFE_INTEGER}`);
  }
  const progress = new Progress(count);
  const threads = wholeNumber("jobs", values.jobs, 1);
  const replayEvery = wholeNumber("replay-every", values["replay-every"], 1);
  const stuckAfterS = wholeNumber("stuck-after", values["stuck-after"], 1);
  const crew = { first, count, threads, replayEvery, stuckAfterS };
  const worlds = new Worlds(crew, (done) => progress.show(done));
  const stop = (): never => {
    progress.clear();
    const { done } = worlds;
    print(`stopped: ${progress.text(done)}; none broke an invariant`);
    for (const { seed, seconds } of worlds.long) {
      print(
        `world ${seed} had run for ${seconds} s, which is long: npm run worlds -- --seed ${seed}`,
      );
    }
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
  const { seed } = outcome;
  const alone = `npm run worlds -- --seed ${seed}`;
  if (outcome.kind === "stuck") {
    print(
      `world ${seed} has not ended after ${stuckAfterS} s\n(after ${progress.text(worlds.done)})`,
    );
    print(`alone, until Ctrl-C:\n  ${alone}`);
    return;
  }
  print(`${outcome.message}\n(after ${progress.text(worlds.done)}); alone:\n  ${alone}`);
  print("making the world smaller ...");
  const { cuts, message, journal } = await shrunk(seed, SHRINK_MS);
  print(`\nas small as it breaks in the same way:\n${message}`);
  print(`  ${alone}${cuts.length === 0 ? "" : ` --cut ${cuts.join(",")}`}`);
  keep(seed, journal);
}

function runOne(seed: number, cuts: readonly string[]): void {
  const unknown = cuts.length === 0 ? undefined : unknownCut(planOf(seed), cuts);
  if (unknown !== undefined) refuse(`--cut ${unknown}: world ${seed} has no such thing to cut`);
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
  return refuse(`--${flag} ${text}: expected a whole number of ${least} or more`);
}

function refuse(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
