import { join } from "node:path";
import { assert, never } from "../../base/assert.ts";
import { joinOne, type RecordSink } from "../../job/apply-steps.ts";
import { blamed } from "../../job/culprit.ts";
import { emitted } from "../../job/emitted.ts";
import type { Group } from "../../job/program.ts";
import type { UserContext } from "../../job/user-context.ts";
import { mergeAll } from "../bytes/combine.ts";
import { compareBytes } from "../bytes/cursor.ts";
import type { KeyGroups } from "../bytes/groups.ts";
import { HeldValues } from "./held-values.ts";
import { setPlace } from "./place.ts";
import { atPlace } from "./user-code-error.ts";

export interface GroupRun {
  readonly group: Group;
  /** One side, or the two of a join. */
  readonly sides: readonly KeyGroups[];
  readonly ctx: UserContext;
  readonly into: RecordSink;
  /** The attempt's own directory, for a join's values of more than `bytesMax`. */
  readonly directory: string;
  readonly bytesMax: number;
}

/** Passes on the results for each key and its values, in the order of keys. */
export function runGroups(run: GroupRun): void {
  const [left, right] = run.sides;
  assert(left !== undefined, "a shuffle has a side");
  setPlace(() => placeOf(left));
  if (run.group.kind === "join") {
    assert(right !== undefined, "a join has two sides");
    runJoin(run, left, right);
    return;
  }
  let isEmpty = true;
  while (left.advance()) {
    isEmpty = false;
    atKey(left, () => giveGroup(run, left));
  }
  const { group, into } = run;
  if (!isEmpty || group.kind !== "fold" || !group.total) return;
  if (group.fold.ofNothing !== undefined) into.add(group.fold.ofNothing());
}

function giveGroup({ group, ctx, into }: GroupRun, groups: KeyGroups): void {
  switch (group.kind) {
    case "fold": {
      const result = group.fold.done(mergeAll(group.fold, groups));
      if (group.total) into.add(result);
      else into.addPair(groups.key, result);
      return;
    }
    case "reduce": {
      try {
        const records = group.reduce(groups.key, groups.values(), ctx);
        if (records === undefined) return;
        for (const record of emitted(records, "reduce")) into.add(record);
      } catch (error) {
        throw blamed(error, group.reduce);
      }
      return;
    }
    case "each": {
      const { key } = groups;
      while (groups.hasValue) {
        const value = groups.takeValue();
        into.add(group.gives === "key" ? key : value);
      }
      return;
    }
    case "keys":
      into.add(groups.key);
      return;
    case "join":
      assert(false, "a join's sides go together");
      break;
    default:
      never(group);
  }
}

/** Both sides come in the order of keys; the right side's values of a key are held. */
function runJoin(
  { group, into, directory, bytesMax }: GroupRun,
  left: KeyGroups,
  right: KeyGroups,
): void {
  assert(group.kind === "join", "a join is joined");
  const { how } = group;
  let hasRight = right.advance();
  while (left.advance()) {
    while (hasRight && compareSides(right, left) < 0) hasRight = right.advance();
    const isMet = hasRight && compareSides(right, left) === 0;
    atKey(left, () => {
      const { key } = left;
      const values = isMet ? right.values() : [];
      const held = new HeldValues(values, join(directory, "held"), bytesMax);
      while (left.hasValue) joinOne(how, key, left.takeValue(), held, into);
      held.close();
    });
    if (isMet) hasRight = right.advance();
  }
}

const compareSides = ({ keyBytes: x }: KeyGroups, { keyBytes: y }: KeyGroups): number =>
  compareBytes(x.bytes, 0, x.length, y.bytes, 0, y.length);

function atKey(groups: KeyGroups, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw atPlace(() => placeOf(groups), error);
  }
}

const placeOf = ({ key }: KeyGroups): string => `key ${JSON.stringify(String(key))}`;
