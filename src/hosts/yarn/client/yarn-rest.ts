import { InputError } from "../../../base/input-error.ts";
import { type LogEnd, logEndOf } from "./container-log.ts";
import { JsonAnswer } from "./json-answer.ts";
import { ResourceManagers } from "./resource-managers.ts";
import { type HadoopService, NoAnswer, NotAllowed, type WebClient } from "./web-client.ts";

/** An application in the ResourceManager's records. */
export interface Application {
  readonly id: string;
  readonly state: string;
  readonly finalStatus: string;
  readonly diagnostics: string;
  /**
   * For instance `http://n1:8042/node/containerlogs/container_.../user`; empty before the master
   * runs.
   */
  readonly masterLogs: string;
}

/** A NodeManager. */
export interface ClusterNode {
  readonly host: string;
  readonly state: string;
}

export interface TaskRow {
  /** For instance `m_000003`. */
  readonly task: string;
  readonly state: string;
}

export interface AttemptRow {
  /** For instance `m_000003_0`. */
  readonly attempt: string;
  readonly state: string;
  readonly progress: number;
  /** Milliseconds since the epoch; 0 before the start. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly host: string;
  /** For instance `n1:8042`. */
  readonly hostWeb: string;
  readonly container: string;
  readonly diagnostics: string;
}

/** A file in the log directory of a container. */
export interface ContainerFile {
  /** The NodeManager's pages, for instance `n1:8042`. */
  readonly hostWeb: string;
  readonly container: string;
  readonly file: string;
}

/** The ResourceManager, the ApplicationMaster behind it and the history server, over REST. */
export class YarnRest {
  readonly #client: WebClient;
  readonly #managers: ResourceManagers;
  readonly #history: HadoopService;
  readonly #nodeScheme: "http" | "https";
  readonly #proxy: HadoopService | undefined;
  #historyRefusal: string | undefined;

  constructor(query: {
    readonly client: WebClient;
    /** The ResourceManagers, one of which is active. */
    readonly managers: readonly HadoopService[];
    readonly history: HadoopService;
    /** The scheme of the NodeManagers' pages. */
    readonly nodeScheme: "http" | "https";
    /** The proxy of ApplicationMasters; absent if the ResourceManager is the proxy. */
    readonly proxy?: HadoopService | undefined;
  }) {
    this.#client = query.client;
    this.#managers = new ResourceManagers(query.client, query.managers);
    this.#history = query.history;
    this.#nodeScheme = query.nodeScheme;
    this.#proxy = query.proxy;
  }

  /** Hadoop's version. Finds the active manager; InputError or NoAnswer if there is none. */
  version(): Promise<string> {
    return this.#managers.version();
  }

  async nodes(): Promise<readonly ClusterNode[]> {
    const answer = await this.#fromManager("/ws/v1/cluster/nodes");
    return answer
      .part("nodes")
      .items("node")
      .map((node) => ({
        host: node.text("nodeHostName"),
        state: node.text("state"),
      }));
  }

  /** The application that was submitted with the tag; undefined if there is none yet. */
  async taggedApplication(tag: string): Promise<Application | undefined> {
    return (await this.taggedApplications([tag]))[0];
  }

  /** The applications with one of the tags that the manager remembers. */
  async taggedApplications(tags: readonly string[]): Promise<readonly Application[]> {
    const answer = await this.#fromManager(`/ws/v1/cluster/apps?applicationTags=${tags}`);
    return answer.part("apps").items("app").map(applicationOf);
  }

  /** NoAnswer if the manager does not know the application: it may have lost its memory. */
  async application(id: string): Promise<Application> {
    const app = (await this.#fromManager(`/ws/v1/cluster/apps/${id}`)).part("app");
    if (app.text("id") === id) return applicationOf(app);
    throw new NoAnswer(`expected the ResourceManager to know of ${id}`);
  }

  /** The application's page for people, by the manager's configured name. */
  page(id: string): string {
    return `${this.#managers.active.base}/cluster/app/${id}`;
  }

  kill(id: string): Promise<void> {
    return this.#managers.put(`/ws/v1/cluster/apps/${id}/state`, { state: "KILLED" });
  }

  /** Why the history server denies access to jobs, so that it is not asked in vain. */
  get historyRefusal(): string | undefined {
    return this.#historyRefusal;
  }

  /** How many attempts have failed so far; 0 if YARN does not say. */
  async failedAttempts(job: string): Promise<number> {
    const known = (await this.#ofJob(job, ""))?.part("job");
    if (known === undefined) return 0;
    return known.number("failedMapAttempts") + known.number("failedReduceAttempts");
  }

  /**
   * The tasks, from the master while the job runs, then from the history. Undefined if neither
   * knows the job now.
   */
  async tasks(job: string): Promise<readonly TaskRow[] | undefined> {
    const answer = await this.#ofJob(job, "/tasks");
    return answer
      ?.part("tasks")
      .items("task")
      .map((task) => ({
        task: shortName(task.text("id")),
        state: task.text("state"),
      }));
  }

  async attempts(job: string, task: string): Promise<readonly AttemptRow[] | undefined> {
    const whole = `task${job.slice("job".length)}_${task}`;
    const answer = await this.#ofJob(job, `/tasks/${whole}/attempts`);
    return answer?.part("taskAttempts").items("taskAttempt").map(attemptOf);
  }

  /** The counter's value so far, over all maps and over all reduces. */
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

  /** The last bytes of a container's log, from its node. Undefined if the log is not there. */
  nodeLog({ hostWeb, container, file }: ContainerFile, bytes: number): Promise<LogEnd | undefined> {
    const node = `${this.#nodeScheme}://${hostWeb}`;
    return this.#logAt(`${node}/ws/v1/node/containerlogs/${container}/${file}`, bytes);
  }

  /** As `nodeLog`, and also from HDFS if logs moved there after the application's end. */
  async log(of: ContainerFile, bytes: number): Promise<LogEnd | undefined> {
    const kept = `${this.#history.base}/ws/v1/history/containerlogs/${of.container}/${of.file}`;
    return (await this.nodeLog(of, bytes)) ?? this.#logAt(kept, bytes);
  }

  async #logAt(url: string, bytes: number): Promise<LogEnd | undefined> {
    try {
      const asked = { method: "GET", url: `${url}?size=-${bytes}` } as const;
      const { status, body } = await this.#client.ask(asked);
      return status === 200 ? logEndOf(body, bytes) : undefined;
    } catch (error) {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    }
  }

  async #fromManager(path: string): Promise<JsonAnswer> {
    return (await this.#managers.json(path)) ?? new JsonAnswer({}, path);
  }

  async #ofJob(job: string, path: string): Promise<JsonAnswer | undefined> {
    const application = `application${job.slice("job".length)}`;
    const running = `/proxy/${application}/ws/v1/mapreduce/jobs/${job}${path}`;
    const ended = `/ws/v1/history/mapreduce/jobs/${job}${path}`;
    for (const [service, where] of [
      [this.#proxy ?? this.#managers.active, running],
      [this.#history, ended],
    ] as const) {
      const answer = await this.#client.json(service, where).catch((error: unknown) => {
        if (error instanceof NotAllowed && service === this.#history) {
          this.#historyRefusal = error.message;
        }
        // The master may be starting or ending.
        if (error instanceof NoAnswer || error instanceof InputError) return undefined;
        throw error;
      });
      if (answer !== undefined) return new JsonAnswer(answer, where);
    }
    return undefined;
  }
}

export const hasEnded = ({ state }: Application): boolean => ENDED.has(state);

const ENDED: ReadonlySet<string> = new Set(["FINISHED", "FAILED", "KILLED"]);

const applicationOf = (app: JsonAnswer): Application => ({
  id: app.text("id"),
  state: app.text("state"),
  finalStatus: app.text("finalStatus"),
  diagnostics: app.text("diagnostics"),
  masterLogs: app.text("amContainerLogs"),
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

/** The part of `attempt_1234_0001_m_000003_0` that is its own in the job: `m_000003_0`. */
export const shortName = (id: string): string => /[mr]_\d+(_\d+)?$/.exec(id)?.[0] ?? "";
