import { InputError } from "../../../base/input-error.ts";
import { JsonAnswer } from "./json-answer.ts";
import { NoAnswer, type Service, type WebClient } from "./web-client.ts";

/** An application as the ResourceManager knows it. */
export interface Application {
  readonly id: string;
  readonly state: string;
  readonly finalStatus: string;
  readonly diagnostics: string;
  /** `http://n1:8042/node/containerlogs/container_.../user`; empty before it runs. */
  readonly masterLogs: string;
  readonly trackingUrl: string;
}

/** A NodeManager. */
export interface ClusterNode {
  readonly host: string;
  readonly rack: string;
  readonly state: string;
}

export interface TaskRow {
  /** `m_000003`. */
  readonly task: string;
  readonly state: string;
  readonly progress: number;
  readonly successfulAttempt: string;
}

export interface AttemptRow {
  /** `m_000003_0`. */
  readonly attempt: string;
  readonly state: string;
  readonly progress: number;
  /** Milliseconds since the epoch; 0: not yet. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly host: string;
  /** `n1:8042`. */
  readonly hostWeb: string;
  readonly container: string;
  readonly diagnostics: string;
}

export interface JobRow {
  readonly state: string;
  readonly diagnostics: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The ResourceManager, the ApplicationMaster behind it, and what remembers them: over REST. */
export class YarnRest {
  readonly #client: WebClient;
  readonly #managers: readonly Service[];
  readonly #history: Service;
  readonly #user: string;
  #active = 0;

  constructor(query: {
    readonly client: WebClient;
    /** ResourceManagers, of which one is active. */
    readonly managers: readonly Service[];
    readonly history: Service;
    readonly user: string;
  }) {
    this.#client = query.client;
    this.#managers = query.managers;
    this.#history = query.history;
    this.#user = query.user;
  }

  /** Hadoop's. Finds the active manager; InputError if there is none. */
  async version(): Promise<string> {
    for (const [index, service] of this.#managers.entries()) {
      const isLast = index === this.#managers.length - 1;
      const info = await this.#client
        .json(service, "/ws/v1/cluster/info")
        .then((answer) => new JsonAnswer(answer, "cluster info").part("clusterInfo"))
        .catch((error) => {
          if (isLast) throw error;
          return undefined;
        });
      if (info === undefined || (info.text("haState") !== "ACTIVE" && !isLast)) continue;
      this.#active = index;
      return info.text("hadoopVersion");
    }
    throw new InputError("no-cluster", "yarn", "expected an active ResourceManager");
  }

  async nodes(): Promise<readonly ClusterNode[]> {
    const answer = await this.#fromManager("/ws/v1/cluster/nodes");
    return answer
      .part("nodes")
      .items("node")
      .map((node) => ({
        host: node.text("nodeHostName"),
        rack: node.text("rack"),
        state: node.text("state"),
      }));
  }

  /** The one that was submitted with the tag; undefined: there is none yet. */
  async taggedApplication(tag: string): Promise<Application | undefined> {
    const answer = await this.#fromManager(`/ws/v1/cluster/apps?applicationTags=${tag}`);
    const [app] = answer.part("apps").items("app");
    return app && applicationOf(app);
  }

  async application(id: string): Promise<Application> {
    const answer = await this.#fromManager(`/ws/v1/cluster/apps/${id}`);
    return applicationOf(answer.part("app"));
  }

  async kill(id: string): Promise<void> {
    const service = this.#manager;
    const user = encodeURIComponent(this.#user);
    const url = `${service.base}/ws/v1/cluster/apps/${id}/state?user.name=${user}`;
    const body = Buffer.from(JSON.stringify({ state: "KILLED" }));
    const type = "application/json";
    const { status, body: said } = await this.#client.atService(service, {
      method: "PUT",
      url,
      body,
      type,
    });
    if (status >= 400)
      throw new NoAnswer(`${url}: status ${status}: ${said.toString().slice(0, 200)}`);
  }

  /** While it runs, of its master; later, of the history. Undefined: neither knows it now. */
  async job(id: string): Promise<JobRow | undefined> {
    const answer = await this.#ofJob(id, "");
    const job = answer?.part("job");
    return (
      job && {
        state: job.text("state"),
        diagnostics: job.text("diagnostics"),
        startedAt: job.number("startTime"),
        endedAt: job.number("finishTime"),
      }
    );
  }

  async tasks(job: string): Promise<readonly TaskRow[] | undefined> {
    const answer = await this.#ofJob(job, "/tasks");
    return answer
      ?.part("tasks")
      .items("task")
      .map((task) => ({
        task: shortName(task.text("id")),
        state: task.text("state"),
        progress: task.number("progress") / 100,
        successfulAttempt: shortName(task.text("successfulAttempt")),
      }));
  }

  async attempts(job: string, task: string): Promise<readonly AttemptRow[] | undefined> {
    const whole = `task${job.slice("job".length)}_${task}`;
    const answer = await this.#ofJob(job, `/tasks/${whole}/attempts`);
    return answer?.part("taskAttempts").items("taskAttempt").map(attemptOf);
  }

  /** Of all maps, and of all reduces, as far as they have come. */
  async counterShares(
    job: string,
    group: string,
    name: string,
  ): Promise<{ readonly map: number; readonly reduce: number }> {
    const answer = await this.#ofJob(job, "/counters");
    const groups = answer?.part("jobCounters").items("counterGroup") ?? [];
    const own = groups.find((each) => each.text("counterGroupName") === group);
    const counter = own?.items("counter").find((each) => each.text("name") === name);
    return {
      map: counter?.number("mapCounterValue") ?? 0,
      reduce: counter?.number("reduceCounterValue") ?? 0,
    };
  }

  /** The last bytes of a container's log, of the node it ran on; undefined: it is not there. */
  async log(query: {
    readonly hostWeb: string;
    readonly container: string;
    readonly file: string;
    readonly bytes?: number;
  }): Promise<string | undefined> {
    const { hostWeb, container, file, bytes } = query;
    const size = bytes === undefined ? "" : `?size=-${bytes}`;
    const url = `http://${hostWeb}/ws/v1/node/containerlogs/${container}/${file}${size}`;
    try {
      const { status, body } = await this.#client.ask({ method: "GET", url });
      return status === 200 ? logContents(body.toString()) : undefined;
    } catch (error) {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    }
  }

  get #manager(): Service {
    const service = this.#managers[this.#active];
    if (service === undefined) throw new InputError("no-cluster", "yarn", "expected an address");
    return service;
  }

  async #fromManager(path: string): Promise<JsonAnswer> {
    return new JsonAnswer(await this.#client.json(this.#manager, path), path);
  }

  async #ofJob(job: string, path: string): Promise<JsonAnswer | undefined> {
    const application = `application${job.slice("job".length)}`;
    const running = `/proxy/${application}/ws/v1/mapreduce/jobs/${job}${path}`;
    const ended = `/ws/v1/history/mapreduce/jobs/${job}${path}`;
    for (const [service, where] of [
      [this.#manager, running],
      [this.#history, ended],
    ] as const) {
      const answer = await this.#client.json(service, where).catch((error: unknown) => {
        // It may be starting, or ending.
        if (error instanceof NoAnswer || error instanceof InputError) return undefined;
        throw error;
      });
      if (answer !== undefined) return new JsonAnswer(answer, where);
    }
    return undefined;
  }
}

const applicationOf = (app: JsonAnswer): Application => ({
  id: app.text("id"),
  state: app.text("state"),
  finalStatus: app.text("finalStatus"),
  diagnostics: app.text("diagnostics"),
  masterLogs: app.text("amContainerLogs"),
  trackingUrl: app.text("trackingUrl"),
});

const attemptOf = (attempt: JsonAnswer): AttemptRow => {
  const web = attempt.text("nodeHttpAddress");
  return {
    attempt: shortName(attempt.text("id")),
    state: attempt.text("state"),
    progress: attempt.number("progress") / 100,
    startedAt: attempt.number("startTime"),
    endedAt: attempt.number("finishTime"),
    host: web.replace(/:\d+$/, ""),
    hostWeb: web,
    container: attempt.text("assignedContainerId"),
    diagnostics: attempt.text("diagnostics"),
  };
};

/** Of `attempt_1234_0001_m_000003_0` what is its own in the job: `m_000003_0`. */
export const shortName = (id: string): string => /[mr]_\d+(_\d+)?$/.exec(id)?.[0] ?? "";

/** A log comes with a few lines about itself. */
function logContents(text: string): string {
  const mark = "LogContents:\n";
  const at = text.indexOf(mark);
  const contents = at < 0 ? text : text.slice(at + mark.length);
  return contents.replace(/\nEnd of LogType:[\s\S]*$/, "");
}
