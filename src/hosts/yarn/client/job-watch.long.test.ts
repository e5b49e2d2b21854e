import { lookup } from "node:dns";
import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { namesOfMaps } from "../../../../test/support/names-of-maps.ts";
import { defined } from "../../../base/assert.ts";
import type { Timeless } from "../../../base/without.ts";
import type { RunEvent } from "../../../run/run-event.ts";
import type { AttemptFailed } from "./attempt-failure.ts";
import { JobWatch } from "./job-watch.ts";
import { WebClient } from "./web-client.ts";
import { YarnRest } from "./yarn-rest.ts";

const TASKS = 150;
const MASTER = "container_1_0001_01_000001";
const SECOND = "container_1_0001_02_000001";
const FAILED = "container_1_0001_01_000151";
const ERROR = { cause: "error", message: "in.txt:7: no", place: "job.ts:3" };

let server: Server;
let web: string;
let master: string;
let decisions: string;
/** The second master's container. */
let laterDecisions: string;
/** An attempt of the last task or, in the second master's time, of the task before it. */
let hasFailed: boolean;
/** Whether another attempt runs beside the first attempt of task 3. */
let isCopied: boolean;
/** The master no longer lists attempts. */
let isSilent: boolean;
let hasEnded: boolean;
/** The number of requests, from the first, that get no answer. */
let unanswered: number;

/**
 * The answers of the ResourceManager, the ApplicationMaster behind it and a NodeManager for one
 * job.
 */
function answerTo(path: string): object | string | undefined {
  const proxied = "/proxy/application_1_0001/ws/v1/mapreduce/jobs/job_1_0001";
  const [, task] = /_m_(\d+)\/attempts$/.exec(path) ?? [];
  if (path === "/ws/v1/cluster/apps/application_1_0001") {
    const amContainerLogs = `http://${web}/node/containerlogs/${master}/ann`;
    const state = hasEnded ? "FINISHED" : "RUNNING";
    return { app: { id: "application_1_0001", state, amContainerLogs } };
  }
  if (path === proxied) return { job: { failedMapAttempts: hasFailed ? 1 : 0 } };
  if (path === `${proxied}/tasks`)
    return { tasks: { task: Array.from({ length: TASKS }, taskOf) } };
  if (task !== undefined && isSilent) return undefined;
  if (task !== undefined) return { taskAttempts: { taskAttempt: attemptsOf(Number(task)) } };
  if (path.endsWith(`${MASTER}/broomwagon-decisions.ndjson`)) return logOf(decisions);
  if (path.endsWith(`${SECOND}/broomwagon-decisions.ndjson`)) return logOf(laterDecisions);
  if (path.endsWith(`${FAILED}/stderr`)) {
    return logOf(`noise\nbroomwagon-error ${JSON.stringify(ERROR)}\n`);
  }
  return path.endsWith("/counters") ? {} : undefined;
}

const padded = (index: number): string => String(index).padStart(6, "0");
const taskOf = (_: unknown, index: number) => ({
  id: `task_1_0001_m_${padded(index)}`,
  state: "RUNNING",
});

function attemptsOf(index: number) {
  const attempt = { nodeHttpAddress: web, startTime: 1, state: "RUNNING" };
  const id = `attempt_1_0001_m_${padded(index)}`;
  if (isCopied && index === 3) return [0, 1].map((n) => ({ ...attempt, id: `${id}_${n}` }));
  if (!hasFailed || index !== failing()) return [{ ...attempt, id: `${id}_0` }];
  const first = { id: `${id}_0`, state: "FAILED", finishTime: 5, assignedContainerId: FAILED };
  return [
    { ...attempt, ...first },
    { ...attempt, id: `${id}_1`, startTime: 6 },
  ];
}

const failing = (): number => TASKS - (master === MASTER ? 1 : 2);

const logOf = (text: string): string =>
  `LogLength:${Buffer.byteLength(text)}\nLogContents:\n${text}End of LogType:it.\n`;

beforeEach(async () => {
  [master, decisions, laterDecisions] = [MASTER, "", ""];
  [hasFailed, isCopied, isSilent, hasEnded] = [false, false, false, false];
  unanswered = 0;
  server = createServer(({ url = "" }, response) => {
    if (unanswered-- > 0) {
      response.destroy();
      return;
    }
    const answer = answerTo(url.replace(/\?.*/, ""));
    if (answer === undefined) response.writeHead(404).end();
    else response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  web = `127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** Ends when the watch has emitted the expected event. */
async function watchUntil(isIt: (event: Timeless<RunEvent>) => boolean, left?: AbortSignal) {
  const service = { what: "a manager", base: `http://${web}`, from: "the test" };
  const client = new WebClient(lookup, "ann");
  const services = { managers: [service], history: service };
  const rest = new YarnRest({ client, ...services, nodeScheme: "http" });
  const events: Timeless<RunEvent>[] = [];
  const emit = (event: Timeless<RunEvent>): void => {
    events.push(event);
    if (isIt(event)) hasEnded = true;
  };
  const counted = async (failure: AttemptFailed) => failure;
  const of = { rest, names: namesOfMaps(TASKS), application: "application_1_0001" };
  // The first must be longer than the time between two looks.
  const patience = { patienceMs: 120_000, firstMs: 1_500, againMs: 1_000 };
  const watch = new JobWatch({ ...of, emit, counted, patience });
  await watch.toItsEnd(left);
  return { watch, events };
}

test("the failure of the last of many running tasks is reported while they run", async () => {
  hasFailed = true;
  const { watch, events } = await watchUntil(({ kind }) => kind === "attempt-ended");
  const ended = defined(
    events.find(({ kind }) => kind === "attempt-ended"),
    "its end",
  );
  expect(ended).toMatchObject({ attempt: `job/map/${TASKS - 1}#0`, as: "original", how: ERROR });
  expect(watch.failures.get(`m_${padded(TASKS - 1)}_0`)).toMatchObject({ isReported: true });
});

test("a decision is reported once, when its line is written, also the last one", async () => {
  const why = { rule: "slowest", numbers: { rank: 1 } };
  const copy = { at: 1, type: "copy", command: 1, task: "m_000003", why };
  decisions = `${JSON.stringify({ at: 0, type: "ready" })}\n${JSON.stringify(copy)}\n`;
  const { watch, events } = await watchUntil(({ kind }) => kind === "request-made");
  const requests = events.filter(({ kind }) => kind === "request-made");
  expect(requests).toEqual([{ kind: "request-made", task: "job/map/3", as: "speculative", why }]);
  decisions += `${JSON.stringify({ at: 2, type: "done", command: 1, attempt: "m_000003_1" })}\n`;
  const logs = `http://${web}/node/containerlogs/${MASTER}/ann`;
  const application = { id: "a", state: "FINISHED", finalStatus: "SUCCEEDED", diagnostics: "" };
  await watch.lookAtTheEnd({ ...application, masterLogs: logs });
  expect(watch.decisions.map(({ kind }) => kind)).toEqual(["copy", "done"]);
});

test("after a master's restart, the first master's last lines are reported first", async () => {
  const copyOf = (task: string): string => {
    const why = { rule: "slowest", numbers: {} };
    return `${JSON.stringify({ at: 1, type: "copy", command: 1, task, why })}\n`;
  };
  decisions = copyOf("m_000001");
  const { events } = await watchUntil((event) => {
    if (event.kind === "job-progressed" && master === MASTER) {
      decisions += copyOf("m_000002");
      laterDecisions = copyOf("m_000003");
      master = SECOND;
    }
    return event.kind === "request-made" && event.task === "job/map/3";
  });
  const asked = events.flatMap((event) => (event.kind === "request-made" ? [event.task] : []));
  expect(asked).toEqual(["job/map/1", "job/map/2", "job/map/3"]);
  const ofMaster = events.filter(
    (event) => event.kind === "log" && event.node === "ApplicationMaster",
  );
  const line =
    "attempt 2 takes over on 127.0.0.1: the one before has ended; tasks that are done stay done";
  expect(ofMaster).toEqual([{ kind: "log", node: "ApplicationMaster", stream: "stderr", line }]);
});

test("failures in another master's time are looked up, however many came before", async () => {
  hasFailed = true;
  const { events } = await watchUntil((event) => {
    if (event.kind !== "attempt-ended") return false;
    const isLater = master === SECOND;
    master = SECOND;
    return isLater;
  });
  const ended = events.flatMap((event) => (event.kind === "attempt-ended" ? [event.attempt] : []));
  expect(ended).toEqual([`job/map/${TASKS - 1}#0`, `job/map/${TASKS - 2}#0`]);
});

test("a client that has left polls no longer, though the job continues", async () => {
  const left = new AbortController();
  const leave = ({ kind }: Timeless<RunEvent>): boolean => {
    if (kind === "job-progressed") left.abort();
    return false;
  };
  await expect(watchUntil(leave, left.signal)).rejects.toThrow("aborted");
});

test("a copy's start is reported even if its attempt becomes known later", async () => {
  isCopied = true;
  const why = { rule: "longest-time-left", numbers: { timeLeftMs: "Infinity" } };
  const copy = { at: 1, type: "copy", command: 1, task: "m_000003", why };
  const done = { at: 2, type: "done", command: 1, attempt: "m_000003_1" };
  decisions = `${JSON.stringify(copy)}\n`;
  const { events } = await watchUntil(({ kind }) => {
    const isSeen = kind === "job-progressed" && !decisions.includes("done");
    if (isSeen) decisions += `${JSON.stringify(done)}\n`;
    return kind === "attempt-launched";
  });
  const launch = { attempt: "job/map/3#1", as: "speculative" };
  const numbers = { timeLeftMs: Number.POSITIVE_INFINITY };
  expect(events.filter(({ kind }) => kind === "attempt-launched")).toMatchObject([
    { ...launch, why: { ...why, numbers } },
  ]);
});

test("attempts stay as last seen when their master no longer answers", async () => {
  let looks = 0;
  const { watch } = await watchUntil(({ kind }) => {
    if (kind === "job-progressed") looks++;
    isSilent = looks > 0;
    return looks === 2;
  });
  expect(watch.attempts.get("m_000000")).toMatchObject([{ attempt: "m_000000_0" }]);
});

test("the ResourceManager's silence is reported, rarely, and its next answer too", async () => {
  unanswered = 4;
  const { events } = await watchUntil(({ kind }) => kind === "job-progressed");
  const lines = events.flatMap((event) => (event.kind === "log" ? [event.line] : []));
  const [first, second, ...others] = lines;
  expect(first).toMatch(/^the cluster has been silent for [2-4] s; .*after 120 s: .*a manager/);
  expect(second).toMatch(/^the cluster (has been silent for|answers again, after) [3-9] s/);
  expect(others.length).toBeLessThan(5);
  expect(lines.filter((line) => line.includes("answers again"))).toEqual([lines.at(-1)]);
});
