import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import type { Trace } from "../../history/model.ts";
import { openTrace } from "./open-trace.ts";

/** What a history server of Spark 4.1 answered (fixtures/README.md), and files. */
const ANSWERS: ReadonlyMap<string, Uint8Array | string> = new Map<string, Uint8Array | string>([
  [
    "/proxy/api/v1/applications/app-20261123231751-0001",
    readFileSync("fixtures/servers/spark/application.json"),
  ],
  [
    "/proxy/api/v1/applications/app-20261123231751-0001/logs",
    readFileSync("fixtures/servers/spark/rolling.zip"),
  ],
  ["/api/v1/applications/app-2/logs", "no archive"],
  ["/api/v1/applications/app-2", "{}"],
  ["/ws/v1/history/mapreduce/jobs/job_1_0002", "{}"],
  ["/logs/app.zst", readFileSync("fixtures/pairs/spark/off.ndjson.zst")],
]);

const server = createServer((request, response) => {
  const answer = ANSWERS.get(request.url ?? "");
  if (request.url === "/breaks-off") {
    response.writeHead(200, { "content-length": 1_000 });
    response.write("Avro-Json\n");
    setTimeout(() => response.destroy(), 50);
    return;
  }
  if (answer === undefined) response.writeHead(404).end("unknown app: app-1");
  else response.end(answer);
});
let base = "";
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const seen = ({ jobs }: Trace) =>
  jobs.map(({ id, endedAt, phases }) => ({ id, endedAt, phases: phases.map((p) => p.attempts) }));

const temporary = temporaryDirectory();

test("the page of an application stands for its rolling log, in any order", async () => {
  const file = await openTrace("fixtures/pairs/spark/off.ndjson.zst");
  let stored = 0;
  const url = `${base}/proxy/history/app-20261123231751-0001/jobs/`;
  const found = await openTrace(url, {
    onStored: (bytes) => {
      stored += bytes;
    },
  });
  expect(seen(found)).toEqual(seen(file));
  expect(stored).toBeGreaterThan(60_000);
  expect(readdirSync(temporary)).toEqual([]);
});

test("any other URL names a file", async () => {
  const file = await openTrace("fixtures/pairs/spark/off.ndjson.zst");
  expect(seen(await openTrace(`${base}/logs/app.zst`))).toEqual(seen(file));
});

test.each([
  ["/history/app-1", "/api/v1/applications/app-1: the server answers 404 Not Found: unknown app"],
  [
    "/history/app-2",
    "/api/v1/applications/app-2/logs: expected a zip archive of event logs, found no zip",
  ],
  ["/jobhistory/job/job_1_0001", "/jobs/job_1_0001: the server answers 404 Not Found"],
  ["/", "expected the URL of one job, such as"],
  ["/breaks-off", "/breaks-off: the answer breaks off: "],
  ["/jobhistory/job/job_1_0002", "/jobs/job_1_0002: expected a job of Hadoop"],
])("%s is refused with what is wrong: %s", async (path, expected) => {
  await expect(openTrace(base + path)).rejects.toThrow(expected);
  expect(readdirSync(temporary)).toEqual([]);
});

test("a missing server is named", async () => {
  await expect(openTrace("http://127.0.0.1:9/app")).rejects.toThrow(/127.0.0.1:9\/app: no answer/);
});
