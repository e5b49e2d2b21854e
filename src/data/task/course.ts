import { assert, defined, never } from "../../base/assert.ts";
import { InputError } from "../../base/input-error.ts";
import {
  type Loop,
  type PhaseProgram,
  type Program,
  type Round,
  readerOf,
  type Section,
} from "../../job/program.ts";
import type { Split } from "../formats/split.ts";
import { defaultReduces, type InputPlan } from "../formats/splits.ts";
import { describeFailure } from "./failure.ts";
import type { TableFiles } from "./phase-task.ts";

/** One job of the scheduler: some phases of a program, with their tasks. */
export interface CourseJob {
  readonly name: string;
  /** The round, if the job belongs to a loop. */
  readonly round?: LoopRound;
  readonly phases: readonly CoursePhase[];
}

export interface LoopRound {
  /** Counted from 1. */
  readonly round: number;
  readonly roundsMax: number;
}

export interface CoursePhase {
  /** The phase's number in the program. */
  readonly phase: number;
  readonly name: string;
  readonly program: PhaseProgram;
  readonly tasks: readonly TaskSource[];
  /** The number of the phase's first task among all tasks of the job. */
  readonly firstTask: number;
  /** For a phase that reads a shuffle: by side, the numbers of the tasks that it reads. */
  readonly sources: readonly (readonly number[])[];
  /** The partitions of the shuffle that it writes; 0 if it writes none. */
  readonly partitions: number;
  /** The number of its first task's part in the dataset or output that it writes. */
  readonly firstPart: number;
  readonly tables: readonly TableFiles[];
}

/** The input of a task. */
export type TaskSource =
  | { readonly kind: "split"; readonly split: Split }
  | { readonly kind: "part"; readonly part: DatasetPart }
  | { readonly kind: "partition" };

export interface DatasetPart {
  readonly path: string;
  readonly bytes: number;
}

/** The results of a job. */
export interface JobMade {
  readonly counters: Readonly<Record<string, number>>;
  /** The parts, in order, of each dataset that the job wrote. */
  readonly datasets: ReadonlyMap<number, readonly DatasetPart[]>;
}

/**
 * A program's way through its sections and rounds: which job is next, and what its tasks read.
 * Equal results lead to equal jobs.
 */
export class ProgramCourse {
  readonly #program: Program;
  readonly #sections: readonly Section[];
  readonly #name: string;
  readonly #inputs: ReadonlyMap<string, InputPlan>;
  /** By phase that reads a shuffle. */
  readonly #partitions: readonly number[];
  readonly #datasets = new Map<number, readonly DatasetPart[]>();
  /** The number of parts of each output that earlier jobs have written. */
  readonly #outputParts: number[];
  #section = 0;
  /** The round of a loop, from 1. */
  #round = 1;
  /** The index of the section's present or next job. */
  #job = 0;
  #roundCounters: Record<string, number> = {};

  constructor(query: {
    readonly program: Program;
    readonly name: string;
    /** By the name of the read. */
    readonly inputs: ReadonlyMap<string, InputPlan>;
    /** Replaces the program's number of reduces. */
    readonly reduces: number | undefined;
  }) {
    this.#program = query.program;
    this.#name = query.name;
    this.#inputs = query.inputs;
    this.#partitions = partitionsOf(query.program, query.inputs, query.reduces);
    this.#outputParts = query.program.outputs.map(() => 0);
    const needless = needlessSamples(query.program, this.#partitions);
    for (const dataset of needless.values()) this.#datasets.set(dataset, []);
    this.#sections = withoutPhases(query.program.sections, new Set(needless.keys()));
  }

  /** The present or next job; undefined when all is done. */
  job(): CourseJob | undefined {
    const section = this.#sections[this.#section];
    if (section === undefined) return undefined;
    const numbers = section.kind === "job" ? section.phases : section.jobs[this.#job];
    const firstParts = new Map<string, number>();
    const phases: CoursePhase[] = [];
    for (const number of defined(numbers, "a job's phases")) {
      phases.push(this.#phase(number, phases, firstParts));
    }
    const last = defined(phases.at(-1), "a job's last phase").program.name;
    if (section.kind !== "loop") return { name: this.#jobName(undefined, last), phases };
    const round = { round: this.#round, roundsMax: section.roundsMax };
    return { name: this.#jobName(section, last), round, phases };
  }

  /** Records the results of the job, which has succeeded. */
  ended({ counters, datasets }: JobMade): void {
    const job = defined(this.job(), "the job that ended");
    for (const { program, tasks } of job.phases) {
      const { writes } = program;
      if (writes.kind !== "output") continue;
      this.#outputParts[writes.output] = this.#partsOf(writes.output) + tasks.length;
    }
    for (const [dataset, parts] of datasets) this.#datasets.set(dataset, parts);
    const section = defined(this.#sections[this.#section], "the section that ended");
    if (section.kind === "job") this.#section++;
    else this.#roundGoesOn(section, counters);
  }

  /** The parts that hold the dataset's records now. */
  dataset(dataset: number): readonly DatasetPart[] {
    return defined(this.#datasets.get(dataset), `dataset ${dataset}`);
  }

  #roundGoesOn(loop: Loop, counters: Readonly<Record<string, number>>): void {
    const { jobs, roundsMax } = loop;
    for (const name of this.#program.counters) {
      this.#roundCounters[name] = (this.#roundCounters[name] ?? 0) + (counters[name] ?? 0);
    }
    this.#job++;
    if (this.#job < jobs.length) return;
    const round = { round: this.#round, counters: this.#roundCounters };
    const isOver = this.#round === roundsMax || isDone(loop, round);
    this.#section += isOver ? 1 : 0;
    this.#round = isOver ? 1 : this.#round + 1;
    this.#job = 0;
    this.#roundCounters = {};
  }

  /** For instance `pagerank`, `pagerank round 4`, `pagerank by-rank` after the last phase. */
  #jobName(loop: Loop | undefined, lastPhase: string): string {
    const last = lastPhase.replaceAll(":", "");
    if (loop === undefined) return this.#section === 0 ? this.#name : `${this.#name} ${last}`;
    const round = `${this.#name} ${loop.name} ${this.#round}`;
    return this.#job === 0 ? round : `${round} ${last}`;
  }

  #phase(
    number: number,
    before: readonly CoursePhase[],
    firstParts: Map<string, number>,
  ): CoursePhase {
    const program = defined(this.#program.phases[number], `phase ${number}`);
    const { reads, writes } = program;
    const tasks = this.#tasks(number, program);
    const last = before.at(-1);
    const sides = reads.kind === "shuffle" ? reads.sides : [];
    return {
      phase: number,
      name: program.name,
      program,
      tasks,
      firstTask: last === undefined ? 0 : last.firstTask + last.tasks.length,
      sources: sides.map((side) => side.flatMap((from) => tasksOf(from, before))),
      partitions:
        writes.kind === "shuffle" ? this.#partitionsOf(readerOf(this.#program, number)) : 0,
      firstPart: this.#firstPart(program, tasks.length, firstParts),
      tables: program.broadcasts.map((dataset) => ({
        dataset,
        files: this.dataset(dataset).map(({ path }) => path),
      })),
    };
  }

  #tasks(number: number, { reads }: PhaseProgram): readonly TaskSource[] {
    switch (reads.kind) {
      case "input":
        return inputOf(this.#inputs, reads.name).splits.map((split) => ({ kind: "split", split }));
      case "dataset":
        return this.dataset(reads.dataset).map((part) => ({ kind: "part", part }));
      case "shuffle": {
        const length = this.#partitionsOf(number);
        return Array.from({ length }, () => ({ kind: "partition" }));
      }
      default:
        return never(reads);
    }
  }

  /** Several phases may write one dataset or output: their parts are numbered consecutively. */
  #firstPart({ writes }: PhaseProgram, parts: number, firstParts: Map<string, number>): number {
    if (writes.kind === "shuffle") return 0;
    const isOutput = writes.kind === "output";
    const name = isOutput ? `output ${writes.output}` : `dataset ${writes.dataset}`;
    const first = firstParts.get(name) ?? (isOutput ? this.#partsOf(writes.output) : 0);
    firstParts.set(name, first + parts);
    return first;
  }

  #partsOf(output: number): number {
    return defined(this.#outputParts[output], `output ${output}`);
  }

  #partitionsOf(reader: number): number {
    return defined(this.#partitions[reader], `phase ${reader}`);
  }
}

/** Asks the user's own code, in the master. */
function isDone({ name, until }: Loop, round: Round): boolean {
  try {
    return until?.(round) === true;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const { place } = describeFailure(error);
    const where = place === undefined ? "" : ` (${place})`;
    throw new InputError("bad-job", `loop ${name}: until, round ${round.round}`, message + where);
  }
}

function tasksOf(phase: number, before: readonly CoursePhase[]): readonly number[] {
  const { firstTask, tasks } = defined(
    before.find((one) => one.phase === phase),
    "a phase that is read",
  );
  return tasks.map((_, index) => firstTask + index);
}

/** Phases that sample keys for a single partition, with the datasets they would write. */
function needlessSamples(
  program: Program,
  partitions: readonly number[],
): ReadonlyMap<number, number> {
  const wanted = new Set<number>();
  for (const [phase, { writes }] of program.phases.entries()) {
    if (writes.kind !== "shuffle" || !("sample" in writes.partition)) continue;
    const reader = readerOf(program, phase);
    if ((partitions[reader] ?? 0) > 1) wanted.add(writes.partition.sample);
  }
  const needless = new Map<number, number>();
  for (const [phase, { writes, sample }] of program.phases.entries()) {
    if (sample === undefined || writes.kind !== "dataset") continue;
    if (!wanted.has(writes.dataset)) needless.set(phase, writes.dataset);
  }
  return needless;
}

function withoutPhases(
  sections: readonly Section[],
  without: ReadonlySet<number>,
): readonly Section[] {
  const left = (phases: readonly number[]): readonly number[] =>
    phases.filter((phase) => !without.has(phase));
  return sections.flatMap((section): readonly Section[] => {
    if (section.kind === "loop") {
      const jobs = section.jobs.map(left).filter((phases) => phases.length > 0);
      return [{ ...section, jobs }];
    }
    const phases = left(section.phases);
    return phases.length === 0 ? [] : [{ ...section, phases }];
  });
}

const inputOf = (inputs: ReadonlyMap<string, InputPlan>, read: string): InputPlan =>
  defined(inputs.get(read), `the input of ${read}`);

/** By phase, the number of partitions that it reads: as set, or by the bytes that may reach it. */
function partitionsOf(
  { phases }: Program,
  inputs: ReadonlyMap<string, InputPlan>,
  reduces: number | undefined,
): readonly number[] {
  const bytes: number[] = [];
  const written = new Map<number, number>();
  for (const { reads, writes } of phases) {
    const reaching = bytesOf(reads, bytes, written, inputs);
    bytes.push(reaching);
    if (writes.kind !== "dataset") continue;
    written.set(writes.dataset, (written.get(writes.dataset) ?? 0) + reaching);
  }
  return phases.map(({ reads }, number) => {
    if (reads.kind !== "shuffle") return 0;
    const { group, partitions } = reads;
    if (group.kind === "fold" && group.total) return 1;
    const reaching = bytes[number];
    assert(reaching !== undefined, "bytes of each phase are known");
    return reduces ?? partitions ?? defaultReduces(reaching);
  });
}

function bytesOf(
  reads: PhaseProgram["reads"],
  bytes: readonly number[],
  written: ReadonlyMap<number, number>,
  inputs: ReadonlyMap<string, InputPlan>,
): number {
  switch (reads.kind) {
    case "input":
      return inputOf(inputs, reads.name).totalBytes;
    case "dataset":
      return written.get(reads.dataset) ?? 0;
    case "shuffle":
      return reads.sides.flat().reduce((sum, phase) => sum + (bytes[phase] ?? 0), 0);
    default:
      return never(reads);
  }
}
