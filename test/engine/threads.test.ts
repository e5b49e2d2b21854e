import { readFileSync } from "node:fs";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 1, bytes: 20_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

/** Each line of the output has the thread of the reduce, and the thread of its map. */
const WHERE_IT_RAN = `
import { threadId } from "node:worker_threads";
import { defineJob } from "broomwagon/job";

export default defineJob({
  *map(line: string) {
    for (const word of line.split(" ")) yield [word, threadId] as const;
  },
  *reduce(_: string, threads: Iterable<number>) {
    yield [threadId, [...new Set(threads)].join()] as const;
  },
});
`;

/**
 * Memory that the first attempt keeps stays with its thread; each record takes until the next look.
 */
const KEEPS = `
import { defineJob } from "broomwagon/job";

const kept: unknown[] = [];
export default defineJob({
  *map(_: string, ctx) {
    if (ctx.attempt === 0) {
      kept.push(new Array(125_000).fill(0));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
    yield ["kept", kept.length] as const;
  },
  *reduce(key: string, counts: Iterable<number>) {
    yield [key, Math.max(...counts)] as const;
  },
});
`;

describe("the threads of a node", () => {
  test("serve both maps and reduces: the last used thread is used again", async () => {
    const settings = { nodes: 1, splitBytes: 1e6, reduces: 2 };
    const { result } = await workshop.run(workshop.job("where", WHERE_IT_RAN), settings);
    expect(result.parts).toHaveLength(2);
    const lines = result.parts.flatMap(({ path }) => readFileSync(path, "utf8").trim().split("\n"));
    const [only = "", ...others] = new Set(lines);
    expect(others).toEqual([]);
    const [ofReduce, ofMap] = only.split("\t");
    expect(ofReduce).toBe(ofMap);
  });

  test("are not taken from the next map by a reduce that awaits the map's output", async () => {
    const settings = { nodes: 1, splitBytes: 4_000, reduces: 1 };
    const { result } = await workshop.run(workshop.job("where", WHERE_IT_RAN), settings);
    expect(result.phases[0]?.tasks).toBeGreaterThan(2);
    const text = result.parts.map(({ path }) => readFileSync(path, "utf8")).join("");
    const ofMaps = text
      .trim()
      .split("\n")
      .map((line) => line.split("\t")[1]);
    expect(new Set(ofMaps.flatMap((threads) => threads?.split(","))).size).toBe(1);
  });

  test("are replaced when the code's state has filled their heap", async () => {
    const settings = { nodes: 1, splitBytes: 1e6, reduces: 1, memoryBytes: 64e6 };
    const { result } = await workshop.run(workshop.job("keeping", KEEPS), settings);
    const failed = result.attempts.flatMap(({ attempt, end }) =>
      end.kind === "failed" ? [[attempt, end.message] as const] : [],
    );
    const says = /text-0\.txt:\d+: the code's values took more than \d+ MB of heap/;
    expect(failed).toEqual([["keeping/map/0#0", expect.stringMatching(says)]]);
    const text = result.parts.map(({ path }) => readFileSync(path, "utf8")).join("");
    expect(text).toBe("kept\t0\n");
  });
});
