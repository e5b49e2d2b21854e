import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { troubled } from "./support/jobs.ts";
import { only, Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 3, bytes: 300_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

/** What a map returns, and the message about it. */
const MAPPED: readonly (readonly [returns: string, says: string])[] = [
  ["line", "map: expected a generator, an array or nothing, found String"],
  ["7", "map: expected a generator, an array or nothing, found Number"],
  ["null", "map: expected a generator, an array or nothing, found Null"],
  ["Promise.resolve([[line, 1]])", "map: expected a generator, an array or nothing, found Promise"],
  ["[line, 1]", "map: expected pairs \\[key, value\\], found string"],
  ["[[line]]", "map: expected pairs \\[key, value\\], found an array of 1"],
  ["[[line, 1, 2]]", "map: expected pairs \\[key, value\\], found an array of 3"],
  ["[undefined]", "map: expected pairs \\[key, value\\], found undefined"],
  ["[Promise.resolve([line, 1])]", "map: expected pairs \\[key, value\\], found object"],
  ["[[undefined, 1]]", "key: expected a string, number, .*, found Undefined"],
  ["[[{ a: 1 }, 1]]", "key: expected a string, number, .*, found Object"],
  ["[[line, Promise.resolve(1)]]", "value: expected text, numbers, .*, found Promise"],
  ["[[line, () => 1]]", "value: expected text, numbers, .*, found Function"],
  ["[[line, loop]]", "value: expected text, numbers, .*, found one nested 1000 deep"],
];

/** The same for a reduce. */
const REDUCED: readonly (readonly [returns: string, says: string])[] = [
  ["word", "reduce: expected a generator, an array or nothing, found String"],
  ["Promise.resolve([])", "reduce: expected a generator, an array or nothing, found Promise"],
  ["[[word, new Map()]]", "output: expected text, numbers, .*, found Map"],
];

/** A retry cannot help with these results: the first failure ends the job. */
const shaped = (returns: { readonly map?: string; readonly reduce?: string }): string =>
  `import { defineJob } from "broomwagon/job";

const loop: { self?: unknown } = {};
loop.self = loop;

export default defineJob({
  name: "shapes",
  map(line: string) {
    ${returns.map === undefined ? "" : `return ${returns.map} as never;`}
    return line.split(" ").map((word) => [word, 1] as const);
  },
  combine: false,
  reduce(word, counts) {
    ${returns.reduce === undefined ? "" : `return ${returns.reduce} as never;`}
    return [[word, [...counts].length]];
  },
});
`;

describe("a return value of the wrong shape", () => {
  test.each(MAPPED)("by a map, %s: fails the job at once, by its record", async (map, says) => {
    const job = workshop.job("shapes", shaped({ map }));
    const place = `${workshop.input}/text-\\d\\.txt:1`;
    const text = new RegExp(`shapes/map/\\d failed on n1: ${place}: ${says}`);
    await expect(workshop.run(job, { nodes: 1 })).rejects.toThrow(text);
  });

  test.each(REDUCED)("by a reduce, %s: fails the job at once, by its key", async (reduce, says) => {
    const job = workshop.job("shapes", shaped({ reduce }));
    const text = new RegExp(`shapes/reduce/\\d failed on n1: key "[a-z0-9]+": ${says}`);
    await expect(workshop.run(job, { nodes: 1 })).rejects.toThrow(text);
  });
});

describe("a map that eats memory until there is no more", () => {
  test.each([
    {
      what: "objects",
      held: "{ held: held.length, more: [1, 2, 3] }",
      says: /^the code's values took more than \d+ MB of heap, .* --memory .*: give it more, let /,
    },
    {
      // Buffers are outside every heap, and no heap limit applies.
      what: "buffers",
      held: "Buffer.alloc(1_000_000, 1)",
      says: /^the process of its node came to hold \d+ MB, where --memory lets .* 256 MB: what /,
    },
  ])("by $what fails, by what --memory leaves it; the node lives", async ({ what, held, says }) => {
    const first = `for (;;) held.push(${held});`;
    const text = troubled({ task: 1, attempts: 1, first });
    const job = workshop.job(`hungry-${what}`, `const held: unknown[] = [];\n${text}`);
    const { result, events } = await workshop.run(job, { nodes: 1, memoryBytes: 256e6 });
    await workshop.checkOutput(job);
    const failed = result.attempts.filter(({ end }) => end.kind === "failed");
    expect(failed.map(({ attempt }) => attempt)).toContain("word-count/map/1#0");
    for (const { end } of failed) {
      expect(end).toMatchObject({ message: expect.stringMatching(says) });
    }
    expect(only(events, "node-crashed")).toEqual([]);
  });
});

describe("the result of a map for one record", () => {
  const LINE = "the one line of its kind";
  const workshop = new Workshop({ files: 0, bytes: 0 });
  writeFileSync(join(workshop.input, "text.txt"), `a\n${LINE}\nb\n`);
  afterEach(() => workshop.clear());
  afterAll(() => workshop.remove());

  /** The map's result for this line. */
  const making = (name: string, what: string): string =>
    workshop.job(
      name,
      `import { defineJob } from "broomwagon/job";

export default defineJob({
  *map(line: string) {
    if (line === "${LINE}") ${what}
    for (const word of line.split(" ")) yield [word, word] as const;
  },
  *reduce(word, values) {
    let length = 0;
    for (const value of values) length += value.length;
    yield [word, length] as const;
  },
});
`,
    );

  const large = (name: string, mb: number): string =>
    making(name, `yield ["large", "x".repeat(${mb}e6)] as const;`);

  test("may be 100 MB where there is memory", async () => {
    const job = large("comes-through", 100);
    await workshop.run(job, { nodes: 1, memoryBytes: 3e9 });
    await workshop.checkOutput(job);
  });

  // Memory may be too small to pass the result on, to make it, or even to report that.
  test.each([5, 20, 100])("of %d MB is refused where memory is small", async (mb) => {
    const run = workshop.run(large(`refused-${mb}`, mb), {
      nodes: 4,
      memoryBytes: 64e6,
      attemptsMax: 1,
    });
    await expect(run).rejects.toThrow(
      /text\.txt:2: record: expected .* that fit the task's memory|--memory leaves a slot/,
    );
    expect(existsSync(workshop.output)).toBe(false);
  });

  test("may be a million keys, all kept, also where memory is small", async () => {
    const job = making("keys", "for (let i = 0; i < 1e6; i++) yield [String(i), 'x'] as const;");
    const { result } = await workshop.run(job, { nodes: 1, memoryBytes: 64e6 });
    expect(result.phases[0]?.spills).toBeGreaterThan(1);
    await workshop.checkOutput(job);
  });
});
