import { lookup } from "node:dns";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SmallWebHdfs } from "../../../../test/support/small-web-hdfs.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { HadoopConf } from "./hadoop-conf.ts";
import { type HadoopJobEnd, LeftRunning, runHadoopJob } from "./hadoop-job.ts";
import { Staging, shipNode } from "./staging.ts";
import { TaskNames } from "./task-names.ts";
import { WebClient } from "./web-client.ts";
import { WebHdfs } from "./web-hdfs.ts";
import { YarnRest } from "./yarn-rest.ts";

const ID = "application_1_0001";
const HELD = "/user/ann/.broomwagon/runs/r1/shipment";

let directory: string;
let small: SmallWebHdfs;
let manager: Server;
/** Of the ResourceManager, to what `METHOD /path` begins with; 404 to all else. */
let answers: Record<string, (response: ServerResponse) => void>;
let access: ClusterAccess;
let staging: Staging;
let warned: string[];

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
  const client = new WebClient(lookup);
  access = {
    conf: HadoopConf.read(directory, {}),
    hdfs: new WebHdfs({ client, services: [await small.start()], user: "ann" }),
    rest: new YarnRest({
      client,
      managers: [service],
      history: service,
      nodeScheme: "http",
      user: "ann",
    }),
    ground: { fileSystem: "hdfs://m1:8020", home: "/user/ann" },
    user: "ann",
    environment: process.env,
  };
  staging = new Staging(access, "r1");
  warned = [];
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

/** By a client of Hadoop's that takes, or takes not, whatever it is told. */
function runIt(script: string, whenAborted?: () => Promise<"kill" | "leave">) {
  const text = { name: "job", tag: "tag-1", discipline: "late", node: "node", jar: "a.jar" };
  const uris = { tasks: "t", output: "o", journal: "j", jobFile: "f", shipment: "s" };
  const lists = { settings: [], files: [], properties: [] };
  const job = { conf: access.conf, reduces: 0, pipeline: true, speculate: true };
  const ended: Promise<HadoopJobEnd> = runHadoopJob({
    access,
    client: { program: process.execPath, args: ["-e", script, "--"] },
    job: { ...job, ...text, ...uris, ...lists },
    names: new TaskNames({ name: "job", maps: [], parts: [] }, []),
    staging,
    tell: () => {},
    foundWithinMs: 1_000,
    ...(whenAborted !== undefined && { signal: AbortSignal.abort(), whenAborted }),
  });
  return ended.finally(() => staging.tidy((line) => warned.push(line)));
}

describe("what a job needs on HDFS", () => {
  test("goes when the job was seen to end", async () => {
    answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
    answers[STATE] = json({ app: application("FINISHED", "SUCCEEDED") });
    answers["GET /ws/v1/history"] = json({ tasks: {} });
    expect(await runIt("")).toMatchObject({ application: ID, outcome: "succeeded" });
    expect(small.files("/user")).toEqual({});
    expect(warned).toEqual([]);
  });

  test("goes when Hadoop did not take the job", async () => {
    await expect(runIt("process.exit(1)")).rejects.toThrow("expected Hadoop to take the job");
    expect(small.files("/user")).toEqual({});
  });

  test("stays when the manager does not say what became of it", async () => {
    answers[FOUND] = (response) => response.writeHead(500).end("out of order");
    await expect(runIt("")).rejects.toThrow("out of order");
    expect(small.files("/user")).toHaveProperty([HELD]);
    expect(warned).toEqual([expect.stringContaining("may still run")]);
  });

  test("stays when the job could not be killed", async () => {
    answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
    answers[STATE] = json({ app: application("RUNNING") });
    answers[KILL] = (response) => response.writeHead(403).end("not yours");
    await expect(runIt("", async () => "kill")).rejects.toThrow("not yours");
    expect(small.files("/user")).toHaveProperty([HELD]);
    // Who looks on may stop.
    answers[STATE] = json({ app: application("KILLED", "KILLED") });
  });

  test("goes when it was killed, with what Hadoop has of it", async () => {
    small.put("/tmp/hadoop-yarn/staging/ann/.staging/job_1_0001/job.xml", "<configuration/>");
    answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
    answers[STATE] = json({ app: application("KILLED", "KILLED") });
    answers[KILL] = json({});
    expect(await runIt("", async () => "kill")).toMatchObject({ outcome: "killed" });
    expect(small.files("/")).toEqual({});
  });

  test("stays when the user leaves it running", async () => {
    answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
    answers[STATE] = json({ app: application("RUNNING") });
    await expect(runIt("", async () => "leave")).rejects.toThrow(LeftRunning);
    expect(small.files("/user")).toHaveProperty([HELD]);
    answers[STATE] = json({ app: application("KILLED", "KILLED") });
  });

  test("and cannot be removed: a warning, the result is the job's", async () => {
    answers[FOUND] = json({ apps: { app: [application("RUNNING")] } });
    answers[STATE] = json({ app: application("FINISHED", "SUCCEEDED") });
    answers["GET /ws/v1/history"] = json({ tasks: {} });
    small.fate = () => "refused";
    expect(await runIt("")).toMatchObject({ outcome: "succeeded" });
    expect(warned).toEqual([expect.stringContaining("could not be removed")]);
  });
});

test.skipIf(process.platform !== "linux")("a Node half shipped is shipped anew", async () => {
  const path = (await shipNode(access)).slice(access.ground.fileSystem.length);
  const { size } = statSync(process.execPath);
  expect(await access.hdfs.find(path)).toMatchObject({ bytes: size });
  small.put(path, "half");
  await shipNode(access);
  expect(await access.hdfs.find(path)).toMatchObject({ bytes: size });
  expect(await access.hdfs.list(`${path.slice(0, path.lastIndexOf("/"))}`)).toHaveLength(1);
});
