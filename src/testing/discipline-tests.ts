import { parseJournal, replay } from "../core/journal/index.ts";
import type { SchedulerOptions } from "../core/scheduler.ts";
import type { Action } from "../model/action.ts";
import { parseDiscipline, restoreDiscipline } from "../policy/discipline.ts";
import type { Registry } from "../policy/registry.ts";
import { ConformanceError, cureFor, MEMORY } from "./conformance-error.ts";
import { type Plan, planWorld } from "./plan.ts";
import { World } from "./world.ts";

/** A test with a name that states a rule; `run` throws a ConformanceError with its cure. */
export interface ConformanceTest {
  readonly name: string;
  run(): void;
}

/** A discipline under test. */
export interface DisciplineTests {
  readonly registry: Registry;
  /** In the form of `--discipline` and `--set`. */
  readonly discipline: string;
  readonly sets?: readonly string[];
  /**
   * The actions that the discipline must show in its worlds, or the tests would be empty: a kind of
   * attempt, `kill-restart`, `kill-requeue`, or a kind of action such as `prefer`.
   */
  readonly acts?: readonly string[];
  /** The random worlds. */
  readonly seeds?: readonly number[];
}

/** Worlds in which policies act; the times of the second have fractions of a millisecond. */
const SEEDS = [1, 3, 12];

/**
 * The tests of one discipline in random worlds: nodes fall silent and die, outputs are lost,
 * attempts fail and are refused. After each step the core's rules are checked from outside.
 */
export function disciplineTests(of: DisciplineTests): readonly ConformanceTest[] {
  const { acts = [], registry } = of;
  const runs = new Runs(of);
  return [
    {
      name: "keeps the rules of the core, and ends every job",
      run: () => void runs.worlds,
    },
    {
      name: "acts",
      run: () => {
        const seen = runs.worlds.flatMap(({ journal }) => actsIn(journal));
        const missing = acts.filter((act) => !seen.includes(act));
        if (missing.length > 0) runs.fail(undefined, `never saw ${missing.join(", ")}`, ACT);
      },
    },
    {
      name: "gives the same answers twice",
      run: () => runs.compare((plan) => runs.run(plan).journal, journalOf, SAME),
    },
    {
      name: "decides the same with and without explanations",
      run: () => {
        const silently = (plan: Plan) => decisionsOf(runs.run(plan, { explain: false }).journal);
        runs.compare(silently, ({ journal }) => decisionsOf(journal), EXPLAINS);
      },
    },
    {
      name: "has a memory that survives cloning at every step",
      run: () => {
        const memory = (before: unknown): unknown => structuredClone(before);
        runs.compare((plan) => runs.run(plan, { memory }).journal, journalOf, MEMORY);
      },
    },
    {
      name: "is restored from the first line of a journal, which replays to the byte",
      run: () => {
        for (const { journal, plan } of runs.worlds) {
          const replayed = replay(journal, (described) => restoreDiscipline(described, registry));
          if (replayed.kind === "same") continue;
          const { line, expected, got } = replayed;
          runs.fail(plan, `line ${line} ${differenceText(expected, got)}`, PARAMS);
        }
      },
    },
  ];
}

const ACT =
  "give `sets` under which the policy acts in small worlds, whose tasks take seconds to minutes";
const SAME =
  "decide by `view`, `params`, `memory` and `ctx.random()` alone: no Date, no Math.random, no " +
  "variable outside the policy's memory";
const EXPLAINS =
  "`ctx.explains` may decide about a `pass` alone: return it through `refuse(ctx, ...)`";
const PARAMS =
  "the journal keeps numbers, texts, true and false as parameters; all else belongs in the memory";

const journalOf = ({ journal }: World): readonly string[] => journal;

/** The worlds of a discipline, run once. */
class Runs {
  readonly #of: DisciplineTests;
  #worlds: readonly World[] | undefined;

  constructor(of: DisciplineTests) {
    this.#of = of;
  }

  get worlds(): readonly World[] {
    this.#worlds ??= (this.#of.seeds ?? SEEDS).map((seed) => this.run(this.#plan(seed)));
    return this.#worlds;
  }

  run(plan: Plan, options: SchedulerOptions = {}): World {
    const { registry } = this.#of;
    const discipline = parseDiscipline(plan.discipline, plan.sets, registry);
    const world = new World(plan, { ...options, discipline });
    try {
      world.run();
      return world;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const where = `at ${world.clock.now} ms, step ${world.steps}`;
      return this.fail(plan, `${message} (${where})`, cureFor(message), error);
    }
  }

  /** Fails unless another run of each world equals its first run. */
  compare(again: (plan: Plan) => readonly unknown[], first: Show, cure: string): void {
    for (const world of this.worlds) {
      const [before, after] = [first(world), again(world.plan)].map((all) => all.map(textOf));
      const at = before?.findIndex((text, index) => text !== after?.[index]) ?? -1;
      const isLonger = (after?.length ?? 0) > (before?.length ?? 0);
      if (at < 0 && !isLonger) continue;
      const index = at < 0 ? (before?.length ?? 0) : at;
      const what = differenceText(before?.[index], after?.[index]);
      this.fail(world.plan, `line ${index + 1} ${what}`, cure);
    }
  }

  fail(plan: Plan | undefined, what: string, cure: string, cause?: unknown): never {
    const world = plan === undefined ? "" : `, world ${plan.seed}`;
    const options = cause === undefined ? {} : { cause };
    throw new ConformanceError(`${this.#of.discipline}${world}: ${what}`, cure, options);
  }

  #plan(seed: number): Plan {
    const { discipline, sets = [] } = this.#of;
    return { ...planWorld(seed), discipline, sets, seats: [], offersSlots: true };
  }
}

type Show = (world: World) => readonly unknown[];

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

const AROUND = 60;

/** The place where two lines begin to differ. */
function differenceText(was = "", is = ""): string {
  let at = 0;
  while (at < was.length && was[at] === is[at]) at += 1;
  const [first, second] = [was, is].map((text) => {
    const cut = text.slice(Math.max(0, at - AROUND), at + AROUND);
    return cut === "" ? "nothing" : `... ${cut} ...`;
  });
  return `was ${first} and is ${second}`;
}

/** The decisions, without the numbers of their reasons. */
function decisionsOf(journal: readonly string[]): readonly unknown[] {
  return [...parseJournal(journal).entries].flatMap((entry) => {
    if (entry.kind === "host") return [];
    const actions = entry.actions.filter(({ kind }) => kind !== "pass").map(withoutNumbers);
    return [[entry.event, actions]];
  });
}

const withoutNumbers = (action: Action): unknown =>
  "why" in action ? { ...action, why: action.why.rule } : action;

/** Launches by their kind, kills by the next attempt's kind, and the kinds of all other actions. */
function actsIn(journal: readonly string[]): readonly string[] {
  return [...parseJournal(journal).entries].flatMap((entry) =>
    entry.kind === "host"
      ? []
      : entry.actions.map((action) => {
          if (action.kind === "launch") return action.as;
          return action.kind === "kill" ? `kill-${action.then}` : action.kind;
        }),
  );
}
