import { expect, test } from "vitest";
import { ByteWriter } from "../../job/byte-writer.ts";
import { encodeKey, type Fold } from "../../job/index.ts";
import { mergeWithin } from "./combine.ts";
import type { Cursor } from "./cursor.ts";
import { KeyGroups } from "./groups.ts";
import { writeValue } from "./value-bytes.ts";

const PARTS = 40;
const PART = Array.from({ length: 10 }, (_, i) => `value ${i}`.padEnd(100, "."));

test("a fold that keeps all values is refused before values that do not fit are read", () => {
  let merges = 0;
  const groups = ofOneKey();
  const fold = keeping(() => merges++);
  expect(() => mergeWithin(fold, groups, 10_000)).toThrow(/expected records that fit/);
  expect(merges).toBeLessThan(10);
});

test("a fold with enough room keeps all values", () => {
  expect(mergeWithin(keeping(), ofOneKey(), 1_000_000)).toHaveLength(PARTS * PART.length);
});

function keeping(merged = () => {}): Fold<unknown, unknown, unknown> {
  return {
    name: "collect",
    init: () => [],
    add: (so, value) => [so, value].flat(),
    merge: (left, right) => {
      merged();
      return [left, right].flat();
    },
    done: (so) => so,
  };
}

/** Placed at the key whose accumulators are merged. */
function ofOneKey(): KeyGroups {
  const key = encodeKey("all");
  const record = new ByteWriter();
  record.append(key);
  writeValue(record, PART);
  const { length: end } = record;
  let left = PARTS;
  const cursor: Cursor = {
    bytes: record.bytes,
    keyStart: 0,
    keyEnd: key.length,
    end,
    advance: () => left-- > 0,
  };
  const groups = new KeyGroups(cursor);
  groups.advance();
  return groups;
}
