import { type PhaseProgram, type Program, readerOf } from "../../job/program.ts";
import type { Order } from "../bytes/run-format.ts";
import type { NumberFoldKind } from "../memory/number-fold.ts";

/** The required order of the records in the phase's run, if the phase writes one. */
export function orderOf(program: Program, phase: PhaseProgram): Order {
  const { writes } = phase;
  if (writes.kind !== "shuffle" || writes.combine.kind !== "fold" || !writes.combine.combines) {
    return "by-key";
  }
  const reader = program.phases[readerOf(program, program.phases.indexOf(phase))];
  return reader !== undefined && foldedNumbers(reader) !== undefined ? "any" : "by-key";
}

/**
 * The fold of numbers whose accumulators the phase reads, in which case it takes records in any
 * order. Undefined if it reads something else.
 */
export function foldedNumbers({ reads }: PhaseProgram): NumberFoldKind | undefined {
  if (reads.kind !== "shuffle" || reads.sides.length > 1) return undefined;
  return reads.group.kind === "fold" ? reads.group.fold.numbers : undefined;
}
