import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import {
  type Application,
  HistoryServer,
  serveHadoop,
  serveSpark,
} from "./support/history-server.ts";
import { type Month, writeMonth } from "./support/month.ts";
import { paperShell } from "./support/screen.ts";

const MONTH: Month = {
  ...{ nodes: 6, jobs: 5, nodesOfJob: 4, tasksPerNode: 3, seed: 3 },
  ...{ slow: ["n2"], slowJobs: 2, factor: 3 },
};

/** A folder of histories, with a cache of its own. */
function folderOf(month: Month): string {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-served-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.stubEnv("XDG_CACHE_HOME", join(folder, ".cache"));
  onTestFinished(() => void vi.unstubAllEnvs());
  writeMonth(folder, month);
  return folder;
}

async function started(): Promise<HistoryServer> {
  const server = new HistoryServer();
  await server.start();
  onTestFinished(() => server.stop());
  return server;
}

const applicationsIn = (folder: string): readonly Application[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith("app-"))
    .map((id) => ({ id, log: readFileSync(join(folder, id)), updatedAt: 1_795_486_310_154 }));

async function why(...args: readonly string[]) {
  const shell = paperShell();
  const code = await runProgram(["why", ...args], shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

async function found(...args: readonly string[]) {
  const { out, code } = await why(...args, "--jobs", "-o", "json");
  return { ...JSON.parse(out), code };
}

/** All but where the histories are. */
const withoutPlaces = ({ jobs, ...rest }: { jobs: readonly { history: string }[] }) => ({
  ...rest,
  jobs: jobs.map(({ history: _, ...job }) => job),
});

const logsAsked = ({ asked }: HistoryServer): number =>
  asked.filter((url) => url.endsWith("/logs")).length;

describe("the history server of Spark", () => {
  test.each(["", "/", "/history/", "/api/v1/applications", "/api/v1/applications?limit=9"])(
    "by %j has the jobs of the folder of its logs",
    async (path) => {
      const folder = folderOf(MONTH);
      const server = await started();
      serveSpark(server, applicationsIn(folder));
      const served = await found(server.base + path, "--no-cache");
      expect(withoutPlaces(served)).toEqual(withoutPlaces(await found(folder, "--no-cache")));
      const [first] = served.jobs;
      expect(first.history).toBe(`${server.base}/history/${first.id}`);
      expect(server.asked.includes("/api/v1/applications?limit=9")).toBe(path.endsWith("9"));
    },
  );

  test("is asked for the logs that are new or have changed", async () => {
    const folder = folderOf(MONTH);
    const server = await started();
    const all = applicationsIn(folder);
    const counts = async () => {
      const before = logsAsked(server);
      const { read, known, jobs } = await found(server.base);
      return [read, known, jobs.length, logsAsked(server) - before];
    };
    serveSpark(server, all.slice(0, 4));
    expect(await counts()).toEqual([4, 0, 4, 4]);
    expect(await counts()).toEqual([0, 4, 4, 0]);
    serveSpark(server, all);
    expect(await counts()).toEqual([1, 4, 5, 1]);
    const changed = all.map((one, n) => (n === 2 ? { ...one, updatedAt: one.updatedAt + 1 } : one));
    serveSpark(server, changed);
    expect(await counts()).toEqual([1, 4, 5, 1]);
    // Those that the server no longer has are forgotten.
    serveSpark(server, all.slice(0, 1));
    expect(await counts()).toEqual([0, 1, 1, 0]);
    serveSpark(server, changed);
    await found(server.base, "--set", "peersMin=5");
    expect(await counts()).toEqual([5, 0, 5, 5]);
  });

  test("that cannot give a log is asked for it again the next time", async () => {
    const server = await started();
    const all = applicationsIn(folderOf(MONTH));
    serveSpark(server, all);
    server.answers.set(`/api/v1/applications/${all[1]?.id}/logs`, (response) =>
      response.writeHead(500).end("cannot read the log"),
    );
    const { unread, read, jobs } = await found(server.base);
    expect([read, jobs.length, unread.length]).toEqual([5, 4, 1]);
    expect(unread[0].reason).toContain("the server answers 500 Internal Server Error: cannot read");
    serveSpark(server, all);
    const second = await found(server.base);
    expect([second.read, second.jobs.length, second.unread]).toEqual([1, 5, []]);
  });

  test("is asked for each attempt of an application", async () => {
    const server = await started();
    const [one] = applicationsIn(folderOf(MONTH));
    serveSpark(server, one === undefined ? [] : [one]);
    const attempts = [{ attemptId: "2" }, { attemptId: "1" }];
    server.answers.set("/api/v1/applications", JSON.stringify([{ id: "app-00000", attempts }]));
    await found(server.base);
    const logs = server.asked.filter((url) => url.endsWith("/logs"));
    expect(logs.sort()).toEqual(
      [1, 2].map((attempt) => `/api/v1/applications/app-00000/${attempt}/logs`),
    );
  });

  test("that breaks down is not asked for all the rest", async () => {
    const server = await started();
    serveSpark(server, applicationsIn(folderOf({ ...MONTH, jobs: 12 })));
    for (const path of server.answers.keys()) {
      if (/app-000\d[2-9]$/.test(path)) server.answers.set(path, (response) => response.destroy());
    }
    const { unread, jobs } = await found(server.base);
    expect([jobs.length, unread.length]).toEqual([2, 10]);
    expect(unread[0].reason).toMatch(/history\/app-00002|applications\/app-00002: no answer/);
    expect(unread[9].reason).toContain("did not answer 3 times in a row");
    expect(server.asked.filter((url) => /app-\d+$/.test(url))).toHaveLength(2 + 3);
  });
});

describe("the JobHistoryServer of Hadoop", () => {
  test.each(["/", "/jobhistory", "/ws/v1/history/mapreduce/jobs?state=SUCCEEDED"])(
    "by %j lists its jobs, and one of them is no list",
    async (path) => {
      folderOf({ ...MONTH, jobs: 0 });
      const server = await started();
      serveHadoop(server, ["fixtures/hadoop/json.jhist"]);
      const served = await found(server.base + path, "--no-cache");
      const file = await found("fixtures/hadoop/json.jhist", "--no-cache");
      const seen = ({ id, name, submittedAt, responseMs, slotMs, attempts }: typeof file) => ({
        ...{ id, name, submittedAt, responseMs, slotMs, attempts },
      });
      expect(served.jobs.map(seen)).toEqual(file.jobs.map(seen));
      expect(served.jobs[0].history).toMatch(/\/jobhistory\/job\/job_1795301165270_0007$/);
    },
  );

  test("is asked for no job that is known", async () => {
    folderOf({ ...MONTH, jobs: 0 });
    const server = await started();
    serveHadoop(server, ["fixtures/hadoop/json.jhist"]);
    expect((await found(server.base)).read).toBe(1);
    const before = server.asked.length;
    expect((await found(server.base)).known).toBe(1);
    expect(server.asked.slice(before)).toEqual([
      "/api/v1/applications",
      "/ws/v1/history/mapreduce/jobs",
    ]);
  });
});

describe("refuses with what is wrong", () => {
  const refuse = (status: number, headers: Record<string, string> = {}) => ({
    status,
    headers,
  });

  test.each([
    ["/jobhistory", refuse(404), "/ws/v1/history/mapreduce/jobs: the server answers 404 Not Found"],
    [
      "/api/v1/applications",
      refuse(401, { "www-authenticate": "Negotiate" }),
      "401 Unauthorized: it asks for a Kerberos ticket, which Broomwagon does not send",
    ],
    ["/history", refuse(401), "it asks for a name and a password, which Broomwagon does not send"],
    ["/", refuse(403), "expected a history server of Spark or Hadoop; "],
  ])("%s of a server that answers %j", async (path, { status, headers }, said) => {
    const server = await started();
    for (const list of ["/api/v1/applications", "/ws/v1/history/mapreduce/jobs"]) {
      server.answers.set(list, (response) => response.writeHead(status, headers).end());
    }
    const { code, err } = await why(server.base + path, "--jobs");
    expect(code).toBe(3);
    expect(err).toContain(said);
  });

  test.each([
    ["/api/v1/applications", "[]", "expected jobs, the server lists none"],
    ["/api/v1/applications?minDate=2030-01-01", "[]", "lists none that fit ?minDate=2030-01-01"],
    ["/api/v1/applications", "{}", "expected JSON of a history server"],
    ["/api/v1/applications", "<html>Log in", "found a page, perhaps that of a log-in"],
    ["/jobhistory", '{"jobs":null}', "expected jobs, the server lists none"],
    ["/jobhistory", "{}", "expected the jobs of a JobHistoryServer"],
  ])("%s of a server that answers %s", async (path, body, said) => {
    const server = await started();
    server.answers.set("/api/v1/applications", body);
    server.answers.set("/ws/v1/history/mapreduce/jobs", body);
    const { code, err } = await why(server.base + path, "--jobs");
    expect([code, err]).toEqual([3, expect.stringContaining(said)]);
  });

  test("a server that is not there", async () => {
    const { code, err } = await why("http://127.0.0.1:9/jobhistory", "--jobs");
    expect([code, err]).toEqual([3, expect.stringContaining("no answer: ")]);
  });
});
