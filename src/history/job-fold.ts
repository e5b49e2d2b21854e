import { defined } from "../base/assert.ts";
import { cell } from "../base/rows.ts";
import { ATTEMPT_KINDS } from "../model/attempt.ts";
import type { Node } from "../model/cluster.ts";
import type { Fact } from "../model/fact.ts";
import type { JobId } from "../model/ids.ts";
import { type Job, mayBeCopied, type Phase, type Stage } from "../model/job.ts";
import { AttemptFold, type JobPlace, type PastAttempt } from "./attempts.ts";
import { LOCALITIES, TRACE_ENDS } from "./columns.ts";
import { ColumnsBuilder } from "./columns-builder.ts";
import { InputBytes } from "./input-bytes.ts";
import {
  type Recorded,
  type Signal,
  type SlotSpan,
  TRACE_PHASE_KINDS,
  type TraceJob,
  type TracePhase,
  type TracePhaseKind,
} from "./model.ts";

/** The signals that no run of ours records. */
export const LACKS: readonly Signal[] = [
  "records",
  "GC",
  "fetch wait",
  "deserialisation",
  "CPU time",
  "spill",
  "executors",
];

/** The facts that make up jobs, for a caller that wants no others. */
export const JOB_FACTS = [
  "node-joined",
  "node-lost",
  "job-submitted",
  "job-ended",
  "attempt-launched",
  "attempt-dying",
  "attempt-ended",
  "read-output-made",
] as const;

/** The cluster of a run, and the rules under which it ran. */
export interface RunSetup {
  readonly slotKinds: readonly string[];
  readonly racks: readonly string[];
  readonly settings: Recorded;
}

/** The stages of a phase's tasks, if there are several. */
export function stagesOf({ tasks }: Pick<Phase, "tasks">): { readonly stages?: readonly Stage[] } {
  const stages = tasks.at(0)?.stages ?? [];
  return stages.length > 1 ? { stages } : {};
}

/** An attempt that has got its row. */
export interface AddedAttempt {
  readonly past: PastAttempt;
  readonly attempts: ColumnsBuilder;
  readonly row: number;
}

interface OpenJob {
  readonly place: JobPlace;
  /** The attempts of each phase. */
  readonly phases: readonly ColumnsBuilder[];
  readonly inputBytes: InputBytes;
  outcome: TraceJob["outcome"];
  /** Attempts that end from now on get no rows. */
  isClosed: boolean;
}

/** The one fold of facts into jobs with their phases and attempts, on every host. */
export class JobFold {
  readonly attempts = new AttemptFold();
  readonly #setup: RunSetup;
  readonly #nodes: (Node | undefined)[] = [];
  readonly #slots: (SlotSpan & { until?: number })[] = [];
  readonly #jobs = new Map<JobId, OpenJob>();

  constructor(setup: RunSetup) {
    this.#setup = setup;
  }

  /** Returns the attempt that ended by this fact. */
  apply(fact: Fact): AddedAttempt | undefined {
    const past = this.attempts.apply(fact);
    switch (fact.kind) {
      case "node-joined":
        this.#join(fact.node, fact.at);
        break;
      case "node-lost":
        this.#closeSlots(fact.node, fact.at);
        break;
      case "job-submitted":
        this.#submit(fact.job);
        break;
      case "job-ended":
        this.#job(fact.job).outcome = fact.outcome;
        break;
      case "output-made": {
        const task = this.attempts.findTask(fact.task);
        const { byPartition } = fact.output;
        if (task === undefined || byPartition === undefined) break;
        this.#job(task.of.job.id).inputBytes.wrote(task.phase, byPartition);
        break;
      }
      default:
    }
    return past && this.#add(past);
  }

  /** Ends the record of the jobs, by default of all: what is open in them gets its end and row. */
  close(jobs?: ReadonlySet<JobId>): readonly AddedAttempt[] {
    const added = this.attempts.close().flatMap((past) => {
      const { id } = past.of.task.of.job;
      return jobs === undefined || jobs.has(id) ? (this.#add(past) ?? []) : [];
    });
    for (const [id, job] of this.#jobs) {
      if (jobs === undefined || jobs.has(id)) job.isClosed = true;
    }
    return added;
  }

  /** Closes the jobs, by default all, and hands them over: the fold forgets them. */
  take(jobs?: ReadonlySet<JobId>): readonly TraceJob[] {
    this.close(jobs);
    const taken = [...this.#jobs].filter(([id]) => jobs === undefined || jobs.has(id));
    return taken.map(([id, job]) => {
      this.#jobs.delete(id);
      return this.#traceJob(job);
    });
  }

  #join(node: Node, at: number): void {
    this.#nodes[node.id] = node;
    this.#closeSlots(node.id, at);
    for (const { kind, count } of node.slots) {
      for (let n = 0; n < count; n++) {
        const slot = { kind: this.#kindOf(kind), node: node.id, executor: -1, from: at };
        this.#slots.push(slot);
      }
    }
  }

  #closeSlots(node: number, at: number): void {
    for (const slot of this.#slots) if (slot.node === node) slot.until ??= at;
  }

  #kindOf(slot: number): TracePhaseKind {
    const name = this.#setup.slotKinds[slot];
    return TRACE_PHASE_KINDS.find((kind) => kind === name) ?? "stage";
  }

  #submit(job: Job): void {
    const phases = job.phases.map(() => new ColumnsBuilder());
    const place = this.attempts.job(job.id);
    const inputBytes = new InputBytes(job);
    const open = { place, phases, inputBytes, outcome: "cut-off", isClosed: false } as const;
    this.#jobs.set(job.id, { ...open });
  }

  /** Undefined if the attempt's job has been closed. */
  #add(past: PastAttempt): AddedAttempt | undefined {
    const { of, ended, endedAt, heardAt } = past;
    const { task, ordinal, as, node, locality, launchedAt, dying } = of;
    const job = this.#jobs.get(task.of.job.id);
    if (job === undefined || job.isClosed) return undefined;
    const attempts = defined(job.phases[task.phase], "a phase's attempts");
    const row = attempts.append();
    const { columns } = attempts;
    columns.task[row] = task.index;
    columns.ordinal[row] = ordinal;
    columns.node[row] = node;
    columns.kinds[row] = ATTEMPT_KINDS.indexOf(as);
    columns.ends[row] = TRACE_ENDS.indexOf(ended);
    if (locality !== undefined) columns.localities[row] = LOCALITIES.indexOf(locality);
    columns.startedAt[row] = launchedAt;
    columns.endedAt[row] = endedAt;
    columns.heardAt[row] = heardAt;
    if (dying !== undefined) columns.score[row] = dying.score;
    if (ended === "succeeded") {
      columns.inputBytes[row] = job.inputBytes.of(task.phase, task.index);
    }
    return { past, attempts, row };
  }

  #job(id: JobId): OpenJob {
    return defined(this.#jobs.get(id), "a job that was submitted");
  }

  #traceJob({ place, phases, outcome }: OpenJob): TraceJob {
    const { job, endedAt = this.attempts.now } = place;
    return {
      id: job.name,
      name: job.name,
      user: job.user,
      submittedAt: job.submittedAt,
      endedAt,
      outcome,
      phases: job.phases.map((phase, index) =>
        this.#tracePhase(job, phase, defined(phases[index], "a phase's attempts")),
      ),
      spans: [],
      // Nodes of lower ids may not have joined: there are holes.
      nodes: Array.from(this.#nodes, (node, id) => node?.name ?? `@${id}`),
      racks: Array.from(this.#nodes, (node) =>
        node === undefined ? "" : defined(this.#setup.racks[node.rack], "a node's rack"),
      ),
      executors: [],
      slots: this.#slots,
      settings: this.#setup.settings,
      lacks: new Set(LACKS),
    };
  }

  #tracePhase(job: Job, phase: Phase, attempts: ColumnsBuilder): TracePhase {
    const reads = phase.after.map(({ phase: read, start }) => ({
      phase: job.phases.findIndex(({ id }) => id === read),
      start,
    }));
    return {
      name: phase.name,
      kind: this.#kindOf(cell(phase.slots[0])),

      span: -1,
      reads,
      ...stagesOf(phase),
      ...(mayBeCopied(job, phase) ? {} : { forbidsCopies: true }),
      tasks: phase.tasks.length,
      attempts: attempts.build(),
    };
  }
}
