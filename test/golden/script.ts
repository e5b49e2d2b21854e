import type { Scheduler, Setup } from "../../src/core/index.ts";
import { SETUP_DEFAULTS } from "../../src/core/state/setup.ts";
import type { Action } from "../../src/model/action.ts";
import { CAPABILITIES } from "../../src/model/cluster.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import type { IdSource } from "../support/jobs.ts";
import { attemptCommands } from "./commands/attempt.ts";
import { clusterCommands } from "./commands/cluster.ts";
import { disciplineCommands } from "./commands/discipline.ts";
import { jobCommands } from "./commands/job.ts";
import { nodeCommands } from "./commands/node.ts";
import { printCommands } from "./commands/print.ts";
import { timeCommands } from "./commands/time.ts";
import { type Block, Line, parseScript, seconds } from "./format.ts";
import { Host, type Told, type Watch } from "./host.ts";

/** A verb's meaning; its result is printed. */
export type Commands = {
  readonly [verb: string]: (script: Script, line: Line) => readonly string[] | undefined;
};

const COMMANDS: ReadonlyMap<string, Commands[string]> = new Map(
  [
    clusterCommands,
    disciplineCommands,
    nodeCommands,
    jobCommands,
    attemptCommands,
    timeCommands,
    printCommands,
  ].flatMap((family) => Object.entries(family)),
);

/** A world that is built and moved by the commands of a script. */
export class Script {
  /** Until the first event, commands may change these. */
  setup: Setup = {
    ...SETUP_DEFAULTS,
    seed: 1,
    slotKinds: ["map", "reduce"],
    racks: ["r1"],
    capabilities: CAPABILITIES,
    discipline: parseDiscipline("none,sharing=fifo-plain", []),
  };
  readonly hidden = new Set<Action["kind"]>(["wake"]);
  readonly nextIds: IdSource = { job: 0, phase: 0, task: 0 };
  readonly #watcher: (setup: Setup, scheduler: Scheduler) => Watch;
  #host: Host | undefined;

  constructor(watcher: (setup: Setup, scheduler: Scheduler) => Watch) {
    this.#watcher = watcher;
  }

  get host(): Host {
    this.#host ??= new Host(this.setup, (scheduler) => this.#watcher(this.setup, scheduler));
    return this.#host;
  }

  changeSetup(change: Partial<Setup>): void {
    if (this.#host !== undefined) throw new Error("the set-up comes before the first event");
    this.setup = { ...this.setup, ...change };
  }

  run(line: Line): readonly string[] {
    const command = COMMANDS.get(line.verb) ?? line.fail(`unknown command "${line.verb}"`);
    const printed = command(this, line) ?? [];
    const unknown = [...line.rest().keys()];
    if (unknown.length > 0) line.fail(`unknown option ${unknown.join(", ")}`);
    const told = this.#host?.take().filter(({ action }) => !this.hidden.has(action.kind)) ?? [];
    return [...collapse(told), ...printed];
  }
}

/** Runs a script's commands; returns the same blocks with their output. */
export function runScript(
  text: string,
  file: string,
  watcher: (setup: Setup, scheduler: Scheduler) => Watch,
): { readonly blocks: readonly Block[]; readonly script: Script } {
  const script = new Script(watcher);
  const blocks = parseScript(text, file).map((block) => {
    const output = block.commands.flatMap((command) => script.run(new Line(command)));
    return { ...block, output };
  });
  return { blocks, script };
}

/** A repeated refusal is printed once, with its first numbers. */
function collapse(told: readonly Told[]): readonly string[] {
  const lines: { text: string; times: number; last: number }[] = [];
  const seen = new Map<string, { times: number; last: number }>();
  for (const { at, action, text } of told) {
    const key = action.kind === "pass" ? subjectOf(action) : undefined;
    const before = key === undefined ? undefined : seen.get(key);
    if (before !== undefined) {
      before.times += 1;
      before.last = at;
      continue;
    }
    const line = { text: `${seconds(at).padStart(6)} ${text}`, times: 1, last: at };
    lines.push(line);
    if (key !== undefined) seen.set(key, line);
  }
  return lines.map(({ text, times, last }) =>
    times === 1 ? text : `${text}  (${times} times, until ${seconds(last)})`,
  );
}

/** The subject of a refusal: its rule and the things that it names. */
function subjectOf({ task, why }: Extract<Action, { kind: "pass" }>): string {
  const names = Object.values(why.numbers).filter((value) => typeof value === "string");
  return [task, why.rule, ...names].join(" ");
}
