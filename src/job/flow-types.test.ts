import { describe, expect, expectTypeOf, test } from "vitest";
import { defineFlow } from "./flow.ts";
import { count, max, mean, min, sum } from "./fold.ts";
import { csv, ndjson, text } from "./input.ts";
import { defineJob, type Job } from "./job.ts";
import { lines, matching, words } from "./operator.ts";
import { tsv } from "./output.ts";
import { collect, topK } from "./top-k.ts";

interface Hit {
  readonly user: string;
  readonly page: string;
  readonly bytes: number;
  readonly tags: { readonly a: number };
}
const asHit = (value: unknown): Hit => ({
  user: String(value),
  page: "",
  bytes: 1,
  tags: { a: 1 },
});
const hits = () => ndjson(undefined, asHit);
const people = csv("people.csv", { columns: ["name", "town"] });

describe("types flow from inputs to outputs", () => {
  test("keys and values have the types of the columns or functions", () => {
    defineFlow("types", (f) => {
      const read = f.read("hits", hits());
      read.keyBy("user").mapValues((hit, user) => {
        expectTypeOf(hit).toEqualTypeOf<Hit>();
        expectTypeOf(user).toEqualTypeOf<string>();
      });
      read.groupBy("user", "bytes").mapValues((bytes) => {
        expectTypeOf(bytes).toEqualTypeOf<number>();
      });
      read
        .keyBy(
          (hit) => [hit.user, hit.bytes],
          (hit) => hit.page,
        )
        .reduce("grouped", (key, pages) => {
          expectTypeOf(key).toEqualTypeOf<readonly [string, number]>();
          expectTypeOf(pages).toEqualTypeOf<Iterable<string>>();
          return [key[0]];
        })
        .map((user) => expectTypeOf(user).toEqualTypeOf<string>())
        .write(tsv());
      read
        .keyBy("user", "bytes")
        .fold("mean", mean())
        .mapValues((bytes, user) => {
          expectTypeOf(user).toEqualTypeOf<string>();
          expectTypeOf(bytes).toEqualTypeOf<number>();
        });
      read
        .map(({ bytes, page }) => [bytes, page] as const)
        .total("top", topK(3))
        .map((top) => expectTypeOf(top).toEqualTypeOf<readonly (readonly [number, string])[]>());
      read
        .keyBy("user", "page")
        .fold("last", max())
        .mapValues((page) => expectTypeOf(page).toEqualTypeOf<string>());
      read
        .keyBy("user", "bytes")
        .fold("least", min())
        .mapValues((bytes) => expectTypeOf(bytes).toEqualTypeOf<number>());
      read
        .keyBy("user", "page")
        .fold("pages", collect())
        .mapValues((pages) => expectTypeOf(pages).toEqualTypeOf<readonly string[]>());
      read
        .sortBy("sorted", ({ user, bytes }) => [user, bytes], {
          order: ["ascending", "descending"],
        })
        .map((hit) => expectTypeOf(hit).toEqualTypeOf<Hit>());
      // @ts-expect-error: no such order.
      expect(() => read.sortBy("upwards", "user", { order: "up" })).toThrow("expected");
    });
  });

  test("a join's values follow from how the sides meet", () => {
    defineFlow("joins", (f) => {
      const left = f.read("hits", hits()).keyBy("user", "bytes");
      const right = f.read("people", people).keyBy("name", "town");
      left.join("inner", right).mapValues((value) => {
        expectTypeOf(value).toEqualTypeOf<readonly [number, string]>();
      });
      left.join("left", right, { how: "left", by: "broadcast" }).mapValues((value) => {
        expectTypeOf(value).toEqualTypeOf<readonly [number, string | undefined]>();
      });
      left.join("anti", right, { how: "anti" }).mapValues((value) => {
        expectTypeOf(value).toEqualTypeOf<number>();
      });
      // @ts-expect-error: the keys are strings on one side and numbers on the other.
      left.join("other", f.read("more", hits()).keyBy("bytes"));
      left.write(tsv());
    });
  });

  test("a loop's body makes the same kind of records", () => {
    defineFlow("loops", (f) => {
      const start = f.read("hits", hits()).keyBy("user", "bytes");
      const end = f.loop("round", start, { most: 2 }, (state) => state.mapValues((n) => n + 1));
      end.mapValues((n) => expectTypeOf(n).toEqualTypeOf<number>());
      // @ts-expect-error: numbers became texts.
      f.loop("other", start, { most: 2 }, (state) => state.mapValues((n) => `${n}`));
      end.write(tsv());
    });
  });

  test("only declared counters, parameters and columns compile", () => {
    const spec = { name: "declared", counters: ["odd"], params: { limit: 10 } } as const;
    defineFlow(spec, (f) => {
      f.read("people", people)
        .filter((person, ctx) => {
          ctx.count("odd");
          // @ts-expect-error: not a declared counter.
          if (person.name === "?") ctx.count("even");
          expectTypeOf(ctx.params.limit).toEqualTypeOf<10>();
          // @ts-expect-error: not a declared column.
          return person.age === 3;
        })
        .write(tsv());
      // @ts-expect-error: not a column.
      f.read("again", people).keyBy("age");
      // @ts-expect-error: not a key.
      f.read("hits", hits()).keyBy("tags");
    });
  });

  test("mismatched parts do not compile", () => {
    defineFlow("misuse", (f) => {
      const read = f.read("people", people);
      // @ts-expect-error: objects have no words.
      read.words();
      // @ts-expect-error: texts have no sum.
      read.keyBy("name", "town").fold("sum", sum());
      // @ts-expect-error: an object is no key.
      read.distinct("different");
      // @ts-expect-error: an object is no key.
      read.sortBy("sorted");
      // @ts-expect-error: records without a key have no fold by key.
      expect(() => read.fold("count", count())).toThrow("not a function");
      // @ts-expect-error: other records.
      read.union(f.read("lines", text()));
      read.sortBy("by-town", "town").write(tsv());
    });
  });

  test("operators go one after the other if their records do", () => {
    const errors = matching("ERROR").pipe(words());
    defineFlow("operators", (f) => {
      const found = f.read("lines", text()).via(errors);
      found.map((word) => expectTypeOf(word).toEqualTypeOf<string>());
      // @ts-expect-error: objects are no texts.
      f.read("people", people).via(lines());
      found.write(text());
    });
  });
});

describe("a wrong job file does not compile", () => {
  test("whose folds, keys, counters or fields are others", () => {
    const wrong = (): void => {
      // @ts-expect-error: texts have no sum.
      defineJob({ map: (line) => [[line, line] as const], reduce: sum() });
      // @ts-expect-error: an object is no key.
      defineJob({ map: (line) => [[{ line }, 1] as const], reduce: count() });
      // @ts-expect-error: not pairs.
      defineJob({ map: (line) => [line], reduce: count() });
      // @ts-expect-error: no such field.
      defineJob({ map: lines(), reducer: count() });
      // @ts-expect-error: an operator's keys are texts.
      defineJob({ map: words(), reduce: sum(), partition: (word: number) => word });
      defineJob({
        counters: ["odd"],
        *map(line, ctx) {
          // @ts-expect-error: not a declared counter.
          ctx.count("even");
          yield [line, 1] as const;
        },
        reduce: sum(),
      });
      defineJob({
        input: people,
        // @ts-expect-error: not a column.
        map: (person) => [[person.age, 1] as const],
        reduce: sum(),
      });
      defineJob({
        map: (line) => [[line, line.length] as const],
        // @ts-expect-error: the values are numbers.
        reduce: (word, values) => [[word, [...values].map((value) => value.trim())]],
      });
      // @ts-expect-error: objects have no words.
      defineJob({ input: people, map: words(), reduce: count() });
    };
    expect(wrong).toBeTypeOf("function");
  });

  test("a correct job file needs no annotation", () => {
    defineJob({
      input: people,
      *map(person) {
        expectTypeOf(person.town).toEqualTypeOf<string>();
        yield [person.town, person.name.length] as const;
      },
      reduce(town, sizes) {
        expectTypeOf(town).toEqualTypeOf<string>();
        expectTypeOf(sizes).toEqualTypeOf<Iterable<number>>();
        return [`${town} ${[...sizes].length}`];
      },
    });
    const counts = defineJob({ map: words(), reduce: count() });
    expectTypeOf(counts).toEqualTypeOf<Job<string, number>>();
  });
});
