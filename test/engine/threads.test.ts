import { readFileSync } from "node:fs";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { Workshop } from "./support/workshop.ts";

const workshop = new Workshop({ files: 1, bytes: 20_000 });
afterEach(() => workshop.clear());
afterAll(() => workshop.remove());

/** Each line of the output: the thread of a reduce, and that of the map from which it came. */
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

describe("the threads of a node", () => {
  test("serve maps and reduces alike: the one that was used last is used again", async () => {
    const settings = { nodes: 1, splitBytes: 1e6, reduces: 2 };
    const { result } = await workshop.run(workshop.job("where", WHERE_IT_RAN), settings);
    expect(result.parts).toHaveLength(2);
    const lines = result.parts.flatMap(({ path }) => readFileSync(path, "utf8").trim().split("\n"));
    const [only = "", ...others] = new Set(lines);
    expect(others).toEqual([]);
    const [ofReduce, ofMap] = only.split("\t");
    expect(ofReduce).toBe(ofMap);
  });
});
