import { lookup } from "node:dns";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SmallWebHdfs } from "../../../../test/support/small-web-hdfs.ts";
import { readResults } from "./job-results.ts";
import { WebClient } from "./web-client.ts";
import { WebHdfs } from "./web-hdfs.ts";

let small: SmallWebHdfs;
let hdfs: WebHdfs;

beforeAll(async () => {
  small = new SmallWebHdfs();
  const client = new WebClient(lookup, "ann");
  hdfs = new WebHdfs({ client, services: [await small.start()] });
});
afterAll(() => small.close());

const RESULT = { kind: "part", part: { name: "part-00000" } };

test("results come in the order of their tasks, without tasks that only pass on", async () => {
  const lines = [{ source: 2, phase: 0, result: RESULT }, { source: 1 }];
  small.put("/whole/results/r-0", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  small.put("/whole/results/r-1", JSON.stringify({ source: 0, phase: 0, result: RESULT }));
  const done = await readResults({ hdfs }, "/whole");
  expect(done.map(({ source }) => source)).toEqual([0, 2]);
});

test.each([
  ['{"source":2,"pha', "expected JSON: "],
  ["[]", "expected the result of a task"],
  ['{"phase":0,"result":{}}', "expected the result of a task"],
  ['{"source":2,"result":{}}', "expected the result of a task"],
  ['{"source":2,"phase":0,"result":7}', "expected the result of a task"],
])("a damaged line is refused with its place: %s", async (line, says) => {
  small.put("/cut/results/r-0", `{"source":1}\n${line}\n`);
  await expect(readResults({ hdfs }, "/cut")).rejects.toThrow(`hdfs /cut/results/r-0:2: ${says}`);
});
