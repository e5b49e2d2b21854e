import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { openTrace } from "../open-trace.ts";
import { textOfAnswer } from "./answer.ts";
import { ask } from "./ask.ts";
import { download } from "./download.ts";

const log = readFileSync("fixtures/spark/two-workers.ndjson");

/** Answers that have no end: of garbage, of a log, and of bytes that come ever more slowly. */
const server = createServer((request, response) => {
  const send = (bytes: Uint8Array): void => {
    if (response.destroyed) return;
    response.write(bytes, () => setImmediate(send, bytes));
  };
  if (request.url === "/garbage") send(Buffer.alloc(65_536, "x"));
  else if (request.url === "/log") send(log);
  else if (request.url === "/drip") drip(response);
  else response.write("Avro-Json\n");
});

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write("x"), 10);
  response.on("close", () => clearInterval(timer));
}

let base = "";
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.closeAllConnections());
const temporary = temporaryDirectory();

const LIMITS = { bytesMax: 5e6, silenceMs: 300, totalMs: 900 };

test("what is no history is refused by its beginning, however long it is", async () => {
  await expect(openTrace(`${base}/garbage`)).rejects.toThrow("/garbage: expected a .jhist");
});

test.each([
  ["/log", "/log: expected an answer of at most 5 MB; if it is a log, download it first"],
  ["/drip", "/drip: the answer has no end after 0.9 s"],
  ["/silent", "/silent: the server is silent for 0.3 s in the middle of its answer"],
])("an answer without an end, %s, is refused: %s", async (path, said) => {
  const file = join(temporary, "answer");
  const options = { onHead: () => {}, limits: LIMITS };
  await expect(download(base + path, file, options)).rejects.toThrow(said);
  const text = ask(base + path, "*/*", {}).then((answer) =>
    textOfAnswer(base + path, answer, LIMITS),
  );
  await expect(text).rejects.toThrow(said);
});
