import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { zip } from "../../support/zip.ts";

/** An answer: a body, or a status with what else it takes to refuse. */
type Answer = string | Uint8Array | ((response: ServerResponse) => void);

/** A server of histories, which counts what it is asked. */
export class HistoryServer {
  /** By path, without the query. */
  readonly answers = new Map<string, Answer>();
  readonly asked: string[] = [];
  readonly #server: Server = createServer((request, response) => this.#answer(request, response));

  async start(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #answer({ url = "" }: IncomingMessage, response: ServerResponse): void {
    this.asked.push(url);
    const answer = this.answers.get(url.replace(/\?.*/, ""));
    if (typeof answer === "function") answer(response);
    else if (answer === undefined) response.writeHead(404).end("no such app");
    else response.end(answer);
  }
}

/** An application of Spark, as its history server knows it. */
export interface Application {
  readonly id: string;
  readonly log: Uint8Array;
  readonly updatedAt: number;
}

/** Lists applications as Spark 4.1 does (fixtures/servers/spark), and serves their logs. */
export function serveSpark(server: HistoryServer, applications: readonly Application[]): void {
  const listed = applications.map(({ id, updatedAt }) => {
    const lastUpdated = new Date(updatedAt).toISOString().replace("Z", "GMT");
    const attempt = { lastUpdated, completed: true, lastUpdatedEpoch: updatedAt };
    return { id, name: `job ${id}`, attempts: [attempt] };
  });
  server.answers.set("/api/v1/applications", JSON.stringify(listed));
  for (const [n, { id, log }] of applications.entries()) {
    server.answers.set(`/api/v1/applications/${id}`, JSON.stringify(listed[n]));
    server.answers.set(`/api/v1/applications/${id}/logs`, zip({ [id]: log }));
  }
}

/** What is read of an event of Hadoop; each kind has some of it. */
interface Fields {
  readonly jobid?: string;
  readonly jobName?: string;
  readonly userName?: string;
  readonly submitTime?: number;
  readonly launchTime?: number;
  readonly totalMaps?: number;
  readonly totalReduces?: number;
  readonly taskid?: string;
  readonly taskType?: string;
  readonly attemptId?: string;
  readonly startTime?: number;
  readonly finishTime?: number;
  readonly shuffleFinishTime?: number;
  readonly sortFinishTime?: number;
  readonly trackerName?: string;
  readonly rackname?: string | { readonly string: string };
  readonly taskStatus?: string;
  readonly status?: string;
  readonly counters?: {
    readonly groups: readonly {
      readonly name: string;
      readonly counts: readonly { readonly name: string; readonly value: number }[];
    }[];
  };
}

/**
 * Serves the jobs of JSON `.jhist` files as the JobHistoryServer of Hadoop 3.4 does; of one job its
 * list holds no list, but the job.
 */
export function serveHadoop(server: HistoryServer, files: readonly string[]): void {
  const jobs = files.map((file) => serveJob(server, readFileSync(file, "utf8")));
  const job = jobs.length === 1 ? jobs[0] : jobs;
  server.answers.set("/ws/v1/history/mapreduce/jobs", JSON.stringify({ jobs: { job } }));
}

function serveJob(server: HistoryServer, history: string): object {
  const events = history.split("\n").flatMap((line): (readonly [string, Fields])[] => {
    if (!line.startsWith('{"type":"') || line.startsWith('{"type":"record"')) return [];
    const { type, event } = JSON.parse(line);
    const [fields = {}] = Object.values<Fields>(event);
    return [[type, fields]];
  });
  const all = (end: string) => events.filter(([type]) => type.endsWith(end)).map(([, one]) => one);
  const [submitted, inited, finished] = ["JOB_SUBMITTED", "JOB_INITED", "JOB_FINISHED"].map(
    (type) => all(type)[0],
  );
  const id = String(submitted?.jobid);
  const job = {
    ...{ id, name: submitted?.jobName, user: submitted?.userName, queue: "default" },
    ...{ submitTime: submitted?.submitTime, startTime: inited?.launchTime, state: "SUCCEEDED" },
    ...{ finishTime: finished?.finishTime, mapsTotal: inited?.totalMaps },
    ...{ mapsCompleted: inited?.totalMaps, reducesTotal: inited?.totalReduces },
  };
  const at = `/ws/v1/history/mapreduce/jobs/${id}`;
  const put = (path: string, value: object): void =>
    void server.answers.set(`${at}${path}`, JSON.stringify(value));
  put("", { job });
  put("/conf", { conf: { path: "job.xml", property: [] } });
  const tasks = all("TASK_STARTED").filter(({ attemptId }) => attemptId === undefined);
  const ended = new Map(all("TASK_FINISHED").map((one) => [one.taskid, one]));
  const task = tasks.map(({ taskid, startTime, taskType }) => {
    const finishTime = ended.get(taskid)?.finishTime;
    return { id: taskid, type: taskType, startTime, finishTime, state: "SUCCEEDED" };
  });
  put("/tasks", { tasks: { task } });
  const starts = all("_ATTEMPT_STARTED");
  const ends = new Map(
    [...all("_ATTEMPT_FINISHED"), ...all("_ATTEMPT_KILLED")].map((one) => [one.attemptId, one]),
  );
  for (const { id: taskId } of task) {
    const own = starts.filter(({ taskid }) => taskid === taskId);
    const taskAttempt = own.map(({ attemptId, startTime, trackerName, taskType }) => {
      const end = ends.get(attemptId);
      return {
        ...{ id: attemptId, startTime, finishTime: end?.finishTime, type: taskType },
        ...{ state: end?.taskStatus ?? end?.status, rack: rackOf(end) },
        ...{ nodeHttpAddress: `${trackerName}:8042`, diagnostics: "" },
        ...{ shuffleFinishTime: end?.shuffleFinishTime, mergeFinishTime: end?.sortFinishTime },
      };
    });
    put(`/tasks/${taskId}/attempts`, {
      taskAttempts: { taskAttempt: taskAttempt.length === 1 ? taskAttempt[0] : taskAttempt },
    });
    for (const { attemptId } of own) {
      const groups = ends.get(attemptId)?.counters?.groups ?? [];
      put(`/tasks/${taskId}/attempts/${attemptId}/counters`, {
        jobTaskAttemptCounters: {
          id: attemptId,
          taskAttemptCounterGroup: groups.map(({ name, counts }) => ({
            counterGroupName: name,
            counter: counts.map(({ name: counter, value }) => ({ name: counter, value })),
          })),
        },
      });
    }
  }
  return job;
}

/** A killed attempt's may be null, and is wrapped. */
function rackOf(end: Fields | undefined): string | undefined {
  const rack = end?.rackname;
  return typeof rack === "object" ? rack?.string : rack;
}
