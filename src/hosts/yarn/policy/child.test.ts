import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attemptId } from "../../../model/ids.ts";
import { PolicyChild } from "./child.ts";
import { namesOfPlan, replaySession } from "./replay.ts";

const directory = mkdtempSync(join(tmpdir(), "broomwagon-child-"));
const N1 = { nodeHostName: "n1", rack: "/rack1", state: "RUNNING", id: "n1:45454" };
let server: Server;
let manager: string;
/** The requests to the ResourceManager. */
const asked = new Set<string | undefined>();

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    asked.add(url);
    const size = { usedMemoryMB: 0, availMemoryMB: 1_536, usedVirtualCores: 0 };
    const node = [{ ...N1, ...size, availableVirtualCores: 4 }];
    response.end(JSON.stringify({ nodes: { node } }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  manager = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

/** A child that follows one running attempt for the given seconds. */
async function toldFor(seconds: number, settings: Readonly<Record<string, string>>) {
  const journal = join(mkdtempSync(join(directory, "logs-")), "broomwagon-journal.ndjson");
  const answers: string[] = [];
  const complaints: string[] = [];
  const child = new PolicyChild(
    (line) => answers.push(line),
    (text) => complaints.push(text),
  );
  const take = (at: number, type: string, more: object = {}): void =>
    child.take(JSON.stringify({ at: 1_000_000 + at, type, ...more }));
  const task = { memoryMb: 512, vcores: 1, speculation: true };
  const conf = { slowstart: 0.05, map: task, reduce: task, resourceManagers: [{ url: manager }] };
  const capabilities = { placement: true, withdraw: true };
  const of = { protocol: 1, application: "application_1_0001", amAttempt: 1, user: "ann" };
  take(0, "hello", { ...of, journal, capabilities, settings, conf });
  const named = { job: "job_1_0001", name: "sort", user: "ann", queue: "default" };
  take(1, "job", { ...named, submittedAt: 1, maps: [{ bytes: 1, hosts: ["n1"] }], reduces: 0 });
  const attempt = { attempt: "m_000000_0", task: "m_000000" };
  take(2, "started", { ...attempt, host: "n1", rack: "/rack1", copy: false });
  let tick = 0;
  const passSecond = (): void => {
    tick++;
    take(1_000 * tick, "tick", { tick });
    const counters = { hadoop: { BYTES_READ: tick }, broomwagon: {} };
    take(1_000 * tick, "status", { ...attempt, progress: 0.1, phase: "MAP", counters });
  };
  // Nothing is written until the ResourceManager has answered.
  for (; !existsSync(journal); await setImmediate()) passSecond();
  for (let second = 0; second < seconds; second++) passSecond();
  child.end();
  const lines = readFileSync(journal, "utf8").split("\n");
  return { lines, answers, complaints, ticks: tick, bytes: readFileSync(journal).length };
}

test("a full journal ends with one message; policies continue, and it replays", async () => {
  const toldOf = await toldFor(2_000, { "journal.max-mb": "0.25" });
  const { lines, answers, complaints, ticks, bytes } = toldOf;
  const said = answers.filter((line) => line.includes("journal"));
  expect(said).toEqual([expect.stringContaining("the journal has become 0.25 MB")]);
  expect(answers.at(-1)).toBe(`{"type":"tock","tick":${ticks}}`);
  expect(complaints).toEqual([]);
  expect(bytes).toBeGreaterThan(0.25 * 2 ** 20);
  expect(bytes).toBeLessThan(0.4 * 2 ** 20);
  expect(replaySession(lines)).toMatchObject({ kind: "same" });
});

test("the plan's names are at the start of the journal, if they can be read", async () => {
  const names = { job: "count", maps: ["map/7"] };
  const file = join(directory, "names.json");
  writeFileSync(file, JSON.stringify(names));
  const { lines, complaints } = await toldFor(1, { names: file });
  const hello = JSON.parse(lines.find((line) => line.includes('"type":"hello"')) ?? "");
  expect(hello.host.line.names).toEqual(names);
  expect(complaints).toEqual([]);
  expect(replaySession(lines)).toMatchObject({ kind: "same" });
  expect(namesOfPlan(lines)?.attempt(attemptId(0))).toBe("count/map/7#0");

  const without = await toldFor(1, { names: join(directory, "nowhere.json") });
  expect(without.complaints).toEqual([expect.stringContaining("Hadoop's names alone")]);
  expect(replaySession(without.lines)).toMatchObject({ kind: "same" });
  expect(namesOfPlan(without.lines)).toBeUndefined();
});

test("a small journal is whole", async () => {
  const { lines, answers, ticks } = await toldFor(20, {});
  expect(answers.filter((line) => line.includes("journal"))).toEqual([]);
  expect(lines.filter((line) => line.includes(`"tick":${ticks}}`))).toHaveLength(2);
  expect([...asked]).toEqual(["/ws/v1/cluster/nodes?states=RUNNING&user.name=ann"]);
  expect(replaySession(lines)).toMatchObject({ kind: "same" });
});
