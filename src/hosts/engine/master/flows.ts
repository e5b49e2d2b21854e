import { defined } from "../../../base/assert.ts";
import type { Action, JobOutcome } from "../../../model/action.ts";
import { type JobId, jobId } from "../../../model/ids.ts";
import type { Job } from "../../../model/job.ts";
import type { Why } from "../../../model/why.ts";
import type { JobPlan } from "../../../run/job-plan.ts";
import type { Failure } from "../../../run/run-result.ts";
import type { OutputDirectory } from "../output-directory.ts";
import { DatasetStore } from "./dataset-store.ts";
import { FlowRun } from "./flow-run.ts";
import type { JobRun } from "./job-run.ts";
import type { MasterContext } from "./master-context.ts";

export interface Submitted {
  readonly job: FlowRun;
  readonly end: Promise<JobEnd>;
}

export interface JobEnd {
  readonly outcome: JobOutcome;
  readonly why: Why;
}

/**
 * The flows of a master, each a sequence of jobs: submits one job after another and ends the flows.
 */
export class Flows {
  readonly #context: MasterContext;
  readonly #home: string;
  /** Flows that have not ended, each with the function that resolves its end. */
  readonly #live = new Map<FlowRun, (end: JobEnd) => void>();
  readonly #released = new Set<FlowRun>();
  #ids = { job: jobId(0), phase: 0, task: 0 };

  /** `home` is the directory of the datasets of flows that have none of their own. */
  constructor(context: MasterContext, home: string) {
    this.#context = context;
    this.#home = home;
  }

  get size(): number {
    return this.#live.size;
  }

  has(flow: FlowRun): boolean {
    return this.#live.has(flow);
  }

  get underWay(): readonly JobRun[] {
    return [...this.#live.keys()].filter((flow) => flow.isUnderWay).map(({ current }) => current);
  }

  open(plan: JobPlan, output: OutputDirectory, home = this.#home): Submitted {
    const job = new FlowRun(plan, output, new DatasetStore(home));
    const end = new Promise<JobEnd>((resolve) => {
      this.#live.set(job, resolve);
    });
    return { job, end };
  }

  /** Registers the flow's next job with the master and the nodes. */
  enter(flow: FlowRun): Job {
    const { nodes, now, jobs } = this.#context;
    const run = flow.next(this.#ids, now);
    const { described } = run;
    this.#countIds(described);
    jobs.set(run.id, run);
    for (const node of nodes) node.send({ kind: "job", job: run.forNodes });
    return described;
  }

  submitNext(flow: FlowRun): void {
    const job = this.enter(flow);
    this.announce(flow.current);
    this.#context.driver.feed({ kind: "job-submitted", job });
  }

  announce({ described: { name, phases }, round }: JobRun): void {
    const tasks = phases.flatMap((phase) => [...phase.tasks]);
    this.#context.emit({
      kind: "job-submitted",
      job: name,
      phases: phases.map((phase) => ({ name: phase.name, tasks: phase.tasks.length })),
      inputBytes: tasks.reduce((sum, { inputBytes = 0 }) => sum + inputBytes, 0),
      ...(round !== undefined && { round }),
    });
  }

  /** Fails the flow of the job, which may be over, unless the flow itself has ended. */
  failLate(job: JobId, failure: Failure): void {
    const flow = [...this.#live.keys()].find(({ jobIds }) => jobIds.includes(job));
    if (flow === undefined) return;
    flow.failLate(failure);
    this.#context.driver.feed({ kind: "job-killed", job: flow.current.id });
  }

  jobEnded({ job, outcome, why }: Extract<Action, { kind: "end-job" }>): void {
    const context = this.#context;
    const { name } = defined(context.jobs.get(job), "the job that ended");
    context.emit({ kind: "job-ended", job: name, outcome, why });
    for (const node of context.nodes) node.send({ kind: "forget", job });
    const flow = [...this.#live.keys()].find((one) => one.hasBegun && one.current.id === job);
    if (flow === undefined) return;
    flow.ended(outcome);
    const how = flow.hasProblem ? "failed" : outcome;
    if (how !== "succeeded" || !flow.hasNext) {
      this.#live.get(flow)?.({ outcome: how, why });
      this.#live.delete(flow);
    } else if (!context.isCatchingUp) {
      this.submitNext(flow);
    }
  }

  /** Forgets the flow when its last attempt has ended. */
  release(flow: FlowRun): void {
    this.#released.add(flow);
    for (const each of this.#released) {
      if (!this.#context.forget(each.jobIds, (name) => each.owns(name))) continue;
      this.#released.delete(each);
    }
  }

  #countIds({ id, phases }: Job): void {
    const tasks = phases.reduce((sum, phase) => sum + phase.tasks.length, 0);
    const { phase, task } = this.#ids;
    this.#ids = { job: jobId(id + 1), phase: phase + phases.length, task: task + tasks };
  }
}
