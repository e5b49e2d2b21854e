import { lookup } from "node:dns";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { namesOfMaps } from "../../../../test/support/names-of-maps.ts";
import { SmallWebHdfs } from "../../../../test/support/small-web-hdfs.ts";
import type { Timeless } from "../../../base/without.ts";
import type { RunEvent } from "../../../run/run-event.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { HadoopConf } from "./hadoop-conf.ts";
import { type HadoopJobEnd, LeftRunning, runHadoopJob } from "./hadoop-job.ts";
import { KEPT, Staging } from "./staging.ts";
import { WebClient } from "./web-client.ts";
import { WebHdfs } from "./web-hdfs.ts";
import { YarnRest } from "./yarn-rest.ts";

const ID = "application_1_0001";
const HELD = "/user/ann/.broomwagon/runs/r1/shipment";

let directory: string;
let small: SmallWebHdfs;
let manager: Server;
/** The ResourceManager's answers, by a prefix of `METHOD /path`; 404 to other requests. */
let answers: Record<string, (response: ServerResponse) => void>;
let access: ClusterAccess;
let staging: Staging;
let warned: string[];
let told: Timeless<RunEvent>[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "broomwagon-job-"));
  writeFileSync(join(directory, "core-site.xml"), "<configuration></configuration>");
  small = new SmallWebHdfs();
  small.put(HELD, "what containers read");
  answers = {};
  manager = createServer(({ method, url }, response) => {
    const key = Object.keys(answers).find((each) => `${method} ${url}`.startsWith(each));
    const answer = key === undefined ? undefined : answers[key];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response);
  });
  await new Promise<void>((done) => manager.listen(0, "127.0.0.1", done));
  const address = manager.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const service = { what: "a manager", base: `http://127.0.0.1:${port}`, from: "the test" };
  const client = new WebClient(lookup, "ann");
  access = {
    conf: HadoopConf.read(directory, {}),
    hdfs: new WebHdfs({ client, services: [await small.start()] }),
    rest: new YarnRest({
      client,
      managers: [service],
      history: service,
      nodeScheme: "http",
    }),
    root: { fileSystem: "hdfs://m1:8020", home: "/user/ann" },
    user: "ann",
    environment: process.env,
  };
  staging = new Staging(access, "r1");
  warned = [];
  told = [];
});
afterEach(() => {
  small.close();
  manager.close();
  manager.closeAllConnections();
  rmSync(directory, { recursive: true });
});

const json = (value: object) => (response: ServerResponse) => response.end(JSON.stringify(value));
const application = (state: string, finalStatus = "UNDEFINED") => ({ id: ID, state, finalStatus });
const FOUND = "GET /ws/v1/cluster/apps?applicationTags=tag-1";
const STATE = `GET /ws/v1/cluster/apps/${ID}`;
const KILL = `PUT /ws/v1/cluster/apps/${ID}/state`;

/** Submits with a stand-in for Hadoop's client that accepts or refuses every job. */
function runIt(script: string, whenAborted?: () => Promise<"kill" | "leave">) {
  const text = { name: "job", tag: "tag-1", discipline: "late", node: "node", jar: "a.jar" };
  const uris = { tasks: "t", output: "o", journal: "j", jobFile: "f", names: "n", shipment: "s" };
  const lists = { settings: [], files: [], properties: [] };
  const job = {
    conf: access.conf,
    reduces: 0,
    pipeline: true,
    speculate: { map: true, reduce: true },
  };
  const ended: Promise<HadoopJobEnd> = runHadoopJob({
    access,
    client: { program: process.execPath, args: ["-e", script, "--"] },
    job: { ...job, ...text, ...uris, ...lists },
    names: namesOfMaps(1),
    staging,
    emit: (event) => told.push(event),
    foundWithinMs: 1_000,
    historyWithinMs: 1_000,
    ...(whenAborted !== undefined && { signal: AbortSignal.abort(), whenAborted }),
  });
  return ended.finally(() => staging.tidy((line) => warned.push(line)));
}

describe("a job's files on HDFS", () => {
  test("are removed when the job was seen to end", async () => {
    answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
    answers[STATE] = json({ app: application("FINISHED", "SUCCEEDED") });
    answers["GET /ws/v1/history"] = json({ tasks: {} });
    expect(await runIt("")).toMatchObject({ application: ID, outcome: "succeeded" });
    expect(small.files("/user")).toEqual({});
    expect(warned).toEqual([]);
  });

  test("are removed without a wait for a history that the user may not read", async () => {
    answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
    answers[STATE] = json({ app: application("FINISHED", "SUCCEEDED") });
    let asked = 0;
    answers["GET /ws/v1/history"] = (response) => {
      asked++;
      response.writeHead(401).end("not for ann");
    };
    expect(await runIt("")).toMatchObject({ outcome: "succeeded" });
    const line = expect.stringContaining("status 401: not for ann");
    expect(told).toContainEqual(expect.objectContaining({ kind: "log", line }));
    expect(asked).toBe(1);
    expect(small.files("/user")).toEqual({});
  });

  test("are removed when the history knows nothing: attempts stay as last seen", async () => {
    const job = "job_1_0001";
    const proxied = `GET /proxy/${ID}/ws/v1/mapreduce/jobs/${job}/tasks`;
    const [task, first] = ["task_1_0001_m_000000", "attempt_1_0001_m_000000_0"];
    const running = { state: "RUNNING", startTime: 1, finishTime: 0, progress: 40 };
    const attempt = { id: first, nodeHttpAddress: "n1:8042", ...running };
    let [isSeen, hasEnded] = [false, false];
    const master = (said: object) => (response: ServerResponse) =>
      hasEnded ? response.writeHead(404).end() : json(said)(response);
    answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
    answers[STATE] = (response) => {
      hasEnded = isSeen;
      const app = hasEnded ? application("FINISHED", "SUCCEEDED") : application("RUNNING");
      json({ app })(response);
    };
    answers[`${proxied}/${task}/attempts`] = (response) => {
      isSeen = true;
      master({ taskAttempts: { taskAttempt: [attempt] } })(response);
    };
    answers[proxied] = master({ tasks: { task: [{ id: task, state: "RUNNING" }] } });
    const { attempts } = await runIt("");
    expect([...attempts.values()].flat()).toMatchObject([{ state: "SUCCEEDED" }]);
    const line = expect.stringContaining("seen last: the history does not know them");
    expect(told).toContainEqual(expect.objectContaining({ kind: "log", line }));
  });

  test("are removed when Hadoop did not accept the job", async () => {
    await expect(runIt("process.exit(1)")).rejects.toThrow("expected Hadoop to take the job");
    expect(small.files("/user")).toEqual({});
  });

  test("stay when the manager does not say what became of the job", async () => {
    answers[FOUND] = (response) => response.writeHead(500).end("out of order");
    await expect(runIt("")).rejects.toThrow("out of order");
    expect(small.files("/user")).toHaveProperty([HELD]);
    expect(warned).toEqual([expect.stringContaining("may still run")]);
  });

  test("stay when the job could not be killed", async () => {
    answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
    answers[STATE] = json({ app: application("RUNNING") });
    answers[KILL] = (response) => response.writeHead(403).end("not yours");
    await expect(runIt("", async () => "kill")).rejects.toThrow("not yours");
    expect(small.files("/user")).toHaveProperty([HELD]);
  });

  test("are removed when the job was killed, and so is Hadoop's staging directory", async () => {
    small.put("/tmp/hadoop-yarn/staging/ann/.staging/job_1_0001/job.xml", "<configuration/>");
    answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
    answers[STATE] = json({ app: application("KILLED", "KILLED") });
    answers[KILL] = json({});
    expect(await runIt("", async () => "kill")).toMatchObject({ outcome: "killed" });
    expect(small.files("/")).toEqual({});
  });

  test("are removed when managers answer only after a while", async () => {
    answers[FOUND] = (response) => {
      answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
      response.destroy();
    };
    answers[STATE] = json({ app: application("RUNNING") });
    answers[KILL] = (response) => {
      answers[KILL] = (next) => {
        answers[STATE] = json({ app: application("KILLED", "KILLED") });
        next.end("{}");
      };
      response.destroy();
    };
    expect(await runIt("", async () => "kill")).toMatchObject({ outcome: "killed" });
    expect(small.files("/")).toEqual({});
  });

  test("stay when the user leaves the job running", async () => {
    answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
    answers[STATE] = json({ app: application("RUNNING") });
    await expect(runIt("", async () => "leave")).rejects.toThrow(LeftRunning);
    expect(small.files("/user")).toHaveProperty([HELD]);
    // The mark is for the owner: no later run removes the files as left behind.
    expect(small.files("/user")).toHaveProperty([`${staging.path}/${KEPT}`]);
  });

  test("stay when the mark cannot be written, with a warning", async () => {
    answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
    answers[STATE] = json({ app: application("RUNNING") });
    small.fate = (operation) => (operation === "CREATE" ? "refused" : "well");
    await expect(runIt("", async () => "leave")).rejects.toThrow(LeftRunning);
    const line = expect.stringMatching(/^a later run may remove its parts once it has ended: /);
    expect(told).toContainEqual({ kind: "log", node: "client", stream: "stderr", line });
  });

  test("cause a warning when they cannot be removed, and the result is the job's", async () => {
    answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
    answers[STATE] = json({ app: application("FINISHED", "SUCCEEDED") });
    answers["GET /ws/v1/history"] = json({ tasks: {} });
    small.fate = () => "refused";
    expect(await runIt("")).toMatchObject({ outcome: "succeeded" });
    expect(warned).toEqual([expect.stringContaining("could not be removed")]);
  });
});
