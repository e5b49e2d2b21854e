import { assert } from "../base/assert.ts";
import type { Context, Params, ReduceContext } from "./context.ts";
import type { Fold } from "./fold.ts";
import type { Input } from "./input.ts";
import type { Key } from "./key.ts";
import type { Output } from "./output.ts";
import type { Speculates } from "./speculate.ts";
import { type Emitted, forbidsCopies, type JoinHow, type Step } from "./step.ts";

/**
 * A job or a flow as phases, for hosts to run. Each thread derives the same program from the user's
 * module, so that functions are never sent; phases, datasets and outputs are known by number.
 */
export interface Program {
  /** Undefined: the host names the program after the job file. */
  readonly name: string | undefined;
  readonly counters: readonly string[];
  readonly params: Params;
  readonly speculate: Speculates;
  /** A shuffle's writers come before its reader. */
  readonly phases: readonly PhaseProgram[];
  /** The number of datasets: records that are kept from one section to later ones. */
  readonly datasets: number;
  readonly outputs: readonly ProgramOutput[];
  /** The sections run one after another. */
  readonly sections: readonly Section[];
}

/** The tasks of one step: each reads records, runs the steps on them and writes the results. */
export interface PhaseProgram {
  /** Unique in its program. */
  readonly name: string;
  readonly reads: Reads;
  readonly steps: readonly Step[];
  /** Datasets that each task reads as a whole: those of lookups, and samples for partitioning. */
  readonly broadcasts: readonly number[];
  readonly writes: Writes;
  /**
   * Whether the phase begins while the phases that it reads still run, as reduces do; otherwise it
   * begins when they are done.
   */
  readonly pipeline: boolean;
  /** If set, the phase's records are keys, and it writes a sample of them. */
  readonly sample?: KeySample;
}

/**
 * A sample that is read before keys are partitioned. Only the choice of partitions depends on it:
 * the counters of its steps are not the job's, and it may be left out where there is one partition,
 * or none.
 */
export type KeySample =
  /** A task passes on the first `keys` keys that it meets. */
  | { readonly kind: "first"; readonly keys: number }
  /** A task passes on one record: a sketch of `keys` keys, over all that it meets. */
  | { readonly kind: "frequent"; readonly keys: number };

export type Reads =
  /** A task for each split. */
  | { readonly kind: "input"; readonly name: string; readonly input: Input<unknown> }
  /** A task for each part, in the order of the phases that wrote it. */
  | { readonly kind: "dataset"; readonly dataset: number }
  /** A task for each partition. */
  | {
      readonly kind: "shuffle";
      /** The phases in the order in which a key's values come; a join has two sides. */
      readonly sides: readonly (readonly number[])[];
      readonly group: Group;
      /** Undefined: the host derives the number from the size of the input. */
      readonly partitions: number | undefined;
    };

/** The treatment of a key and its values. */
export type Group =
  /**
   * Gives the record `[key, result]`; the values are accumulators. `total`: there is at most one
   * key, and the result is the record.
   */
  | { readonly kind: "fold"; readonly fold: AnyFold; readonly total: boolean }
  /** Gives the records that the function returns or emits. */
  | {
      readonly kind: "reduce";
      reduce(
        key: Key,
        values: Iterable<unknown>,
        ctx: ReduceContext<string, Params>,
      ): Emitted<unknown>;
    }
  | { readonly kind: "join"; readonly how: JoinHow }
  /** A record for each value: the value, or its key again. */
  | { readonly kind: "each"; readonly gives: "value" | "key" }
  /** A record for each key: the key. */
  | { readonly kind: "keys" };

export type Writes =
  | {
      readonly kind: "shuffle";
      readonly combine: Combiner;
      readonly partition: Partition;
    }
  | { readonly kind: "dataset"; readonly dataset: number }
  | { readonly kind: "output"; readonly output: number };

/** The treatment of a key's values before they travel. */
export type Combiner =
  | { readonly kind: "none" }
  /** Values become accumulators; `combines`: one per key. */
  | { readonly kind: "fold"; readonly fold: AnyFold; readonly combines: boolean }
  | {
      readonly kind: "function";
      combine(key: Key, values: Iterable<unknown>, ctx: Context<string, Params>): Iterable<unknown>;
    };

/** The choice of a key's partition. */
export type Partition =
  /** By the hash of the key's bytes. */
  | { readonly kind: "hash" }
  | { readonly kind: "own"; partition(key: Key, partitions: number): number }
  /** Equal shares of the sample's keys, in order; the sample is a dataset of first keys. */
  | { readonly kind: "range"; readonly sample: number }
  /**
   * By hash, except for keys that are hot in the sample, a dataset of frequent keys: those go to
   * all partitions in turn, or to all at once.
   */
  | { readonly kind: "salted"; readonly sample: number; readonly hot: "in-turn" | "to-all" };

export interface ProgramOutput {
  /** The output's directory below the output directory, if there are several outputs. */
  readonly name: string;
  readonly output: Output;
}

export type Section =
  /** One job of the scheduler: its phases, by number. */
  { readonly kind: "job"; readonly phases: readonly number[] } | Loop;

/** Jobs that are repeated; each round has names of its own. */
export interface Loop {
  readonly kind: "loop";
  readonly name: string;
  /** The dataset that a round reads, and replaces when it is done. */
  readonly state: number;
  readonly jobs: readonly (readonly number[])[];
  readonly roundsMax: number;
  /** Called after each round. */
  until?(round: Round): boolean;
}

/** A loop's round when it is over. */
export interface Round {
  /** Counted from 1. */
  readonly round: number;
  /** The counters of this round alone. */
  readonly counters: Readonly<Record<string, number>>;
}

/**
 * Whether tasks of the phase may be copied: the program allows it for their kind, and no step of
 * theirs makes calls that must not be made twice at once.
 */
export function allowsCopies({ speculate }: Program, { reads, steps }: PhaseProgram): boolean {
  const isReduce = reads.kind === "shuffle";
  return (isReduce ? speculate.reduce : speculate.map) && !steps.some(forbidsCopies);
}

/** The phase that reads what this one writes into a shuffle. */
export function readerOf(program: Program, phase: number): number {
  const reader = program.phases.findIndex(
    ({ reads }) => reads.kind === "shuffle" && reads.sides.some((side) => side.includes(phase)),
  );
  assert(reader > phase, "a shuffle is read by a later phase");
  return reader;
}

export type AnyFold = Fold<unknown, unknown, unknown>;
