import { lookup } from "node:dns";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SmallWebHdfs } from "../../../../test/support/small-web-hdfs.ts";
import { type AttemptFailed, attemptFailed, failureOf, withWholeLines } from "./attempt-failure.ts";
import { WebClient } from "./web-client.ts";
import { WebHdfs } from "./web-hdfs.ts";

const root = { fileSystem: "hdfs://m1:8020", home: "/user/ann" };
const A = "hdfs://m1:8020/in/a.txt";
const ALL = Number.POSITIVE_INFINITY;
const GONE = "hdfs://m1:8020/in/gone.txt";
let small: SmallWebHdfs;
let hdfs: WebHdfs;

beforeAll(async () => {
  small = new SmallWebHdfs();
  small.put("/in/a.txt", "a\nb\nc\nd\ne\n");
  const client = new WebClient(lookup, "ann");
  hdfs = new WebHdfs({ client, services: [await small.start()] });
});
afterAll(() => small.close());

/** The failure in a container that had the file from its fourth line on. */
function failed(path: string, message: string): AttemptFailed {
  const copy = { path, fileBytes: 10, head: 0, from: 6, to: 10, toLineEnd: true };
  return { cause: "error", message, isReported: true, copy };
}

test.each([
  [A, `no: ${A}:2: d`, ALL, `no: ${A}:5: d`],
  [A, `no: ${A}:2: d`, 5, `no: ${A}:2: d (lines counted from byte 6)`],
  [GONE, `no: ${GONE}:2: d`, ALL, `no: ${GONE}:2: d (lines counted from byte 6)`],
  [A, "no", 5, "no"],
])("lines of %s in %j", async (path, message, bytesMax, shown) => {
  const failure = await withWholeLines({ hdfs, root }, failed(path, message), bytesMax);
  expect(attemptFailed(failure).message).toBe(shown);
});

test.each([
  ['broomwagon-error {"cause":"error","message":"no"}\n', "no", true],
  ['broomwagon-error {"cause":"err', "x.Z: no such program", false],
  ['broomwagon-error {"cause":"error"}\n', "x.Z: no such program", false],
  ["broomwagon-error 7\n", "x.Z: no such program", false],
  ["nothing of the runner's\n", "x.Z: no such program", false],
])("the reason in %j", async (text, message, isReported) => {
  const contents = Buffer.from(text);
  const rest = { log: async () => ({ fileBytes: contents.length, contents }) };
  const times = { progress: 0, startedAt: 1, endedAt: 2 };
  const row = { ...times, attempt: "m_000000_0", state: "FAILED", host: "n1", hostWeb: "n1:8042" };
  const failed = {
    ...row,
    container: "c",
    diagnostics: "\nError: x.Y\nCaused by: x.Z: no such program",
  };
  expect(await failureOf(rest, failed)).toMatchObject({ message, isReported });
});
