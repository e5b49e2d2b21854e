/** `npm run cluster -- up`: a real Hadoop cluster on this machine, in one command. */
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { InputError } from "../../src/base/input-error.ts";
import { EXIT, type ExitCode, exitCodeOf } from "../../src/cli/exit-code.ts";
import { type Cluster, findCluster, startCluster } from "./cluster.ts";
import {
  DEFAULT_BLOCK,
  DEFAULT_DIRECTORY,
  DEFAULT_WORKERS,
  SCHEDULERS,
  type Scheduler,
} from "./plan.ts";
import { howToUse, statusText } from "./text.ts";

const interruption = new AbortController();

interface Where {
  readonly dir: string;
}

interface UpFlags extends Where {
  readonly workers: number;
  readonly address: string;
  readonly scheduler: Scheduler;
}

function program(): Command {
  const all = new Command("cluster")
    .usage("up|down|status|slow|kill|restart")
    .description("A real Hadoop cluster on this machine: each daemon and each container a process.")
    .exitOverride();
  const add = (name: string, description: string): Command =>
    all
      .command(name)
      .description(description)
      .option("--dir <dir>", "where it is", DEFAULT_DIRECTORY);
  add("up", "start one, and wait until it is usable")
    .option("--workers <count>", "nodes that run tasks", number, DEFAULT_WORKERS)
    .option("--address <block>", "the first three numbers of its addresses", DEFAULT_BLOCK)
    .addOption(new Option("--scheduler <name>").choices(SCHEDULERS).default("capacity"))
    .action(up);
  add("down", "end it; nothing is left but Hadoop's jars").action(down);
  add("status", "what of it is there")
    .addOption(new Option("-o, --format <format>").choices(["text", "json"]).default("text"))
    .action(status);
  add(
    "slow <node> <factor>",
    "give the node's containers 1/factor of the CPU time; 1 ends it",
  ).action(async (node: string, factor: string, { dir }: Where) => {
    const cluster = there(dir);
    await cluster.slow(node, atLeastOne(factor));
  });
  add(
    "kill <node>",
    "end a worker's NodeManager and containers, or m1's daemons; of these also one by its name",
  ).action((node: string, { dir }: Where) => there(dir).kill(node));
  add("restart <node>", "end what kill ends, and start the daemons again").action(
    (node: string, { dir }: Where) => there(dir).restart(node, interruption.signal),
  );
  return all;
}

async function up({ dir, workers, address, scheduler }: UpFlags): Promise<void> {
  const options = { directory: dir, workers, address, scheduler };
  const tell = (line: string): void => console.error(line);
  console.log(howToUse(await startCluster(options, { tell, signal: interruption.signal })));
}

async function down({ dir }: Where): Promise<void> {
  const cluster = findCluster(dir);
  if (cluster === undefined) console.log(`no cluster in ${dir}`);
  else await cluster.down();
}

async function status({ dir, format }: Where & { readonly format: string }): Promise<void> {
  const found = await there(dir).status();
  console.log(format === "json" ? JSON.stringify(found, undefined, 2) : statusText(found));
  if (!found.isWhole) process.exitCode = EXIT.failed;
}

function there(directory: string): Cluster {
  const cluster = findCluster(directory);
  if (cluster !== undefined) return cluster;
  throw new InputError("missing-file", directory, "no cluster is there: npm run cluster -- up");
}

function number(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It is a whole number.");
}

function atLeastOne(text: string): number {
  const factor = Number(text);
  if (factor >= 1 && Number.isFinite(factor)) return factor;
  throw new InputError("bad-flag", "FACTOR", `${text}: a number from 1`);
}

async function main(args: readonly string[]): Promise<ExitCode> {
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => interruption.abort());
  try {
    await program().parseAsync(args, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    if (interruption.signal.aborted) return EXIT.interrupted;
    // Commander has printed the error already.
    if (!(error instanceof CommanderError)) {
      console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    }
    return exitCodeOf(error);
  }
}

const code = await main(process.argv.slice(2));
if (code !== EXIT.ok) process.exitCode = code;
