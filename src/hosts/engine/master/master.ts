import { defined } from "../../../base/assert.ts";
import { SETUP_DEFAULTS, type Setup } from "../../../core/setup.ts";
import { unmetWants } from "../../../core/wants.ts";
import type { JobOutcome } from "../../../model/action.ts";
import type { Capability } from "../../../model/cluster.ts";
import type { Fault } from "../../../model/fault.ts";
import { type Instant, instant, type JobId, jobId } from "../../../model/ids.ts";
import type { Job } from "../../../model/job.ts";
import { rule, type Why } from "../../../model/why.ts";
import type { Discipline } from "../../../policy/policy.ts";
import { describeJob, type JobPlan, SLOT_KINDS } from "../job-plan.ts";
import type { OutputDirectory } from "../output-directory.ts";
import type { RunDirectory } from "../run-directory.ts";
import type { RunEvent } from "../run-event.ts";
import type { NodeFacts } from "../run-result.ts";
import { carryOut } from "./carry-out.ts";
import { Cluster } from "./cluster.ts";
import { Driver } from "./driver.ts";
import type { EngineNode } from "./engine-node.ts";
import { Faults } from "./faults.ts";
import { JobRun } from "./job-run.ts";
import { JournalFile } from "./journal-file.ts";
import { LineFile } from "./line-file.ts";
import { NodeNews } from "./node-news.ts";
import { Office } from "./office.ts";
import { progressOf } from "./progress.ts";

/** What this host does for policies. It has one rack, so there is nothing to replicate to. */
const CAPABILITIES: readonly Capability[] = [
  "slot-offers",
  "requests",
  "placement",
  "kill-restart",
  "kill-only",
  "prefer",
  "recompute",
];

const RUN_ENDED = rule("run-ended");

export interface MasterSettings {
  readonly directory: RunDirectory;
  readonly discipline: Discipline;
  readonly nodes: number;
  readonly slots: number;
  readonly heartbeatMs: number;
  readonly askAgainMs: number;
  readonly taskTimeoutMs: number;
  readonly attemptsMax: number;
  readonly seed: number;
  readonly explain: boolean;
  readonly faults: readonly Fault[];
  readonly onEvent: (event: RunEvent) => void;
  /** Something of ours, or of a listener, has thrown: the run cannot go on. */
  readonly broken: (error: unknown) => void;
}

export interface JobEnd {
  readonly outcome: JobOutcome;
  readonly why: Why;
}

/** Owns the core: tells it what the nodes report, and has the nodes do what it asks. */
export class Master {
  readonly office: Office;
  readonly #settings: MasterSettings;
  readonly #journal: JournalFile;
  /** What nodes and the user's code print. */
  readonly #log: LineFile;
  readonly #cluster: Cluster;
  readonly #faults: Faults;
  readonly #begun = performance.now();
  readonly #ticker: NodeJS.Timeout;
  readonly #ends = new Map<JobId, (end: JobEnd) => void>();
  readonly #started: Promise<void>;
  #allReady: () => void = () => {};
  #ids = { job: jobId(0), phase: 0, task: 0 };

  /** InputError if the discipline needs what this host cannot do. */
  constructor(settings: MasterSettings) {
    this.#settings = settings;
    const { directory, explain, heartbeatMs, onEvent } = settings;
    const setup = setupOf(settings);
    const guard = (act: () => void): void => this.#guard(act);
    const now = (): number => this.#now();
    this.#journal = new JournalFile(directory.journal, setup, { explain });
    this.#log = new LineFile(directory.log);
    const driver = new Driver({
      setup,
      explain,
      journal: this.#journal,
      clock: () => instant(now()),
      carryOut: (action) => carryOut(this.office, action, this),
    });
    this.#started = new Promise((resolve) => {
      this.#allReady = resolve;
    });
    const news = new NodeNews(() => this.office, {
      log: (line) => this.#log.add(line),
      changed: () => this.#faults.refresh(),
      allReady: () => this.#allReady(),
    });
    this.#cluster = new Cluster({ ...settings, now, guard }, news);
    const { nodes } = this.#cluster;
    this.office = new Office({ nodes, driver, journal: this.#journal, now, onEvent });
    this.#faults = new Faults({
      faults: settings.faults,
      seed: settings.seed,
      cluster: this.#cluster,
      guard,
      told: (node, what) => this.#told(node, what),
    });
    this.#ticker = setInterval(() => {
      this.#guard(() => {
        this.#tick();
        this.#giveUpWithoutNodes();
      });
    }, heartbeatMs);
  }

  /** Resolves when every node has joined. */
  start(): Promise<void> {
    const { directory, nodes } = this.#settings;
    this.office.write("run", { id: directory.id, nodes });
    this.office.tell({
      kind: "run-started",
      id: directory.id,
      runDirectory: directory.path,
      journal: directory.journal,
      nodes: this.office.nodes.map(({ name }) => name),
    });
    for (const unmet of unmetWants(setupOf(this.#settings))) {
      this.office.tell({ kind: "want-unmet", ...unmet });
    }
    this.#cluster.start();
    return this.#started;
  }

  /** Resolves when the core has ended the job; its output is not committed yet. */
  submit(plan: JobPlan, output: OutputDirectory): { job: JobRun; end: Promise<JobEnd> } {
    const described = describeJob(plan, this.#ids, this.#now());
    this.#countIds(described);
    const job = new JobRun(described, plan, output);
    this.office.jobs.set(job.id, job);
    for (const node of this.office.nodes) node.tell({ kind: "job", job: job.forNodes });
    const end = new Promise<JobEnd>((resolve) => {
      this.#ends.set(job.id, resolve);
    });
    this.office.tell({
      kind: "job-submitted",
      job: job.name,
      phases: described.phases.map(({ name, tasks }) => ({ name, tasks: tasks.length })),
      inputBytes: plan.input.totalBytes,
    });
    this.#faults.begin();
    this.office.driver.tell({ kind: "job-submitted", job: described });
    return { job, end };
  }

  /** The job's parts become its output. */
  commit(job: JobRun): void {
    job.output.commit();
    this.office.write("commit", {
      job: job.name,
      output: job.output.path,
      parts: job.parts.length,
    });
  }

  /** Unless it has ended. */
  kill(job: JobRun): void {
    if (!this.#ends.has(job.id)) return;
    this.#guard(() => this.office.driver.tell({ kind: "job-killed", job: job.id }));
  }

  wake(at: Instant): void {
    this.office.driver.wakeAt(at, (act) => this.#guard(act));
  }

  jobEnded(job: JobId, outcome: JobOutcome, why: Why): void {
    // The core forgets the job with the next step.
    this.#tick();
    const { name } = defined(this.office.jobs.get(job), "the job that ended");
    this.office.tell({ kind: "job-ended", job: name, outcome, why });
    for (const node of this.office.nodes) node.tell({ kind: "forget", job });
    this.#ends.get(job)?.({ outcome, why });
    this.#ends.delete(job);
  }

  /** No process is left when this resolves, and the journal is whole. */
  async stop(how: "release" | "kill"): Promise<void> {
    clearInterval(this.#ticker);
    this.#faults.cancel();
    this.office.driver.stop();
    await this.#cluster.stop(how);
    await this.#faults.stop();
    // A listener that throws must not keep the rest from being cleared away.
    this.#guard(() => this.#endAttempts());
    for (const { name, slowed } of this.nodeFacts) {
      if (slowed !== undefined) this.office.write("slowed", { node: name, ...slowed });
    }
    this.#journal.close();
    this.#log.close();
  }

  #endAttempts(): void {
    for (const attempt of [...this.office.attempts.all]) {
      this.office.end(attempt, {
        kind: "killed",
        by: attempt.killedFor === undefined ? "host" : "us",
        why: attempt.killedFor ?? RUN_ENDED,
      });
    }
  }

  get nodeFacts(): readonly NodeFacts[] {
    return this.office.nodes.map((node) => {
      const { name, lostAt, crashes } = node;
      const account = this.#faults.account(node);
      const lost = lostAt === undefined ? {} : { lostAt };
      if (account === undefined || account.gotMs === 0) return { name, crashes, ...lost };
      const slowed = {
        factor: account.factorMs / account.forMs,
        achieved: account.unslowedMs / account.gotMs,
        forMs: Math.round(account.forMs),
      };
      return { name, crashes, ...lost, slowed };
    });
  }

  #told(node: EngineNode, what: string): void {
    this.office.write("fault", { node: node.name, what });
    this.office.tell({ kind: "fault", node: node.name, what });
  }

  /** Whole milliseconds since the run began: never backwards, and easy to read. */
  #now(): number {
    return Math.floor(performance.now() - this.#begun);
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#settings.broken(error);
    }
  }

  #tick(): void {
    this.#journal.flush();
    this.#log.flush();
    for (const job of this.#ends.keys()) {
      const run = defined(this.office.jobs.get(job), "a live job");
      this.office.tell({ kind: "job-progressed", ...progressOf(this.office, run) });
    }
  }

  /** A cluster without a machine would wait for ever. */
  #giveUpWithoutNodes(): void {
    const { nodes } = this.office;
    if (this.#faults.awaitsReturn) return;
    const counts = (node: EngineNode): boolean => node.state === "live" || node.state === "silent";
    if (nodes.some((node) => !node.killed || counts(node))) return;
    throw new Error("every node has been killed, and none comes back");
  }

  #countIds({ id, phases }: Job): void {
    const tasks = phases.reduce((sum, phase) => sum + phase.tasks.length, 0);
    const { phase, task } = this.#ids;
    this.#ids = { job: jobId(id + 1), phase: phase + phases.length, task: task + tasks };
  }
}

function setupOf({ discipline, seed, askAgainMs, attemptsMax }: MasterSettings): Setup {
  return {
    ...SETUP_DEFAULTS,
    seed,
    slotKinds: SLOT_KINDS,
    racks: ["rack-1"],
    discipline,
    capabilities: CAPABILITIES,
    askAgainMs,
    attemptsMax,
  };
}
