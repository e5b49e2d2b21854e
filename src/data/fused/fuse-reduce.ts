import type { Key } from "../../job/index.ts";
import type { AnyFold, PhaseProgram } from "../../job/program.ts";
import { KEYS, VALUES } from "../kernel/kernel.ts";
import { FirstOfKey } from "../memory/first-of-key.ts";
import { foldStream } from "../memory/fold-stream.ts";
import type { MergeStream } from "../memory/merge-stream.ts";
import type { NumberFoldKind } from "../memory/number-fold.ts";
import { type LineQuery, type LineSink, putLines } from "../memory/put-lines.ts";
import type { Workspace } from "../memory/workspace.ts";

/** The work on a merged stream that kernels can do: a line of text for each record. */
export type FusedReduce =
  | { readonly kind: "fold"; readonly fold: AnyFold; readonly numbers: NumberFoldKind }
  /** A line for each value: its key. */
  | { readonly kind: "each" }
  /** A line for each key. */
  | { readonly kind: "keys" };

/** Undefined if the phase does more than kernels can. */
export function fusedReduceOf({ reads, steps }: PhaseProgram): FusedReduce | undefined {
  if (reads.kind !== "shuffle" || reads.sides.length > 1 || steps.length > 0) return undefined;
  const { group } = reads;
  switch (group.kind) {
    case "fold": {
      const { fold, total } = group;
      const { numbers } = fold;
      return numbers === undefined || total ? undefined : { kind: "fold", fold, numbers };
    }
    case "each":
      return group.gives === "key" ? { kind: "each" } : undefined;
    case "keys":
      return { kind: "keys" };
    default:
      return undefined;
  }
}

export interface FusedReduceQuery {
  readonly space: Workspace;
  readonly stream: MergeStream;
  readonly sink: LineSink;
  /** Called regularly while lines are written. */
  moved(): void;
}

/** Writes the lines of keys and their accumulators. */
export function foldedLines(
  { fold }: Extract<FusedReduce, { kind: "fold" }>,
  lines: Omit<LineQuery, "recordOf">,
): LineQuery {
  return { ...lines, recordOf: (key, so) => [key, fold.done(so)] };
}

/** Returns false if kernels cannot do it; the output must then be written again in another way. */
export function reduceFused(reduce: FusedReduce, query: FusedReduceQuery): boolean {
  const { space, stream, sink, moved } = query;
  if (reduce.kind === "fold") {
    return foldStream({
      space,
      stream,
      kind: reduce.numbers,
      take(entries, shape) {
        putLines(foldedLines(reduce, { space, shape, sink }), entries);
        moved();
      },
    });
  }
  const shape = { keys: KEYS.encoded, values: VALUES.none, base: 0, stride: 0 };
  const lines = { space, shape, sink, recordOf: (key: Key) => key };
  const firsts = new FirstOfKey(space);
  for (let some = stream.next(); some.count > 0; some = stream.next()) {
    putLines(lines, reduce.kind === "keys" ? firsts.of(some) : some);
    moved();
  }
  return true;
}
