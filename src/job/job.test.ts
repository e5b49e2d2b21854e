import { describe, expect, expectTypeOf, test } from "vitest";
import { InputError } from "../base/input-error.ts";
import {
  count,
  csv,
  defineJob,
  fixed,
  isJob,
  type Job,
  matching,
  min,
  ndjson,
  parquet,
  runInline,
  sum,
  text,
  tsv,
  words,
} from "./index.ts";

describe("types flow from input to map to reduce", () => {
  test("a generator's pairs give the reduce its key and values", () => {
    const job = defineJob({
      *map(line) {
        expectTypeOf(line).toEqualTypeOf<string>();
        yield [line, line.length];
      },
      *reduce(key, values) {
        expectTypeOf(key).toEqualTypeOf<string>();
        expectTypeOf(values).toEqualTypeOf<Iterable<number>>();
        yield { key, most: Math.max(...values) };
      },
    });
    expectTypeOf(job).toExtend<Job<string, { key: string; most: number }>>();
    expectTypeOf(job).toExtend<Job>();
    expect(isJob(job)).toBe(true);
  });

  test("a composite key keeps its elements' types", () => {
    defineJob({
      input: ndjson("hits/*.jsonl", (value) => ({ user: String(value), at: 1 })),
      *map(hit) {
        yield [[hit.user, hit.at] as const, 1n];
      },
      partition([user, at], reduces) {
        expectTypeOf(user).toEqualTypeOf<string>();
        return (user.length + at) % reduces;
      },
      *reduce([user, at], values) {
        expectTypeOf(at).toEqualTypeOf<number>();
        expectTypeOf(values).toEqualTypeOf<Iterable<bigint>>();
        yield user;
      },
    });
  });

  test("a returned array is as good as a generator", () => {
    defineJob({
      input: csv("people.csv", { columns: ["name", "town"] }),
      map: (person) => {
        expectTypeOf(person).toEqualTypeOf<Readonly<Record<"name" | "town", string>>>();
        return [[person.town, person.name]];
      },
      reduce: (town, names) => {
        expectTypeOf(town).toEqualTypeOf<string>();
        expectTypeOf(names).toEqualTypeOf<Iterable<string>>();
        return [[town, [...names].length]];
      },
    });
  });

  test("only declared counters, parameters and columns compile", () => {
    defineJob({
      input: csv("people.csv", { columns: ["name"] }),
      output: tsv("out"),
      counters: ["empty", "odd"],
      params: { pattern: "a", limit: 10 },
      *map(person, ctx) {
        ctx.count("empty");
        // @ts-expect-error: not a declared counter.
        ctx.count("emtpy");
        expectTypeOf(ctx.params.limit).toEqualTypeOf<number>();
        // @ts-expect-error: not a declared parameter.
        ctx.params.patern;
        // @ts-expect-error: not a declared column.
        person.town;
        yield [person.name, 1];
      },
      reduce: sum(),
    });
    defineJob({
      map(line, ctx) {
        // @ts-expect-error: no counter is declared.
        ctx.count("empty");
        ctx.emit(line, 1);
      },
      reduce: count(),
    });
  });

  test("a fold takes only the values that map yields", () => {
    defineJob({
      *map(line) {
        yield [line, line];
      },
      // @ts-expect-error: strings have no sum.
      reduce: sum(),
    });
    defineJob({
      *map(line) {
        yield [line.length, line];
      },
      reduce: min<string>(),
    });
  });

  test("a key is a string, number, bigint, boolean, null or a tuple of them", () => {
    defineJob({
      // @ts-expect-error: an object is no key.
      *map(line) {
        yield [{ line }, 1];
      },
    });
  });

  test("fixed records and Parquet are no outputs", () => {
    // @ts-expect-error: there is no way to write it.
    expect(() => defineJob({ output: fixed(8), map: () => [] })).toThrow("found fixed(...)");
    // @ts-expect-error: there is no way to write it.
    expect(() => defineJob({ output: parquet(), map: () => [] })).toThrow("found parquet(...)");
  });

  test("columns of numbers are numbers, and an encoding says what a line is", () => {
    const input = csv("visits", { columns: { page: "text", bytes: "number" } });
    defineJob({ input, map: ({ page, bytes }) => [[page, bytes]], reduce: sum() });
    // @ts-expect-error: a page is a text.
    defineJob({ input, map: ({ page }) => [["all", page]], reduce: sum() });
    defineJob({ input: text({ encoding: "bytes" }), map: (line) => [[line.length, line]] });
    defineJob({ input: fixed(8, "a", { encoding: "latin1" }), map: (key) => [[key, 1]] });
    // @ts-expect-error: bytes are no key.
    defineJob({ input: fixed(8), map: (bytes) => [[bytes, 1]] });
  });
});

describe("an operator instead of a map", () => {
  test("gives keys, each with a 1, or the output", () => {
    const input = ["b a", "a"];
    const counts = runInline(defineJob({ map: words(), reduce: count() }), { input });
    expect(counts.output).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
    const sums = defineJob({ map: matching("b").pipe(words()), reduce: sum() });
    expect(runInline(sums, { input }).output).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
    expect(runInline(defineJob({ map: matching(/^a/g) }), { input }).output).toEqual(["a"]);
  });

  test("accepts only the input's records", () => {
    const people = csv("people.csv", { columns: ["name"] });
    // @ts-expect-error: an object has no words.
    defineJob({ input: people, map: words(), reduce: count() });
    // @ts-expect-error: a fold of numbers does not take texts.
    expect(() => defineJob({ map: words(), reduce: "sum" })).toThrow("reduce: expected a function");
  });
});

describe("defineJob", () => {
  const map = (): [string, number][] => [];

  test("fills in the defaults", () => {
    const job = defineJob({ map });
    expect(job.input.format).toEqual({ kind: "text", encoding: "utf8" });
    expect(job.output.format).toEqual({ kind: "text", encoding: "utf8", marks: "refused" });
    expect(job.reducer).toEqual({ kind: "none" });
    expect(job).toMatchObject({ counters: [], params: {}, speculate: { map: true, reduce: true } });
  });

  test("a fold is its own combiner unless combine is false", () => {
    expect(defineJob({ map, reduce: sum() }).reducer).toMatchObject({
      kind: "fold",
      combines: true,
    });
    expect(defineJob({ map, reduce: sum(), combine: false }).reducer).toMatchObject({
      combines: false,
    });
  });

  test("text and ndjson are inputs and outputs", () => {
    const job = defineJob({ input: text("a"), output: ndjson("b"), map });
    expect(job.output).toMatchObject({ path: "b", format: { kind: "ndjson" } });
  });

  test("an impossible job is refused with its field", () => {
    const reduce = sum();
    const combine = (_key: string, values: Iterable<number>): Iterable<number> => values;
    expect(() => defineJob({ map, reduces: 0 })).toThrow(
      "defineJob: reduces: expected a whole number",
    );
    expect(() => defineJob({ map, name: "a b" })).toThrow("defineJob: name");
    expect(() => defineJob({ map, combine })).toThrow("expected a reduce beside it");
    expect(() => defineJob({ map, reduce, combine })).toThrow("expected none beside a fold");
    expect(() => Reflect.apply(defineJob, undefined, [{ map, combiner: combine }])).toThrow(
      "defineJob: combiner: expected one of: name, input",
    );
    expect(() => Reflect.apply(defineJob, undefined, [{ map, reduce: {} }])).toThrow(
      "defineJob: reduce: expected a function, or a fold",
    );
    expect(() => csv("a", { header: false })).toThrow("expected columns");
    const unchecked = (make: Parameters<typeof Reflect.apply>[0], ...how: readonly unknown[]) =>
      expect(() => Reflect.apply(make, undefined, how));
    unchecked(text, "a", { encoding: "utf-8" }).toThrow(
      'text: encoding: expected "utf8" or "latin1" or "bytes", found "utf-8"',
    );
    unchecked(fixed, 8, "a", { encoding: "ascii" }).toThrow("fixed: encoding: expected");
    unchecked(tsv, "a", { compress: "zstd" }).toThrow('compress: expected "gzip", found "zstd"');
  });

  test.each([
    [
      { input: "x.txt" },
      'input: expected text(...), ndjson(...), csv(...), fixed(...) or parquet(...), found "x.txt"',
    ],
    [
      { input: text },
      "input: expected text(...), ndjson(...), csv(...), fixed(...) or parquet(...), found a",
    ],
    [
      { input: tsv("x.txt") },
      "input: expected text(...), ndjson(...), csv(...), fixed(...) or parquet(...)",
    ],
    [{ output: 5 }, "output: expected tsv(...), text(...), csv(...) or ndjson(...), found 5"],
    [
      { output: fixed(8) },
      "output: expected tsv(...), text(...), csv(...) or ndjson(...), found fixed",
    ],
    [{ output: null }, "output: expected tsv(...), text(...), csv(...) or ndjson(...), found null"],
    [{ output: Reflect.apply(tsv, undefined, [5]) }, "output: expected tsv(...)"],
    [{ counters: "empty" }, 'counters: expected an array of names, found "empty"'],
    [{ counters: [1] }, "counters: expected an array of names, found an array"],
    [{ params: { limit: null } }, "params: expected an object of texts, numbers, true and false"],
    [{ params: [] }, "params: expected an object"],
    [{ partition: 3 }, "partition: expected a function, found 3"],
    [{ reduce: 7n }, "reduce: expected a function, or a fold of init, add, merge and done"],
    [
      { speculate: "no" },
      'speculate: expected true, false, or { map, reduce } of these, found "no"',
    ],
    [
      { speculate: { reduces: false } },
      "speculate: expected true, false, or { map, reduce } of these, found an object",
    ],
    [{ name: 5 }, "name: expected letters"],
    [{ map: undefined }, "map: expected a function"],
  ])("%o is refused with its field and what was expected", (fields, message) => {
    const define = () => Reflect.apply(defineJob, undefined, [{ map, ...fields }]);
    expect(define).toThrow(InputError);
    expect(define).toThrow(`defineJob: ${message}`);
  });

  test("a value that is not an object is refused", () => {
    const define = () => Reflect.apply(defineJob, undefined, []);
    expect(define).toThrow("defineJob: expected an object, found undefined");
  });

  test("a fold may have its functions by inheritance", () => {
    const fold = Object.create(sum());
    expect(defineJob({ map, reduce: fold }).reducer).toMatchObject({ kind: "fold" });
  });

  test("only a result of defineJob is a job", () => {
    expect(isJob({ map, reduce: sum() })).toBe(false);
    expect(isJob(undefined)).toBe(false);
  });
});
