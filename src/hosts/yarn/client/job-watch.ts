import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../../../base/input-error.ts";
import type { Timeless } from "../../../base/without.ts";
import type { NodeProgress, PhaseProgress, RunEvent } from "../../../run/run-event.ts";
import { DECISIONS_FILE, JOURNAL_FILE } from "../policy/decisions-file.ts";
import { COUNTER_GROUP, COUNTERS } from "../task/task-list.ts";
import { type AttemptFailed, attemptFailed, failureOf } from "./attempt-failure.ts";
import { begun } from "./attempt-story.ts";
import { type LogEnd, LogFollower } from "./container-log.ts";
import { type Decision, readDecisions } from "./decisions.ts";
import type { JournalCopies } from "./journal-copies.ts";
import { type Patience, Silence } from "./silence.ts";
import { type TaskNames, taskOf } from "./task-names.ts";
import { TasksLookedAt } from "./tasks-looked-at.ts";
import { NoAnswer } from "./web-client.ts";
import {
  type Application,
  type AttemptRow,
  type ContainerFile,
  hasEnded,
  type TaskRow,
  type YarnRest,
} from "./yarn-rest.ts";

type ReadLog = (file: ContainerFile, bytes: number) => Promise<LogEnd | undefined>;

const POLL_MS = 1_000;
const PATIENCE: Patience = { patienceMs: 120_000, firstMs: 5_000, againMs: 30_000 };

/** One running Hadoop job, polled from outside once a second. */
export class JobWatch {
  readonly #rest: YarnRest;
  readonly #names: TaskNames;
  readonly #emit: (event: Timeless<RunEvent>) => void;
  readonly #application: string;
  readonly #counted: (failure: AttemptFailed) => Promise<AttemptFailed>;
  readonly #patience: Patience;
  /** The rows last seen, by task. */
  readonly #attempts = new Map<string, readonly AttemptRow[]>();
  readonly #known = new Set<string>();
  readonly #failures = new Map<string, AttemptFailed>();
  /** The decisions of all masters of the job, the first master's first. */
  readonly #decisions: Decision[] = [];
  /** Tasks for which the policies have asked for a copy or a kill. */
  readonly #decided = new Set<string>();
  readonly #journals: JournalCopies | undefined;
  /** The latest master that has a container. */
  #master = new WatchedMaster({ container: "", hostWeb: "" });

  constructor(query: {
    readonly rest: YarnRest;
    readonly names: TaskNames;
    readonly emit: (event: Timeless<RunEvent>) => void;
    readonly application: string;
    /** Counts a failure's lines from the file's start, if that takes only a moment. */
    readonly counted: (failure: AttemptFailed) => Promise<AttemptFailed>;
    /** How long the cluster may be silent, and when the silence is reported. */
    readonly patience?: Patience;
    readonly journals?: JournalCopies | undefined;
  }) {
    this.#journals = query.journals;
    this.#rest = query.rest;
    this.#names = query.names;
    this.#emit = query.emit;
    this.#application = query.application;
    this.#counted = query.counted;
    this.#patience = query.patience ?? PATIENCE;
  }

  get job(): string {
    return `job${this.#application.slice("application".length)}`;
  }

  /** The decisions seen so far. */
  get decisions(): readonly Decision[] {
    return this.#decisions;
  }

  /** By task, the rows last seen; not every task is present. */
  get attempts(): ReadonlyMap<string, readonly AttemptRow[]> {
    return this.#attempts;
  }

  /**
   * By attempt, the failures seen while the application ran, since their logs may be gone later.
   */
  get failures(): ReadonlyMap<string, AttemptFailed> {
    return this.#failures;
  }

  /**
   * Polls until the application ends; InputError if the cluster stays silent for long. Rejects when
   * `left` aborts.
   */
  async toItsEnd(left?: AbortSignal): Promise<Application> {
    const silence = new Silence((line) => this.#warn("client", line), this.#patience);
    try {
      return await this.#untilItEnds(silence, left);
    } finally {
      silence.over();
    }
  }

  async #untilItEnds(silence: Silence, left?: AbortSignal): Promise<Application> {
    for (let heardAt = performance.now(); ; ) {
      try {
        const application = await this.#rest.application(this.#application);
        silence.heard();
        if (hasEnded(application)) return application;
        await this.#look(application);
        heardAt = performance.now();
      } catch (error) {
        const isPassing = error instanceof NoAnswer || error instanceof InputError;
        if (!isPassing || performance.now() - heardAt > this.#patience.patienceMs) throw error;
        silence.missed(error);
      }
      await sleep(POLL_MS, undefined, { signal: left });
    }
  }

  /** Reads the decisions after the last look, if the log still exists. */
  async lookAtTheEnd(application: Application): Promise<void> {
    await this.#lookAtDecisions(application, (file, bytes) => this.#rest.log(file, bytes));
  }

  async #look(application: Application): Promise<void> {
    const tasks = await this.#rest.tasks(this.job);
    if (tasks === undefined) return;
    await this.#lookAtDecisions(application, (file, bytes) => this.#rest.nodeLog(file, bytes));
    const looked = await this.#lookAtAttempts(tasks);
    await this.#emitAttempts(looked);
    await this.#emitProgress(tasks, looked);
  }

  /** Looks at the attempts of some tasks, and returns these tasks. */
  async #lookAtAttempts(tasks: readonly TaskRow[]): Promise<readonly string[]> {
    const master = this.#master;
    const looked = master.lookedAt.next({
      tasks,
      decided: this.#decided,
      failed: await this.#rest.failedAttempts(this.job),
      known: master.failed.size,
    });
    for (const task of looked) {
      const rows = await this.#rest.attempts(this.job, task);
      // A master that is ending may not answer: the earlier rows stay.
      if (rows !== undefined) this.#attempts.set(task, rows);
      for (const { attempt, state } of rows ?? []) {
        if (state === "FAILED") master.failed.add(attempt);
      }
    }
    return looked;
  }

  async #lookAtDecisions({ masterLogs }: Application, read: ReadLog): Promise<void> {
    const [, hostWeb, container] =
      /^https?:\/\/([^/]+)\/node\/containerlogs\/([^/]+)/.exec(masterLogs) ?? [];
    if (hostWeb === undefined || container === undefined) return;
    if (container !== this.#master.container) {
      // Reads the rest of the previous master's log.
      if (this.#master.container !== "") await this.#emitDecisions(this.#master, read);
      this.#master = new WatchedMaster({ container, hostWeb });
      const { attempt } = this.#master;
      const line = `attempt ${attempt} takes over on ${hostWeb.replace(/:\d+$/, "")}`;
      const kept = "the one before has ended; tasks that are done stay done";
      if (attempt > 1) this.#warn("ApplicationMaster", `${line}: ${kept}`);
    }
    await this.#emitDecisions(this.#master, read);
    const from = { hostWeb, container, file: JOURNAL_FILE };
    await this.#journals?.look(container, (bytes) => read(from, bytes));
  }

  async #emitDecisions({ log, hostWeb, container }: WatchedMaster, read: ReadLog): Promise<void> {
    const file = { hostWeb, container, file: DECISIONS_FILE };
    const { lines, passedOverBytes } = await log.newLines((bytes) => read(file, bytes));
    if (passedOverBytes > 0) {
      const line = `${passedOverBytes} bytes of what was decided are too much to be shown here`;
      this.#warn("policies", line);
    }
    for (const decision of readDecisions(lines)) {
      this.#decisions.push(decision);
      if (decision.kind === "copy") this.#decided.add(decision.task);
      if (decision.kind === "kill") this.#decided.add(taskOf(decision.attempt));
      this.#emitDecision(decision);
    }
  }

  #warn(node: string, line: string): void {
    this.#emit({ kind: "log", node, stream: "stderr", line });
  }

  #emitDecision(decision: Decision): void {
    switch (decision.kind) {
      case "copy": {
        const task = this.#names.task(decision.task).name;
        this.#emit({ kind: "request-made", task, as: "speculative", why: decision.why });
        return;
      }
      case "kill": {
        const { attempt, why } = decision;
        const node = this.#row(attempt)?.host ?? "its node";
        this.#emit({
          kind: "attempt-dying",
          attempt: this.#names.attempt(attempt),
          node,
          then: "restart",
          why,
        });
        return;
      }
      case "refused": {
        const line = `request ${decision.command} refused: ${decision.reason}`;
        this.#emit({ kind: "log", node: "ApplicationMaster", stream: "stdout", line });
        return;
      }
      case "log":
        this.#warn("policies", decision.text);
        return;
      default:
    }
  }

  #row(attempt: string): AttemptRow | undefined {
    return this.#attempts.get(taskOf(attempt))?.find((row) => row.attempt === attempt);
  }

  /** Reports once each launch of an attempt beside or instead of another, and each failure. */
  async #emitAttempts(tasks: readonly string[]): Promise<void> {
    for (const rows of tasks.map((task) => this.#attempts.get(task) ?? [])) {
      for (const row of rows) {
        const attempt = this.#names.attempt(row.attempt);
        const { as, why } = begun(row, rows, this.decisions);
        // The decision that names a copy's attempt may be read after the attempt is seen.
        const isKnown = row.host !== "" && as !== "original";
        if (isKnown && this.#isNews(`${row.attempt} began`)) {
          this.#emit({ kind: "attempt-launched", attempt, as, node: row.host, why });
        }
        if (row.state !== "FAILED" || !this.#isNews(`${row.attempt} failed`)) continue;
        const failure = await this.#counted(await failureOf(this.#rest, row));
        this.#failures.set(row.attempt, failure);
        const how = attemptFailed(failure);
        const ranMs = row.endedAt - row.startedAt;
        this.#emit({ kind: "attempt-ended", attempt, as, node: row.host, how, ranMs });
      }
    }
  }

  #isNews(what: string): boolean {
    if (this.#known.has(what)) return false;
    this.#known.add(what);
    return true;
  }

  async #emitProgress(tasks: readonly TaskRow[], looked: readonly string[]): Promise<void> {
    const shares = await this.#rest.counterShares(this.job, COUNTER_GROUP, COUNTERS.progress);
    const phases = this.#names.phases.map(({ name }) => {
      const own = tasks.filter(({ task }) => this.#names.task(task).phase === name);
      return phaseProgress(name, own, this.#attempts, shares);
    });
    const nodes = new Map<string, NodeProgress>();
    for (const task of looked) {
      const rows = this.#attempts.get(task) ?? [];
      for (const row of rows.filter(({ state, host }) => state === "RUNNING" && host !== "")) {
        const { attempts = [] } = nodes.get(row.host) ?? {};
        const { as } = begun(row, rows, this.decisions);
        const attempt = { attempt: this.#names.attempt(row.attempt), as, score: row.progress };
        const all = [...attempts, attempt];
        nodes.set(row.host, { name: row.host, state: "live", slowedBy: 1, attempts: all });
      }
    }
    const [first] = tasks;
    if (first === undefined) return;
    const job = this.#names.task(first.task).name.split("/")[0] ?? "";
    const byName = [...nodes.values()].sort((x, y) => (x.name < y.name ? -1 : 1));
    this.#emit({ kind: "job-progressed", job, phases, nodes: byName });
  }
}

function phaseProgress(
  name: string,
  tasks: readonly TaskRow[],
  attempts: ReadonlyMap<string, readonly AttemptRow[]>,
  shares: { readonly map: number; readonly reduce: number },
): PhaseProgress {
  const count = (state: string): number => tasks.filter((task) => task.state === state).length;
  const isMap = tasks[0]?.task.startsWith("m") ?? true;
  const done = count("SUCCEEDED");
  const running = count("RUNNING");
  const inPart = isMap ? shares.map : shares.reduce;
  const twice = tasks.filter(({ task, state }) => {
    const rows = attempts.get(task) ?? [];
    return state === "RUNNING" && rows.filter((row) => row.state === "RUNNING").length > 1;
  });
  return {
    name,
    tasks: tasks.length,
    done,
    running,
    waiting: tasks.length - done - running,
    speculated: twice.length,
    score: Math.max(done / tasks.length, Math.min(1, inPart / (1_000 * tasks.length))),
  };
}

/** One of a job's masters, and how far its log has been read. */
class WatchedMaster {
  /** The master's own container, whose log directory has the policies' decisions. */
  readonly container: string;
  /** The pages of the master's node, for instance `n1:8042`. */
  readonly hostWeb: string;
  readonly log = new LogFollower();
  readonly lookedAt = new TasksLookedAt();
  /** The master's number among the job's masters, from 1. */
  readonly attempt: number;
  /** Attempts that this master reported as failed; an earlier master may know of others. */
  readonly failed = new Set<string>();

  constructor({ container, hostWeb }: Pick<ContainerFile, "container" | "hostWeb">) {
    this.container = container;
    this.hostWeb = hostWeb;
    // `container_1_0001_02_000001`, or `container_e17_1_...` after a restart of the
    // ResourceManager.
    this.attempt = Number(/_(\d+)_\d+$/.exec(container)?.[1] ?? 1);
  }
}
