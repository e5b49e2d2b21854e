import type { Key } from "../../job/index.ts";
import { type PhaseProgram, type Program, readerOf } from "../../job/program.ts";
import type { MapBytes, Selector, Step } from "../../job/step.ts";
import { type FusedColumns, fusedColumnsOf } from "./fuse-columns.ts";
import { filteredSteps, type LineFilter } from "./line-filter.ts";
import type { LiteralFinder } from "./required-literal.ts";

/** The work on an input that kernels can do; here, on the lines of a text. */
export type FusedNarrow =
  /** `[word, count]` of each word; or `[word, anything]`, if only the words are read. */
  | ({ readonly kind: "count-words"; readonly isDistinct: boolean } & OfLines)
  /** The same for each line. */
  | ({ readonly kind: "count-lines"; readonly isDistinct: boolean } & OfLines)
  /** `[slice, count]` of each slice of a line that the user's code names. */
  | ({ readonly kind: "count-slices"; readonly mapBytes: MapBytes } & OfLines)
  /** `[key, count]` of the lines. */
  | ({ readonly kind: "count-matching"; readonly key: Key } & OfLines)
  /** The lines themselves, as text. */
  | ({ readonly kind: "write-matching"; readonly output: number } & OfLines)
  /** `[line, value]` of each line. */
  | { readonly kind: "sort-lines"; readonly value: Key }
  | FusedColumns;

/** The lines that match; undefined: all lines. */
export interface OfLines {
  readonly where: LineFilter | undefined;
}

/** Undefined if the phase does more than kernels can. */
export function fusedNarrowOf(
  program: Program,
  phase: PhaseProgram,
  literalIn: LiteralFinder,
): FusedNarrow | undefined {
  const { reads, sample } = phase;
  if (reads.kind !== "input" || sample !== undefined) return undefined;
  const { format } = reads.input;
  if (format.kind === "csv") return fusedColumnsOf(phase, format);
  return format.kind === "text" && format.encoding === "utf8"
    ? fusedTextOf(program, phase, literalIn)
    : undefined;
}

function fusedTextOf(
  program: Program,
  phase: PhaseProgram,
  literalIn: LiteralFinder,
): FusedNarrow | undefined {
  const { writes } = phase;
  const filtered = filteredSteps(phase.steps, literalIn);
  if (filtered === undefined || writes.kind === "dataset") return undefined;
  const { where, rest } = filtered;
  if (writes.kind === "output") {
    if (rest.length > 0) return undefined;
    return { kind: "write-matching", where, output: writes.output };
  }
  const { combine, partition } = writes;
  const [first, second, ...others] = rest;
  if (first === undefined || others.length > 0) return undefined;
  if (combine.kind === "none") {
    const value = valueOfRecords(first);
    const isSorted = second === undefined && where === undefined && partition.kind !== "own";
    return value === undefined || !isSorted ? undefined : { kind: "sort-lines", value };
  }
  if (combine.kind !== "fold" || !combine.combines || partition.kind !== "hash") return undefined;
  const counts = combine.fold.numbers === "count";
  const isDistinct = isForKeys(program, phase);
  if (!counts && !isDistinct) return undefined;
  if (second === undefined) return countOf(first, { where, isDistinct });
  if (!isOfRecord(second)) return undefined;
  if (first.kind === "words") return { kind: "count-words", where, isDistinct };
  if (first.kind !== "map-bytes" || isDistinct) return undefined;
  return { kind: "count-slices", where, mapBytes: first.mapBytes };
}

/** Counts lines, each by itself or all together. */
function countOf(
  step: Step,
  how: OfLines & { readonly isDistinct: boolean },
): FusedNarrow | undefined {
  if (isOfRecord(step)) return { kind: "count-lines", ...how };
  const key = keyOfAll(step);
  if (key === undefined || how.isDistinct) return undefined;
  return { kind: "count-matching", where: how.where, key };
}

/** Whether the phase that reads the shuffle reads only keys. */
function isForKeys(program: Program, phase: PhaseProgram): boolean {
  const reads = program.phases[readerOf(program, program.phases.indexOf(phase))]?.reads;
  return reads?.kind === "shuffle" && reads.group.kind === "keys";
}

/** Whether the selector's value is independent of the results of user code. */
const isFixed = (selector: Selector): boolean =>
  selector.kind === "record" || selector.kind === "constant";

/** Whether the step makes pairs `[record, ...]` whose values are not read. */
const isOfRecord = (step: Step): boolean =>
  step.kind === "pair" && step.key.kind === "record" && isFixed(step.value);

/** The value of pairs `[record, value]`, if it is the same for all records. */
function valueOfRecords(step: Step | undefined): Key | undefined {
  if (step?.kind !== "pair" || step.key.kind !== "record") return undefined;
  return step.value.kind === "constant" ? step.value.value : undefined;
}

/** The key of pairs `[key, ...]`, if it is the same for all records. */
function keyOfAll(step: Step): Key | undefined {
  if (step.kind !== "pair" || !isFixed(step.value)) return undefined;
  return step.key.kind === "constant" ? step.key.value : undefined;
}
