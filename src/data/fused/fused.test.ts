import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { compareKeys, hashKey, type Key } from "../../job/index.ts";
import { decodeKey } from "../../job/key-bytes.ts";
import type { MapBytes } from "../../job/step.ts";
import { RunReader } from "../bytes/run-reader.ts";
import { readValue } from "../bytes/value-bytes.ts";
import type { Split } from "../formats/split.ts";
import { Workspace } from "../memory/workspace.ts";
import { countLines } from "./count-lines.ts";
import { countSlices } from "./count-slices.ts";
import { countWords } from "./count-words.ts";
import type { FusedMap, FusedResult } from "./fused-map.ts";
import { filteredSteps } from "./line-filter.ts";
import { LineRange } from "./line-range.ts";
import { countMatching, writeMatching } from "./match-lines.ts";
import { requiredLiteral } from "./required-literal.ts";
import { sortLines } from "./sort-lines.ts";

const root = mkdtempSync(join(tmpdir(), "broomwagon-fused-"));
afterAll(() => rmSync(root, { recursive: true }));

type Pair = readonly [Key, unknown];

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("\n", " ", "a", "the", "\r\n", "\n\n", "\r", "\t", "") },
  fc.constantFrom(
    "é",
    "€uro",
    "😀",
    "\0",
    "\u00a0",
    "word-longer-than-sixteen-bytes",
    "x".repeat(300),
  ),
  fc.string({ unit: "grapheme", maxLength: 6 }),
);
/** Text files, some with a mark at their start. */
const file = fc
  .tuple(fc.boolean(), fc.array(piece, { maxLength: 60 }))
  .map(([isMarked, pieces]) => (isMarked ? "\ufeff" : "") + pieces.join(""));

/** As the formats define lines: without their ends and the mark; the last line needs no end. */
function linesOf(content: string): string[] {
  const lines = content.replace(/^\ufeff/, "").split("\n");
  if (lines.at(-1) === "") lines.pop();
  else if (lines.length > 0) lines[lines.length - 1] += "\n";
  return lines.map((line) => (line.endsWith("\n") ? line.slice(0, -1) : line.replace(/\r$/, "")));
}

/** The planned splits. */
function splitsOf(file: string, splitBytes = 1 << 25): readonly Split[] {
  const fileBytes = statSync(file).size;
  const splits: Split[] = [];
  for (let start = 0; start < Math.max(1, fileBytes); start += splitBytes) {
    const end = Math.min(fileBytes, start + splitBytes);
    const place = { index: splits.length, start, end };
    splits.push({ ...place, file, fileBytes, compression: "none" });
  }
  return splits;
}

/** The result of each split of the file. */
function overSplits<T>(
  content: string,
  splitBytes: number,
  use: (space: Workspace, range: LineRange, split: Split) => T,
): T[] {
  const path = join(root, "input.txt");
  writeFileSync(path, content);
  const splits = splitsOf(path, splitBytes);
  const space = new Workspace(8 << 20);
  return splits.map((split) => {
    space.clear();
    const range = new LineRange(split);
    try {
      return use(space, range, split);
    } finally {
      range.close();
    }
  });
}

const PARTITIONS = 3;

const taskOf = (split: Split): FusedMap => ({
  split,
  partitions: PARTITIONS,
  directory: root,
  to: join(root, "output"),
});

function recordsOf(result: FusedResult | undefined): readonly (readonly Pair[])[] {
  expect(result).toBeDefined();
  const reader = new RunReader(join(root, "output"));
  const partitions = reader.segments.map((_, partition) => {
    const cursor = reader.cursor(partition);
    const pairs: Pair[] = [];
    while (cursor.advance()) {
      const { bytes, keyStart, keyEnd, end } = cursor;
      const value = readValue({ bytes, at: keyEnd, end });
      pairs.push([decodeKey(bytes.slice(keyStart, keyEnd)), value]);
    }
    return pairs;
  });
  reader.close();
  return partitions;
}

const splitBytes = fc.integer({ min: 8, max: 90 });

const DISTINCT = { isDistinct: true, where: undefined };

/** The wanted lines, all or the matching ones: as kernels search them, and by definition. */
const wanting = fc
  .array(
    fc.oneof(
      fc.constantFrom<string | RegExp>("a", "the", "é", " ", "word-longer-than", "zz", "", "\r"),
      fc.constantFrom<string | RegExp>(
        /^the/,
        /a$/,
        /x{3}/,
        /€uro|é/,
        /a.*a/u,
        /-longer-(?!short)/,
      ),
      fc.constantFrom<string | RegExp>(/.{3}/, /o\b.*o/),
    ),
    { maxLength: 2 },
  )
  .map((patterns) => {
    const steps = patterns.map((pattern) => ({ kind: "matching", pattern }) as const);
    const wants = (line: string): boolean =>
      patterns.every((one) => (typeof one === "string" ? line.includes(one) : one.test(line)));
    return {
      where: filteredSteps(steps, requiredLiteral)?.where,
      wants,
      isKnown: filteredSteps(steps, requiredLiteral) !== undefined,
    };
  })
  .filter(({ isKnown }) => isKnown);

describe("whatever the file and its splits", () => {
  test("words are counted", () => {
    const property = fc.property(file, splitBytes, wanting, (content, size, { where, wants }) => {
      const counts = new Map<string, number>();
      let lines = 0;
      overSplits(content, size, (space, range, split) => {
        const result = countWords(taskOf(split), space, range, { isDistinct: false, where });
        lines += result?.inputRecords ?? 0;
        for (const [partition, pairs] of recordsOf(result).entries()) {
          expect(pairs).toEqual(pairs.toSorted(([left], [right]) => compareKeys(left, right)));
          for (const [word, count] of pairs) {
            expect(hashKey(word) % PARTITIONS).toBe(partition);
            counts.set(String(word), (counts.get(String(word)) ?? 0) + Number(count));
          }
        }
      });
      const expected = new Map<string, number>();
      const wanted = linesOf(content).filter(wants);
      for (const word of wanted.flatMap((line) => line.match(/[^\0-\x20]+/g) ?? [])) {
        expected.set(word, (expected.get(word) ?? 0) + 1);
      }
      expect(new Map([...counts].sort())).toEqual(new Map([...expected].sort()));
      expect(lines).toBe(linesOf(content).length);
    });
    fc.assert(property, { numRuns: 40 });
  });

  test("words are found, each once per split", () => {
    const property = fc.property(file, splitBytes, (content, size) => {
      const found = new Set<string>();
      overSplits(content, size, (space, range, split) => {
        const pairs = recordsOf(countWords(taskOf(split), space, range, DISTINCT)).flat();
        expect(new Set(pairs.map(([word]) => word)).size).toBe(pairs.length);
        for (const [word, value] of pairs) {
          expect(value).toBe(null);
          found.add(String(word));
        }
      });
      const expected = linesOf(content).flatMap((line) => line.match(/[^\0-\x20]+/g) ?? []);
      expect([...found].sort()).toEqual([...new Set(expected)].sort());
    });
    fc.assert(property, { numRuns: 20 });
  });

  test("lines are counted, or found, each once per split", () => {
    const ways = fc.tuple(fc.boolean(), wanting);
    const property = fc.property(file, splitBytes, ways, (content, size, [isDistinct, wanted]) => {
      const counts = new Map<string, number>();
      let lines = 0;
      overSplits(content, size, (space, range, split) => {
        const how = { isDistinct, where: wanted.where };
        const counted = countLines(taskOf(split), space, range, how);
        if (counted?.kind !== "counted") throw new Error("expected counts");
        lines += counted.result.inputRecords;
        for (const [partition, pairs] of recordsOf(counted.result).entries()) {
          expect(pairs).toEqual(pairs.toSorted(([left], [right]) => compareKeys(left, right)));
          for (const [line, value] of pairs) {
            expect(hashKey(line) % PARTITIONS).toBe(partition);
            expect(value === null).toBe(isDistinct);
            counts.set(String(line), (counts.get(String(line)) ?? 0) + Number(value));
          }
        }
      });
      const expected = new Map<string, number>();
      for (const line of linesOf(content).filter(wanted.wants)) {
        expected.set(line, (expected.get(line) ?? 0) + (isDistinct ? 0 : 1));
      }
      expect(new Map([...counts].sort())).toEqual(new Map([...expected].sort()));
      expect(lines).toBe(linesOf(content).length);
    });
    fc.assert(property, { numRuns: 40 });
  });

  test("slices of their bytes are counted, unless they cut a character", () => {
    // The text after each space, up to the next one.
    const mapBytes: MapBytes = (bytes, start, end, slice) => {
      for (let at = bytes.indexOf(0x20, start); at >= 0; at = bytes.indexOf(0x20, at + 1)) {
        const next = bytes.indexOf(0x20, at + 1);
        slice(at + 1, next < 0 ? end : next);
      }
    };
    const property = fc.property(file, splitBytes, wanting, (content, size, { where, wants }) => {
      const counts = new Map<string, number>();
      overSplits(content, size, (space, range, split) => {
        const result = countSlices(taskOf(split), space, range, { mapBytes, where });
        for (const pairs of recordsOf(result)) {
          for (const [slice, count] of pairs) {
            counts.set(String(slice), (counts.get(String(slice)) ?? 0) + Number(count));
          }
        }
      });
      const expected = new Map<string, number>();
      const wanted = linesOf(content).filter(wants);
      for (const slice of wanted.flatMap((line) => line.split(" ").slice(1))) {
        expected.set(slice, (expected.get(slice) ?? 0) + 1);
      }
      expect(new Map([...counts].sort())).toEqual(new Map([...expected].sort()));
    });
    fc.assert(property, { numRuns: 40 });
    const others: MapBytes[] = [
      (_bytes, start, _end, slice) => slice(start, start + 1),
      (_bytes, start, end, slice) => slice(end, start),
      () => {
        throw new Error("a mistake of the user's");
      },
    ];
    for (const other of others) {
      overSplits("é\n", 100, (space, range, split) => {
        const how = { mapBytes: other, where: undefined };
        expect(countSlices(taskOf(split), space, range, how)).toBeUndefined();
      });
    }
  });

  test("lines are sorted, by hash or by range", () => {
    const cuts = fc.option(
      fc.uniqueArray(fc.constantFrom("", "a", "the", "z"), { minLength: 2, maxLength: 2 }),
    );
    const property = fc.property(file, splitBytes, cuts, (content, size, keys) => {
      const splitters = keys?.sort(compareKeys);
      const partitionOf = (line: string): number =>
        splitters === undefined
          ? hashKey(line) % PARTITIONS
          : splitters.filter((splitter) => compareKeys(splitter, line) <= 0).length;
      const found: string[] = [];
      overSplits(content, size, (space, range, split) => {
        const query = {
          value: Buffer.from([0x81]),
          ...(splitters && { splittersFor: () => splitters.map((text) => Buffer.from(text)) }),
        };
        const partitions = recordsOf(sortLines(taskOf(split), space, range, query));
        expect(partitions.length).toBe(PARTITIONS);
        for (const [partition, pairs] of partitions.entries()) {
          expect(pairs).toEqual(pairs.toSorted(([left], [right]) => compareKeys(left, right)));
          for (const [line, value] of pairs) {
            expect([partitionOf(String(line)), value]).toEqual([partition, 1]);
            found.push(String(line));
          }
        }
      });
      expect(found.sort()).toEqual(linesOf(content).sort());
    });
    fc.assert(property, { numRuns: 40 });
  });

  test("lines that match are counted and written", () => {
    const property = fc.property(file, splitBytes, wanting, (content, size, { where, wants }) => {
      const counts = overSplits(content, size, (space, range) =>
        countMatching(space, range, where, () => {}),
      );
      let found = "";
      overSplits(content, size, (space, range) => {
        writeMatching(space, range, where, {
          writeLines: (bytes, start, end) => {
            found += Buffer.from(bytes.subarray(start, end)).toString();
          },
          write: (record) => {
            found += `${record}\n`;
          },
          moved: () => {},
        });
      });
      const lines = linesOf(content);
      const matching = lines.filter(wants);
      expect(counts.reduce((sum, one) => sum + (one?.matches ?? -1), 0)).toBe(matching.length);
      expect(counts.reduce((sum, one) => sum + (one?.records ?? -1), 0)).toBe(lines.length);
      expect(found).toBe(matching.map((line) => `${line}\n`).join(""));
    });
    fc.assert(property, { numRuns: 40 });
  });
});

describe("the ordinary path does what kernels do not accept", () => {
  const others = [Buffer.from([0x61, 0xff, 0x0a]), Buffer.alloc(9 << 20, "x")];
  const works = [
    (task: FusedMap, space: Workspace, range: LineRange) =>
      countWords(task, space, range, { ...DISTINCT, isDistinct: false }),
    (task: FusedMap, space: Workspace, range: LineRange) =>
      sortLines(task, space, range, { value: Buffer.from([0]) }),
  ];
  test("bytes that are not UTF-8, and a line that is too long", () => {
    for (const other of others) {
      const path = join(root, "other.txt");
      writeFileSync(path, other);
      const [split] = splitsOf(path);
      if (split === undefined) throw new Error("a split");
      for (const work of works) {
        const range = new LineRange(split);
        expect(work(taskOf(split), new Workspace(8 << 20), range)).toBeUndefined();
        range.close();
      }
    }
  });

  test("lines of any bytes are searched", () => {
    const path = join(root, "other.txt");
    writeFileSync(path, Buffer.from([0xff, 0x61, 0x0a, 0xc3, 0x0a, 0x61, 0xe9]));
    const [split] = splitsOf(path);
    if (split === undefined) throw new Error("a split");
    const range = new LineRange(split);
    const space = new Workspace(8 << 20);
    expect(countMatching(space, range, { literal: "a" }, () => {})).toEqual({
      records: 3,
      matches: 2,
    });
    range.rewind();
    // A byte that is not UTF-8 is a separate character, as wherever text is read.
    const whole = filteredSteps([{ kind: "matching", pattern: /^.?a.?$/ }], requiredLiteral)?.where;
    expect(countMatching(space, range, whole, () => {})).toEqual({ records: 3, matches: 2 });
    range.close();
  });
});

test("counting stops for lines that are mostly different", () => {
  const lines = Array.from({ length: 140_000 }, (_, i) => `${i % 120_000}`);
  overSplits(`${lines.join("\n")}\n`, 1 << 30, (space, range, split) => {
    expect(countLines(taskOf(split), space, range, DISTINCT)).toEqual({ kind: "too-different" });
    space.clear();
    range.rewind();
    const result = sortLines(taskOf(split), space, range, { value: Buffer.from([0x81]) });
    expect(result?.inputRecords).toBe(lines.length);
  });
});

test("more lines than memory holds are spilled and merged", () => {
  const lines = Array.from(
    { length: 150_000 },
    (_, i) => `${(i * 7919) % 100_003} ${"y".repeat(i % 90)}`,
  );
  overSplits(`${lines.join("\n")}\n`, 1 << 30, (space, range, split) => {
    const result = sortLines(taskOf(split), space, range, { value: Buffer.from([0x81]) });
    expect(result?.spills).toBeGreaterThan(0);
    const found = recordsOf(result).flatMap((pairs) => pairs.map(([line]) => String(line)));
    expect(found.sort()).toEqual(lines.sort());
  });
});
