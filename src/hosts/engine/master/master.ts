import { unmetWants } from "../../../core/wants.ts";
import { memoryShare, usualMemory } from "../../../data/task/task-resources.ts";
import { JobFold } from "../../../history/job-fold.ts";
import type { Action } from "../../../model/action.ts";
import type { Fault } from "../../../model/fault.ts";
import { type Instant, instant } from "../../../model/ids.ts";
import type { MissedFault } from "../../../model/missed-fault.ts";
import type { JobPlan } from "../../../run/job-plan.ts";
import type { MemoryFacts, NodeFacts } from "../../../run/run-result.ts";
import type { OutputDirectory } from "../output-directory.ts";
import { applyFact } from "./apply-fact.ts";
import { carryOut } from "./carry-out.ts";
import { Cluster, makeNodes } from "./cluster.ts";
import { Driver } from "./driver.ts";
import type { EngineNode } from "./engine-node.ts";
import { Faults } from "./faults.ts";
import type { FlowRun } from "./flow-run.ts";
import { Flows, type Submitted } from "./flows.ts";
import { JournalFile } from "./journal-file.ts";
import { LineFile } from "./line-file.ts";
import { MasterContext } from "./master-context.ts";
import { MemoryWatch } from "./memory-watch.ts";
import { askForMissed } from "./missed-outputs.ts";
import { NodeEvents } from "./node-events.ts";
import { progressOf } from "./progress.ts";
import { openLinks, RackEvents } from "./rack-events.ts";
import { catchUp } from "./recovery.ts";
import { type MasterSettings, setupOf } from "./settings.ts";
import { Watchdog } from "./watchdog.ts";

/** Limits the file of what nodes and the user's code print. */
const LOG_BYTES_MAX = 64e6;

/** Owns the core: feeds it the nodes' reports, and has the nodes carry out its actions. */
export class Master {
  readonly context: MasterContext;
  readonly #settings: MasterSettings;
  readonly #journal: JournalFile;
  /** Receives what nodes and the user's code print. */
  readonly #log: LineFile;
  readonly #cluster: Cluster;
  readonly #faults: Faults;
  readonly #racks: RackEvents;
  readonly #nodeEvents: NodeEvents;
  readonly #memory: MemoryWatch;
  readonly #watchdog: Watchdog;
  #begun = performance.now();
  /** The time of the journal's line during recovery. */
  #replayedTime: number | undefined;
  readonly #ticker: NodeJS.Timeout;
  readonly #flows: Flows;
  #isSubmitted = false;
  #haveFaultsBegun = false;
  #isReady = false;
  #resolveReady: () => void = () => {};
  /** Resolves when every node has been ready once. */
  readonly allReady = new Promise<void>((resolve) => {
    this.#resolveReady = resolve;
  });

  /** InputError if the discipline needs a capability that this host lacks. */
  constructor(settings: MasterSettings) {
    this.#settings = settings;
    const { directory, explain, heartbeatMs, onEvent, isResumed } = settings;
    const setup = setupOf(settings);
    const guard = (act: () => void): void => this.#guard(act);
    const now = (): number => this.#now();
    this.#journal = new JournalFile(directory.journal, setup, { explain, goesOn: isResumed });
    this.#log = new LineFile(directory.log, LOG_BYTES_MAX);
    const nodes = makeNodes(settings);
    const { slotKinds, racks } = setup;
    const history = new JobFold({ slotKinds, racks, settings: { values: {} } });
    // Facts and actions arrive with the first event, when all parts of the master exist.
    const driver = new Driver({
      setup,
      explain,
      journal: this.#journal,
      clock: () => instant(now()),
      record: (fact) => {
        history.apply(fact);
        applyFact(this.context, fact);
      },
      carryOut: (action) => this.#carryOut(action),
    });
    const { slots } = memoryShare(settings);
    const journal = this.#journal;
    this.context = new MasterContext({ nodes, slots, driver, history, journal, now, onEvent });
    this.#nodeEvents = new NodeEvents(this.context, {
      log: (line) => this.#log.add(line),
      changed: () => this.#faults.refresh(),
      allReady: () => {
        this.#isReady = true;
        this.#resolveReady();
        this.#memory.isIdle();
        this.#beginFaults();
      },
      failedLate: (job, failure) => this.#flows.failLate(job, failure),
    });
    const links = openLinks(settings);
    this.#memory = new MemoryWatch(settings.memoryBytes ?? usualMemory(), () => [
      process.pid,
      ...nodes.flatMap((node) => node.process?.pid ?? []),
    ]);
    this.#cluster = new Cluster(
      { ...settings, links: links?.directory, now, guard },
      nodes,
      this.#nodeEvents,
    );
    this.#flows = new Flows(this.context, directory.path);
    const { taskTimeoutMs } = settings;
    this.#watchdog = new Watchdog({ context: this.context, taskTimeoutMs, heartbeatMs });
    this.#racks = new RackEvents({ names: setup.racks, links, context: this.context });
    this.#faults = new Faults({
      faults: settings.faults,
      seed: settings.seed,
      cluster: this.#cluster,
      context: this.context,
      racks: this.#racks,
      guard,
    });
    this.#ticker = setInterval(() => {
      this.#guard(() => {
        this.#tick();
        if (this.#flows.size > 0) this.context.passSlotsOn();
        askForMissed(this.context);
        this.#watchdog.look(this.#flows.underWay);
        this.#giveUpWithoutNodes();
      });
    }, heartbeatMs);
  }

  /** Starts the nodes' processes. The core is not told yet, since the job may still be refused. */
  prepare(): void {
    const { directory, options, isResumed } = this.#settings;
    const { id } = directory;
    if (options === undefined) this.context.write({ kind: "serve", id });
    else if (!isResumed) this.context.write({ kind: "run", id, options });
    this.#cluster.start();
  }

  /** Lets the nodes join: each offers its slots as soon as its process is ready. */
  start(): void {
    this.#announceStart();
    for (const node of this.context.nodes) this.#nodeEvents.join(node);
    this.#racks.report();
    for (const node of this.context.nodes) if (!node.booting) this.context.offer(node);
  }

  #announceStart(): void {
    const { directory } = this.#settings;
    this.context.emit({
      kind: "run-started",
      id: directory.id,
      runDirectory: directory.path,
      journal: directory.journal,
      nodes: this.context.nodes.map(({ name }) => name),
    });
    for (const unmet of unmetWants(setupOf(this.#settings))) {
      this.context.emit({ kind: "want-unmet", ...unmet });
    }
  }

  /**
   * Submits a job. `end` resolves when the core has ended the whole flow, before the commit of its
   * output. Datasets live below `home`, by default the run's directory.
   */
  submit(plan: JobPlan, output: OutputDirectory, home?: string): Submitted {
    const { program: _, ...planned } = plan;
    this.context.write({ kind: "plan", plan: planned });
    const submitted = this.#flows.open(plan, output, home);
    this.#flows.submitNext(submitted.job);
    this.#isSubmitted = true;
    this.#beginFaults();
    return submitted;
  }

  /**
   * Rebuilds the state of a killed master from its journal, then continues as if the processes of
   * all nodes had crashed at once.
   */
  resume(plan: JobPlan, output: OutputDirectory): Submitted {
    const { context } = this;
    const submitted = this.#flows.open(plan, output);
    const { job } = submitted;
    context.isCatchingUp = true;
    const wakes = catchUp(this.#settings.directory.journal, {
      context,
      timeIs: (at) => {
        this.#replayedTime = at;
      },
      enterJob: () => this.#flows.enter(job),
      carryOut: (action) => this.#carryOut(action),
    });
    context.isCatchingUp = false;
    this.#begun = performance.now() - (this.#replayedTime ?? 0);
    this.#replayedTime = undefined;
    context.write({ kind: "resumed" });
    this.#announceStart();
    for (const at of wakes) this.#wakeAt(at);
    this.#isSubmitted = true;
    if (job.hasBegun) {
      this.#flows.announce(job.current);
      context.emit({ kind: "run-resumed", done: job.tasksDone });
      // The job had ended, and only its commit is missing.
      if (!this.#flows.has(job)) return submitted;
    }
    this.#nodeEvents.allCrashed();
    this.#racks.report();
    this.#cluster.start();
    if (!job.isUnderWay) this.#flows.submitNext(job);
    return submitted;
  }

  /** Starts the clock of the faults once the nodes are ready and a job is submitted. */
  #beginFaults(): void {
    if (!this.#isReady || !this.#isSubmitted || this.#haveFaultsBegun) return;
    this.#haveFaultsBegun = true;
    this.#faults.begin();
  }

  /** Starts a fault now; before the faults' clock runs, it starts with the others. */
  inject(fault: Fault): void {
    this.#guard(() => this.#faults.inject(fault));
  }

  /** Commits the job's parts as its output. */
  commit(job: FlowRun): void {
    const { path, isCommitted } = job.output;
    if (!isCommitted) {
      this.context.write({ kind: "commit-begun", output: path });
      job.output.commit();
    }
    this.context.write({ kind: "commit", job: job.name, output: path, parts: job.parts.length });
  }

  release(flow: FlowRun): void {
    this.#flows.release(flow);
  }

  /** Kills the flow unless it has ended. */
  kill(flow: FlowRun): void {
    if (!this.#flows.has(flow)) return;
    this.#guard(() => this.context.driver.feed({ kind: "job-killed", job: flow.current.id }));
  }

  /** Changes the sharing policy's pools or queues; the text is already checked. */
  tune(parameter: string, value: string): void {
    this.#guard(() => this.context.driver.feed({ kind: "sharing-tuned", parameter, value }));
  }

  #carryOut(action: Action): void {
    if (action.kind === "wake") this.#wakeAt(action.at);
    else if (action.kind === "end-job") this.#jobEnded(action);
    else carryOut(this.context, action);
  }

  #wakeAt(at: Instant): void {
    this.context.driver.wakeAt(at, (act) => this.#guard(act));
  }

  #jobEnded(action: Extract<Action, { kind: "end-job" }>): void {
    // The core forgets the job with its next step.
    this.#tick();
    this.#flows.jobEnded(action);
  }

  /** No process is left and the journal is complete when the promise resolves. */
  async stop(): Promise<void> {
    clearInterval(this.#ticker);
    this.#faults.cancel();
    this.context.driver.stop();
    await this.#cluster.stop();
    await this.#faults.stop();
    this.#racks.close();
    // A listener that throws must not prevent the rest of the clean-up.
    this.#guard(() => {
      const { context } = this;
      for (const live of [...context.attempts.all]) context.end(live, context.openEnding(live));
    });
    for (const { name, slowed } of this.nodeFacts) {
      if (slowed !== undefined) this.context.write({ kind: "slowed", node: name, ...slowed });
    }
    this.#journal.close();
    this.#log.close();
  }

  /** Kills all nodes without waiting, because this process is about to exit. */
  abandon(): void {
    this.#cluster.kill();
  }

  get memoryFacts(): MemoryFacts | undefined {
    return this.#memory.facts;
  }

  get faultsMissed(): readonly MissedFault[] {
    return this.#faults.missed;
  }

  get nodeFacts(): readonly NodeFacts[] {
    return this.context.nodes.map((node) => {
      const { name, crashes } = node;
      const lost = node.lost === undefined ? {} : { lostAt: node.lost.at };
      const slowed = this.#faults.slownessOf(node);
      const dead = node.killed ? { killed: true as const } : {};
      return { name, crashes, ...lost, ...dead, ...(slowed !== undefined && { slowed }) };
    });
  }

  /** Whole milliseconds since the run began: monotonic and easy to read. */
  #now(): number {
    return this.#replayedTime ?? Math.floor(performance.now() - this.#begun);
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
    this.#memory.mayLook({ isIdle: this.#isReady && !this.#isSubmitted });
    for (const job of this.#flows.underWay) {
      this.context.emit({ kind: "job-progressed", ...progressOf(this.context, job) });
    }
  }

  /** Ends the run when no node is left, since the job would wait for ever. */
  #giveUpWithoutNodes(): void {
    const { nodes } = this.context;
    if (this.#faults.awaitsReturn) return;
    const counts = (node: EngineNode): boolean => node.state === "live" || node.state === "silent";
    if (nodes.some((node) => !node.killed || counts(node))) return;
    throw new Error("every node has been killed, and none comes back");
  }
}
