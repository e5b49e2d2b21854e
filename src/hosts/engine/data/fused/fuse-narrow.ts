import type { Key } from "../../../../job/index.ts";
import { type PhaseProgram, type Program, readerOf } from "../../../../job/program.ts";
import type { MapBytes, Selector, Step } from "../../../../job/step.ts";
import { type FusedColumns, fusedColumnsOf } from "./fuse-columns.ts";

/** What kernels can make of an input: first, of the lines of a text. */
export type FusedNarrow =
  /** `[word, count]` of each word; or `[word, anything]`, if only the words are asked for. */
  | { readonly kind: "count-words"; readonly isDistinct: boolean }
  /** `[slice, count]` of each slice of a line that the user's code names. */
  | { readonly kind: "count-slices"; readonly mapBytes: MapBytes }
  /** `[key, count]` of the lines that hold the literal. */
  | { readonly kind: "count-matching"; readonly literal: string; readonly key: Key }
  /** These lines themselves, as text. */
  | { readonly kind: "write-matching"; readonly literal: string; readonly output: number }
  /** `[line, value]` of each line. */
  | { readonly kind: "sort-lines"; readonly value: Key }
  | FusedColumns;

/** Undefined: the phase has more to do than they can. */
export function fusedNarrowOf(program: Program, phase: PhaseProgram): FusedNarrow | undefined {
  const { reads, recordsMax } = phase;
  if (reads.kind !== "input" || recordsMax !== undefined) return undefined;
  const { format } = reads.input;
  if (format.kind === "csv") return fusedColumnsOf(phase, format);
  return format.kind === "text" && format.encoding === "utf8"
    ? fusedTextOf(program, phase)
    : undefined;
}

function fusedTextOf(program: Program, phase: PhaseProgram): FusedNarrow | undefined {
  const { steps, writes } = phase;
  if (writes.kind === "dataset") return undefined;
  if (writes.kind === "output") {
    const literal = steps.length === 1 ? literalOf(steps[0]) : undefined;
    return literal === undefined
      ? undefined
      : { kind: "write-matching", literal, output: writes.output };
  }
  const { combine, partition } = writes;
  const counts = combine.kind === "fold" && combine.combines && combine.fold.numbers === "count";
  const [first, second, third] = steps;
  if (second === undefined) {
    const value = combine.kind === "none" ? valueOfRecords(first) : undefined;
    const isSorted =
      value !== undefined && (partition.kind === "hash" || partition.kind === "range");
    return isSorted ? { kind: "sort-lines", value } : undefined;
  }
  if (third !== undefined || partition.kind !== "hash") return undefined;
  const isDistinct = combine.kind === "fold" && combine.combines && isForKeys(program, phase);
  if (first?.kind === "words" && (counts || isDistinct)) {
    return isOfRecord(second) ? { kind: "count-words", isDistinct } : undefined;
  }
  if (!counts) return undefined;
  if (first?.kind === "map-bytes") {
    return isOfRecord(second) ? { kind: "count-slices", mapBytes: first.mapBytes } : undefined;
  }
  const literal = literalOf(first);
  const key = keyOfAll(second);
  if (literal === undefined || key === undefined) return undefined;
  return { kind: "count-matching", literal, key };
}

/** Whether the phase that reads the shuffle looks at keys alone. */
function isForKeys(program: Program, phase: PhaseProgram): boolean {
  const reads = program.phases[readerOf(program, program.phases.indexOf(phase))]?.reads;
  return reads?.kind === "shuffle" && reads.group.kind === "keys";
}

/** Of a step that keeps lines by a text that a line may hold. */
function literalOf(step: Step | undefined): string | undefined {
  if (step?.kind !== "matching" || typeof step.pattern !== "string") return undefined;
  const { pattern } = step;
  // Half a pair of surrogates stands for a byte that is no UTF-8.
  return pattern === "" || /[\r\n]|\p{Surrogate}/u.test(pattern) ? undefined : pattern;
}

/** A selector whose value does not hang on what user code makes of a record. */
const isFixed = (selector: Selector): boolean =>
  selector.kind === "record" || selector.kind === "constant";

/** Pairs `[record, ...]` whose values nobody looks at. */
const isOfRecord = (step: Step): boolean =>
  step.kind === "pair" && step.key.kind === "record" && isFixed(step.value);

/** The value of pairs `[record, value]`, if it is the same for all. */
function valueOfRecords(step: Step | undefined): Key | undefined {
  if (step?.kind !== "pair" || step.key.kind !== "record") return undefined;
  return step.value.kind === "constant" ? step.value.value : undefined;
}

/** The key of pairs `[key, ...]`, if it is the same for all. */
function keyOfAll(step: Step): Key | undefined {
  if (step.kind !== "pair" || !isFixed(step.value)) return undefined;
  return step.key.kind === "constant" ? step.key.value : undefined;
}
