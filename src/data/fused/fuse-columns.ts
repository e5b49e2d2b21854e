import type { InputFormat } from "../../job/index.ts";
import type { JoinSide } from "../../job/parts.ts";
import type { PhaseProgram } from "../../job/program.ts";
import type { Selector, Step } from "../../job/step.ts";
import type { NumberFoldKind } from "../memory/number-fold.ts";

type CsvFormat = Extract<InputFormat, { kind: "csv" }>;

/** The work on the columns of a CSV that kernels can do. */
export type FusedColumns =
  /** A fold of one column's numbers by another column. */
  | {
      readonly kind: "fold-columns";
      readonly format: CsvFormat;
      readonly key: string;
      /** Undefined if rows are only counted. */
      readonly value: string | undefined;
      readonly fold: NumberFoldKind;
    }
  /** Pairs of two columns' numbers, kept as they are. */
  | {
      readonly kind: "keep-columns";
      readonly format: CsvFormat;
      readonly key: string;
      readonly value: string;
    }
  /** Such pairs joined with a dataset, and folded. */
  | {
      readonly kind: "join-columns";
      readonly format: CsvFormat;
      readonly key: string;
      readonly left: string;
      /** The index of the dataset. */
      readonly table: number;
      readonly by: { readonly key: JoinSide; readonly value: JoinSide };
      readonly fold: NumberFoldKind;
    };

/** Undefined if the phase, which reads a CSV of this format, does more than kernels can. */
export function fusedColumnsOf(phase: PhaseProgram, format: CsvFormat): FusedColumns | undefined {
  const { steps, writes } = phase;
  const [first, second, third, ...others] = steps;
  if (first?.kind !== "pair" || first.key.kind !== "column" || others.length > 0) return undefined;
  const key = first.key.name;
  const fold = numbersOf(phase);
  if (second === undefined) {
    const value = valueColumn(first.value);
    if (value === undefined) return undefined;
    if (fold !== undefined) return { kind: "fold-columns", format, key, ...value, fold };
    const keeps = writes.kind === "dataset" && value.value !== undefined;
    if (!keeps || !areNumbers(format, [key, value.value])) return undefined;
    return { kind: "keep-columns", format, key, value: value.value };
  }
  const by = sidesOf(third);
  if (fold === undefined || by === undefined || first.value.kind !== "column") return undefined;
  if (second.kind !== "lookup" || second.how !== "inner") return undefined;
  const left = first.value.name;
  if (!areNumbers(format, [key, left])) return undefined;
  return { kind: "join-columns", format, key, left, table: second.table, by, fold };
}

const areNumbers = ({ numbers }: CsvFormat, columns: readonly string[]): boolean =>
  columns.every((column) => numbers.includes(column));

/** The fold of numbers that combines the pairs. */
function numbersOf({ writes }: PhaseProgram): NumberFoldKind | undefined {
  if (writes.kind !== "shuffle" || writes.partition.kind !== "hash") return undefined;
  const { combine } = writes;
  return combine.kind === "fold" && combine.combines ? combine.fold.numbers : undefined;
}

function valueColumn(selector: Selector): { readonly value: string | undefined } | undefined {
  if (selector.kind === "column") return { value: selector.name };
  return selector.kind === "constant" ? { value: undefined } : undefined;
}

function sidesOf(step: Step | undefined): { key: JoinSide; value: JoinSide } | undefined {
  if (step?.kind !== "pair") return undefined;
  const { key, value } = step;
  if (key.kind !== "side" || value.kind !== "side") return undefined;
  return { key: key.side, value: value.side };
}
