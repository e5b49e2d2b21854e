import { lookup } from "node:dns";
import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebClient } from "./web-client.ts";
import { YarnRest } from "./yarn-rest.ts";

const JOB = "job_1_0001";
const ID = "application_1_0001";
const LOG = { container: "container_1", file: "stderr" };

/** All of a cluster's services, which show ann's applications only to ann. */
const ANSWERS: Readonly<Record<string, string>> = {
  "GET /ws/v1/cluster/info": '{"clusterInfo":{"haState":"ACTIVE","hadoopVersion":"3.5.0"}}',
  "GET /ws/v1/cluster/apps": `{"apps":{"app":[{"id":"${ID}","amContainerLogs":"logs"}]}}`,
  [`GET /ws/v1/cluster/apps/${ID}`]: `{"app":{"id":"${ID}","amContainerLogs":"logs"}}`,
  [`PUT /ws/v1/cluster/apps/${ID}/state`]: "{}",
  "GET /ws/v1/node/containerlogs/container_1/stderr": "LogLength:2\nLogContents:\nhi",
};
const TASKS = `{"tasks":{"task":[{"id":"task_1_0001_m_000000","state":"RUNNING"}]}}`;

let server: Server;
/** The user's name in each request. */
let users: Set<string | null>;
/** The answers, by `METHOD /path`. */
let answers: Record<string, string>;
let historyRefuses: { readonly status: number; readonly body: string } | undefined;
let web: string;

beforeEach(async () => {
  users = new Set();
  answers = { ...ANSWERS };
  historyRefuses = undefined;
  server = createServer(({ method, url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://m1");
    const user = searchParams.get("user.name");
    users.add(user);
    const answer = answers[`${method} ${pathname}`];
    if (historyRefuses !== undefined && pathname.startsWith("/ws/v1/history/")) {
      response.writeHead(historyRefuses.status).end(historyRefuses.body);
    } else if (user !== "ann & co") response.writeHead(401).end("dr.who may not see it");
    else if (answer === undefined) response.writeHead(404).end();
    else response.end(answer);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  web = `127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

function restOf(proxy?: string): YarnRest {
  const service = (path: string) => ({ what: "x", base: `http://${web}${path}`, from: "the test" });
  return new YarnRest({
    client: new WebClient(lookup, "ann & co"),
    managers: [service("")],
    history: service(""),
    nodeScheme: "http",
    proxy: proxy === undefined ? undefined : service(proxy),
  });
}

describe("where access lists hold", () => {
  const running = `GET /proxy/${ID}/ws/v1/mapreduce/jobs/${JOB}/tasks`;
  const ended = `GET /ws/v1/history/mapreduce/jobs/${JOB}/tasks`;

  test("each request names its user", async () => {
    const rest = restOf();
    expect(await rest.version()).toBe("3.5.0");
    expect(await rest.taggedApplication("tag")).toMatchObject({ id: ID, masterLogs: "logs" });
    expect(await rest.application(ID)).toMatchObject({ id: ID });
    const log = await rest.log({ hostWeb: web, ...LOG }, 100);
    expect(log?.contents.toString()).toBe("hi");
    for (const where of [running, ended]) {
      answers = { ...ANSWERS, [where]: TASKS };
      expect(await rest.tasks(JOB)).toEqual([{ task: "m_000000", state: "RUNNING" }]);
    }
    await rest.kill(ID);
    expect([...users]).toEqual(["ann & co"]);
    expect(rest.historyRefusal).toBeUndefined();
  });

  test.each([
    { status: 401, body: "no" },
    { status: 503, body: '{"RemoteException":{"message":"HTTP 401 Unauthorized"}}' },
  ])("a history server that refuses is heard, with status $status", async (refusal) => {
    historyRefuses = refusal;
    const rest = restOf();
    expect(await rest.tasks(JOB)).toBeUndefined();
    expect(rest.historyRefusal).toContain(`status ${refusal.status}`);
  });

  test("a service that is down may come back", async () => {
    historyRefuses = { status: 503, body: "starting" };
    const rest = restOf();
    expect(await rest.tasks(JOB)).toBeUndefined();
    expect(rest.historyRefusal).toBeUndefined();
  });
});

test("the ApplicationMaster is asked through the separate proxy", async () => {
  answers[`GET /apart/proxy/${ID}/ws/v1/mapreduce/jobs/${JOB}/tasks`] = TASKS;
  expect(await restOf("/apart").tasks(JOB)).toHaveLength(1);
  expect(await restOf().tasks(JOB)).toBeUndefined();
});
