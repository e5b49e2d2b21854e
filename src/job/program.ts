import { assert } from "../base/assert.ts";
import type { Context, Params, ReduceContext } from "./context.ts";
import type { Fold } from "./fold.ts";
import type { Input } from "./input.ts";
import type { Key } from "./key.ts";
import type { Output } from "./output.ts";
import type { Emitted, JoinHow, Step } from "./step.ts";

/**
 * What a host runs: a job or a flow as phases. Each thread derives the same program from the user's
 * module, so that no function is ever sent; phases, datasets and outputs go by their numbers.
 */
export interface Program {
  /** Undefined: the host names it after the job file. */
  readonly name: string | undefined;
  readonly counters: readonly string[];
  readonly params: Params;
  readonly speculate: boolean;
  /** A shuffle's writers come before its reader. */
  readonly phases: readonly PhaseProgram[];
  /** How many datasets there are: records that are kept from one section to the next. */
  readonly datasets: number;
  readonly outputs: readonly ProgramOutput[];
  /** What is run, one after the other. */
  readonly sections: readonly Section[];
}

/** The tasks of one step: each reads records, takes them through the steps and writes them. */
export interface PhaseProgram {
  /** Unique in its program. */
  readonly name: string;
  readonly reads: Reads;
  readonly steps: readonly Step[];
  /** Datasets that each task reads as a whole: of lookups, and samples that partition. */
  readonly broadcasts: readonly number[];
  readonly writes: Writes;
  /** Begins while the phases that it reads still run, as reduces do; else when they are done. */
  readonly pipeline: boolean;
  /** Its records are keys, of which it writes a sample. */
  readonly sample?: KeySample;
}

/**
 * What is looked at before keys are parted. Nothing but partitions hangs on it: what its steps
 * count is not the job's, and where there is one partition, or none at all, it may be left out.
 */
export type KeySample =
  /** A task hands on so many keys, the first that it meets. */
  | { readonly kind: "first"; readonly keys: number }
  /** A task hands on one record: a sketch of so many keys, of all that it meets. */
  | { readonly kind: "frequent"; readonly keys: number };

export type Reads =
  /** A task for each split. */
  | { readonly kind: "input"; readonly name: string; readonly input: Input<unknown> }
  /** A task for each part, in the order of the phases that wrote it. */
  | { readonly kind: "dataset"; readonly dataset: number }
  /** A task for each partition. */
  | {
      readonly kind: "shuffle";
      /** Phases, in the order in which a key's values come; a join has two sides. */
      readonly sides: readonly (readonly number[])[];
      readonly group: Group;
      /** Undefined: as many as the input asks for. */
      readonly partitions: number | undefined;
    };

/** What becomes of a key and its values. */
export type Group =
  /**
   * The record `[key, result]`; its values are accumulators. `total`: there is one key at most, and
   * the record is the result.
   */
  | { readonly kind: "fold"; readonly fold: AnyFold; readonly total: boolean }
  /** The records that it hands back or emits. */
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

/** What happens to a key's values before they travel. */
export type Combiner =
  | { readonly kind: "none" }
  /** They become accumulators; `combines`: one for each key. */
  | { readonly kind: "fold"; readonly fold: AnyFold; readonly combines: boolean }
  | {
      readonly kind: "function";
      combine(key: Key, values: Iterable<unknown>, ctx: Context<string, Params>): Iterable<unknown>;
    };

/** Which partition gets a key. */
export type Partition =
  /** By the hash of its bytes. */
  | { readonly kind: "hash" }
  | { readonly kind: "own"; partition(key: Key, partitions: number): number }
  /** Equal shares of the sample's keys, in order; the sample is a dataset of first keys. */
  | { readonly kind: "range"; readonly sample: number }
  /**
   * By hash, but for keys that are hot in the sample, a dataset of frequent keys: to all in turn,
   * or to all at once.
   */
  | { readonly kind: "salted"; readonly sample: number; readonly hot: "in-turn" | "to-all" };

export interface ProgramOutput {
  /** Its directory below the output directory, where there are several. */
  readonly name: string;
  readonly output: Output;
}

export type Section =
  /** One job of the scheduler: its phases, by number. */
  { readonly kind: "job"; readonly phases: readonly number[] } | Loop;

/** The same jobs again and again, each round with names of its own. */
export interface Loop {
  readonly kind: "loop";
  readonly name: string;
  /** The dataset that a round reads and, when it is done, has replaced. */
  readonly state: number;
  readonly jobs: readonly (readonly number[])[];
  readonly roundsMax: number;
  /** Looked at after each round. */
  until?(round: Round): boolean;
}

/** What is known of a loop's round when it is over. */
export interface Round {
  /** From 1. */
  readonly round: number;
  /** What the counters came to in this round alone. */
  readonly counters: Readonly<Record<string, number>>;
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
