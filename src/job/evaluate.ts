import { assert, defined, never } from "../base/assert.ts";
import { applySteps, joinOne, type RecordSink, type StepHost } from "./apply-steps.ts";
import { Caller } from "./caller.ts";
import type { Params } from "./context.ts";
import { emitted, pairOf } from "./emitted.ts";
import type { Input } from "./input.ts";
import type { Key } from "./key.ts";
import { hashKey } from "./key-hash.ts";
import { KeyMap } from "./key-map.ts";
import { compareKeys } from "./key-order.ts";
import {
  type Group,
  type Loop,
  type Partition,
  type PhaseProgram,
  type Program,
  type Reads,
  readerOf,
} from "./program.ts";
import { cutAtCalls, pullSteps } from "./pull-steps.ts";
import type { Step } from "./step.ts";
import { Counters, type TaskContext, UserContext } from "./user-context.ts";

export interface Evaluation {
  readonly program: Program;
  readonly params: Params;
  /** The files of a read in order, with the records of their format. */
  files(read: string): readonly EvaluationFile[];
  /** The default number of partitions of a shuffle. */
  readonly partitions: number;
}

export interface EvaluationFile {
  readonly file: string;
  readonly records: Iterable<unknown>;
}

export interface Evaluated {
  /** By output, then by part: the records. */
  readonly outputs: readonly Parts[];
  readonly counters: Readonly<Record<string, number>>;
}

type Parts = readonly (readonly unknown[])[];

/**
 * The meaning of a program without calls: runs it in memory, in one thread, without bytes, sorting
 * or merging. Hosts must give the same records; a shuffle by range, or salted, may cut its parts
 * elsewhere.
 */
export function evaluate(evaluation: Evaluation): Evaluated {
  const { done, value } = evaluating(evaluation).next();
  assert(done === true, "no step of the program makes calls");
  return value;
}

/** The meaning of any program: makes one call after another. */
export async function evaluateAsync(evaluation: Evaluation): Promise<Evaluated> {
  const work = evaluating(evaluation);
  let next = work.next();
  while (!next.done) next = work.next(await next.value());
  return next.value;
}

/** The work between calls: yields each call, and takes the records that the call has made. */
type Work<T> = Generator<() => Promise<Records>, T, Records>;
type Records = readonly unknown[];

function* evaluating(evaluation: Evaluation): Work<Evaluated> {
  const evaluator = new Evaluator(evaluation);
  for (const section of evaluation.program.sections) {
    if (section.kind === "job") yield* evaluator.run(section.phases);
    else yield* evaluator.loop(section);
  }
  return evaluator.result();
}

/** The pairs of a phase for one partition. */
type Pairs = (readonly [Key, unknown])[];

class Evaluator {
  readonly #evaluation: Evaluation;
  readonly #program: Program;
  readonly #shuffles = new Map<number, readonly Pairs[]>();
  readonly #datasets = new Map<number, Parts>();
  /** The datasets of the present job: they replace earlier ones when the job is over. */
  #fresh = new Map<number, Parts>();
  readonly #outputs: (readonly unknown[])[][];
  readonly #counters: Counters;
  #round: Counters;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
    this.#program = evaluation.program;
    this.#outputs = this.#program.outputs.map(() => []);
    this.#counters = new Counters(this.#program.counters);
    this.#round = new Counters(this.#program.counters);
  }

  result(): Evaluated {
    return { outputs: this.#outputs, counters: this.#counters.values() };
  }

  *run(phases: readonly number[]): Work<void> {
    for (const phase of phases) yield* this.#runPhase(phase);
    for (const [dataset, parts] of this.#fresh) this.#datasets.set(dataset, parts);
    this.#fresh = new Map();
  }

  *loop({ jobs, roundsMax, until }: Loop): Work<void> {
    for (let round = 1; round <= roundsMax; round++) {
      this.#round = new Counters(this.#program.counters);
      for (const phases of jobs) yield* this.run(phases);
      if (until?.({ round, counters: this.#round.values() })) return;
    }
  }

  *#runPhase(number: number): Work<void> {
    const phase = defined(this.#program.phases[number], `phase ${number}`);
    const { writes, sample } = phase;
    // Samples are not needed: the evaluation partitions keys without them.
    if (sample !== undefined) return;
    if (writes.kind === "shuffle") {
      const partitions = this.#partitionsOf(readerOf(this.#program, number));
      const into = Array.from({ length: partitions }, (): Pairs => []);
      yield* this.#each(phase, () => pairSink(into, writes.partition));
      this.#shuffles.set(number, into);
      return;
    }
    const parts: unknown[][] = [];
    yield* this.#each(phase, () => {
      const part: unknown[] = [];
      parts.push(part);
      return {
        add: (record) => void part.push(record),
        addPair: (key, value) => void part.push([key, value]),
      };
    });
    if (writes.kind === "output") defined(this.#outputs[writes.output], "an output").push(...parts);
    else {
      const { dataset } = writes;
      this.#fresh.set(dataset, [...(this.#fresh.get(dataset) ?? []), ...parts]);
    }
  }

  /** Runs the steps on the records of each task, into a sink of its own. */
  *#each(phase: PhaseProgram, open: () => RecordSink): Work<void> {
    const { reads } = phase;
    switch (reads.kind) {
      case "input": {
        // One task for all splits: no result may depend on splits.
        const sink = open();
        for (const { file, records } of this.#evaluation.files(reads.name)) {
          const decoded = decodedBy(reads.input, records);
          yield* passOn(decoded, phase.steps, this.#host(0, file), sink);
        }
        return;
      }
      case "dataset": {
        const parts = defined(this.#datasets.get(reads.dataset), `dataset ${reads.dataset}`);
        for (const [task, records] of parts.entries()) {
          yield* passOn(records, phase.steps, this.#host(task), open());
        }
        return;
      }
      case "shuffle": {
        const partitions = this.#partitionsOf(this.#program.phases.indexOf(phase));
        for (let task = 0; task < partitions; task++) {
          const first = applySteps(phase.steps, this.#host(task), open());
          this.#groups(reads, task, first);
        }
        return;
      }
      default:
        never(reads);
    }
  }

  #groups(reads: Extract<Reads, { kind: "shuffle" }>, task: number, into: RecordSink): void {
    const { sides, group } = reads;
    const groups = new KeyMap<unknown[][]>();
    for (const [side, phases] of sides.entries()) {
      for (const phase of phases) {
        for (const [key, value] of this.#shuffles.get(phase)?.[task] ?? []) {
          groups.getOrMake(key, () => sides.map(() => []))[side]?.push(value);
        }
      }
    }
    const sorted = [...groups.entries()].sort(([left], [right]) => compareKeys(left, right));
    const ctx = new UserContext(this.#task(task, ""), (key, value) => into.addPair(key, value));
    for (const [key, [values = [], right = []]] of sorted) {
      giveGroup({ group, key, values, right, ctx }, into);
    }
    if (sorted.length > 0 || group.kind !== "fold" || !group.total) return;
    if (group.fold.ofNothing !== undefined) into.add(group.fold.ofNothing());
  }

  #host(task: number, file = ""): StepHost {
    return {
      context: (emit) => new UserContext(this.#task(task, file), emit),
      table: (dataset) => tableOf(defined(this.#datasets.get(dataset), `dataset ${dataset}`)),
    };
  }

  #task(task: number, file: string): TaskContext {
    const { params } = this.#evaluation;
    const count = (counter: string, by?: number): void => {
      this.#counters.count(counter, by);
      this.#round.count(counter, by);
    };
    return { params, task, attempt: 0, file, counters: { count } };
  }

  #partitionsOf(reader: number): number {
    const reads = this.#program.phases[reader]?.reads;
    const own = reads?.kind === "shuffle" ? reads.partitions : undefined;
    return own ?? this.#evaluation.partitions;
  }
}

/** Passes the records through the steps. */
function* passOn(
  records: Iterable<unknown>,
  steps: readonly Step[],
  host: StepHost,
  into: RecordSink,
): Work<void> {
  const cut = cutAtCalls(steps);
  const last = applySteps(cut.after, host, into);
  if (cut.parts.length === 0) {
    for (const record of records) last.add(record);
    return;
  }
  const parts = cut.parts.map(({ before, step }) => ({
    pull: pullSteps(before, host),
    caller: new Caller(step, host),
  }));
  function* through(record: unknown, at: number): Work<void> {
    const part = parts[at];
    if (part === undefined) {
      last.add(record);
      return;
    }
    for (const one of part.pull(record)) {
      for (const made of yield () => part.caller.call(one)) yield* through(made, at + 1);
    }
  }
  for (const record of records) yield* through(record, 0);
}

function* decodedBy(
  { decode }: Input<unknown>,
  records: Iterable<unknown>,
): Generator<unknown, void, undefined> {
  for (const record of records) yield decode(record);
}

interface OneGroup {
  readonly group: Group;
  readonly key: Key;
  readonly values: readonly unknown[];
  /** The values of a join's right side. */
  readonly right: readonly unknown[];
  readonly ctx: UserContext;
}

function giveGroup({ group, key, values, right, ctx }: OneGroup, into: RecordSink): void {
  switch (group.kind) {
    case "fold": {
      const { fold, total } = group;
      const result = fold.done(values.reduce((so, value) => fold.add(so, value), fold.init()));
      if (total) into.add(result);
      else into.addPair(key, result);
      return;
    }
    case "reduce":
      for (const one of emitted(group.reduce(key, values, ctx), "reduce")) into.add(one);
      return;
    case "join":
      for (const value of values) joinOne(group.how, key, value, right, into);
      return;
    case "each":
      for (const value of values) into.add(group.gives === "key" ? key : value);
      return;
    case "keys":
      into.add(key);
      return;
    default:
      never(group);
  }
}

/** A dataset of pairs, by key. */
export function tableOf(parts: Iterable<Iterable<unknown>>): KeyMap<readonly unknown[]> {
  const table = new KeyMap<unknown[]>();
  for (const part of parts) {
    for (const record of part) {
      const [key, value] = pairOf(record, "join");
      table.getOrMake(key, () => []).push(value);
    }
  }
  return table;
}

function pairSink(into: readonly Pairs[], partition: Partition): RecordSink {
  const addPair = (key: Key, value: unknown): void => {
    into[partitionOf(partition, key, into.length)]?.push([key, value]);
  };
  return { addPair, add: (record) => addPair(...pairOf(record)) };
}

/** For a range: the first partition for all keys, which is as good as any. */
function partitionOf(partition: Partition, key: Key, partitions: number): number {
  if (partition.kind === "own") return partition.partition(key, partitions);
  return partition.kind === "range" ? 0 : hashKey(key) % partitions;
}
