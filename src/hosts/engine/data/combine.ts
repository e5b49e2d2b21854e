import { never } from "../../../base/assert.ts";
import { ByteWriter } from "../../../job/byte-writer.ts";
import type { Fold, Job } from "../../../job/index.ts";
import type { Cursor } from "./cursor.ts";
import { emitted } from "./emitted.ts";
import { Groups } from "./groups.ts";
import type { RunWriter } from "./run-writer.ts";
import type { UserContext } from "./user-context.ts";
import { writeValue } from "./value-bytes.ts";

/**
 * Writes a sorted stream to the partition at hand, with fewer values for a key where the job allows
 * it.
 */
export type Combine = (records: Cursor, writer: RunWriter) => void;

/** Values stay as they are. */
export const copyAll: Combine = (records, writer) => {
  while (records.advance()) writer.write(records);
};

/**
 * For a fold the values that travel are accumulators, and a key's are merged wherever they meet.
 */
export function combineOf(job: Job, ctx: UserContext): Combine {
  const { reducer } = job;
  switch (reducer.kind) {
    case "none":
      return copyAll;
    case "fold":
      return reducer.combines ? mergeBy(reducer.fold) : copyAll;
    case "function":
      return reducer.combine === undefined
        ? copyAll
        : combineBy(reducer.combine.bind(reducer), ctx);
    default:
      return never(reducer);
  }
}

function mergeBy(fold: Fold<unknown, unknown, unknown>): Combine {
  const value = new ByteWriter();
  return (records, writer) => {
    const groups = new Groups(records);
    while (groups.advance()) {
      value.length = 0;
      writeValue(value, mergeAll(fold, groups));
      writer.writeApart({ key: groups.keyBytes, value });
    }
  };
}

/** The current key's accumulators as one. */
export function mergeAll(fold: Fold<unknown, unknown, unknown>, groups: Groups): unknown {
  let so = groups.takeValue();
  while (groups.hasValue) so = fold.merge(so, groups.takeValue());
  return so;
}

type CombineFunction = NonNullable<Extract<Job["reducer"], { kind: "function" }>["combine"]>;

function combineBy(combine: CombineFunction, ctx: UserContext): Combine {
  const value = new ByteWriter();
  return (records, writer) => {
    const groups = new Groups(records);
    while (groups.advance()) {
      for (const one of emitted(combine(groups.key, groups.values(), ctx), "combine")) {
        value.length = 0;
        writeValue(value, one);
        writer.writeApart({ key: groups.keyBytes, value });
      }
    }
  };
}
