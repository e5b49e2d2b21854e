import { defined } from "../../base/assert.ts";
import type { SetupDescription } from "../../core/journal/index.ts";
import type { Node } from "../../model/cluster.ts";
import type { ClusterEvent } from "../../model/event.ts";
import { type AttemptEnded, type Fact, heardAt, openEnd } from "../../model/fact.ts";
import type { AttemptId, JobId, TaskId } from "../../model/ids.ts";
import { type Job, mayBeCopied, type Phase, type Stage } from "../../model/job.ts";
import type { TraceAttempt } from "../columns.ts";
import { ColumnsBuilder } from "../columns-builder.ts";
import {
  type Signal,
  type SlotSpan,
  TRACE_PHASE_KINDS,
  type TraceJob,
  type TracePhase,
  type TracePhaseKind,
} from "../model.ts";
import { ProgressTimes } from "./progress-times.ts";

/** The signals that our journals never hold. */
export const LACKS: readonly Signal[] = [
  "records",
  "GC",
  "fetch wait",
  "deserialisation",
  "CPU time",
  "spill",
  "executors",
];

/** The stages of a phase's tasks, if there are several. */
export function stagesOf({ tasks }: Pick<Phase, "tasks">): { readonly stages?: readonly Stage[] } {
  const stages = tasks.at(0)?.stages ?? [];
  return stages.length > 1 ? { stages } : {};
}

interface OpenJob {
  readonly job: Job;
  readonly phases: readonly ColumnsBuilder[];
  endedAt: number | undefined;
  outcome: TraceJob["outcome"];
}

interface KnownTask {
  readonly job: OpenJob;
  readonly phase: number;
  readonly index: number;
  attempts: number;
  inputBytes: number | undefined;
}

type Launched = Pick<
  TraceAttempt,
  "task" | "ordinal" | "as" | "node" | "startedAt" | "locality" | "score"
> & { readonly of: KnownTask; readonly progress: ProgressTimes };

type Ended = Required<Pick<TraceAttempt, "ended" | "endedAt" | "heardAt">>;

/** A fold over facts that gathers jobs, phases and attempts. */
export class JournalJobs {
  readonly #setup: SetupDescription;
  readonly #nodes: (Node | undefined)[] = [];
  readonly #slots: (SlotSpan & { until?: number })[] = [];
  readonly #jobs = new Map<JobId, OpenJob>();
  readonly #tasks = new Map<TaskId, KnownTask>();
  readonly #open = new Map<AttemptId, Launched>();
  #now = 0;

  constructor(setup: SetupDescription) {
    this.#setup = setup;
  }

  /** Takes the reports of running attempts. The facts of the same step come first. */
  see(event: ClusterEvent): void {
    this.#now = Math.max(this.#now, event.at);
    if (event.kind !== "attempt-started" && event.kind !== "attempt-progressed") return;
    this.#open.get(event.attempt)?.progress.see(event.progress, event.at);
  }

  apply(fact: Fact): void {
    this.#now = fact.at;
    switch (fact.kind) {
      case "node-joined":
        this.#join(fact.node);
        break;
      case "node-lost":
        this.#closeSlots(fact.node, fact.at);
        break;
      case "job-submitted":
        this.#submit(fact.job);
        break;
      case "job-ended": {
        const job = defined(this.#jobs.get(fact.job), "a job that was submitted");
        job.endedAt = fact.at;
        job.outcome = fact.outcome;
        break;
      }
      case "attempt-launched":
        this.#launch(fact);
        break;
      case "attempt-dying": {
        const open = this.#open.get(fact.attempt);
        if (open !== undefined) this.#open.set(fact.attempt, { ...open, score: fact.score });
        break;
      }
      case "attempt-ended":
        this.#end(fact);
        break;
      case "output-made":
        this.#addOutput(fact.task, fact.output.byPartition);
        break;
      default:
    }
  }

  jobs(): readonly TraceJob[] {
    for (const attempt of [...this.#open.keys()]) this.#close(attempt);
    return [...this.#jobs.values()].map((job) => this.#traceJob(job));
  }

  #join(node: Node): void {
    this.#nodes[node.id] = node;
    this.#closeSlots(node.id, this.#now);
    for (const { kind, count } of node.slots) {
      for (let n = 0; n < count; n++) {
        const slot = { kind: this.#kindOf(kind), node: node.id, executor: -1, from: this.#now };
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
    const open: OpenJob = { job, phases, endedAt: undefined, outcome: "cut-off" };
    this.#jobs.set(job.id, open);
    for (const [phase, { tasks }] of job.phases.entries()) {
      for (const { id, index, inputBytes } of tasks) {
        this.#tasks.set(id, { job: open, phase, index, attempts: 0, inputBytes });
      }
    }
  }

  #launch(fact: Extract<Fact, { readonly kind: "attempt-launched" }>): void {
    const of = defined(this.#tasks.get(fact.task), "a task of a job");
    this.#open.set(fact.attempt, {
      of,
      task: of.index,
      ordinal: of.attempts++,
      as: fact.as,
      node: fact.node,
      startedAt: fact.at,
      locality: fact.locality,
      progress: new ProgressTimes(fact.at),
    });
  }

  #end(fact: AttemptEnded): void {
    const { attempt, end, at } = fact;
    const open = this.#open.get(attempt);
    this.#open.delete(attempt);
    // A refused attempt never ran.
    if (open === undefined || end.how === "refused") return;
    this.#add(open, { ended: end.how, endedAt: at, heardAt: heardAt(fact) });
  }

  /** The attempt had not ended when the journal did. */
  #close(attempt: AttemptId): void {
    const open = defined(this.#open.get(attempt), "an open attempt");
    this.#open.delete(attempt);
    this.#addOpen(open);
  }

  #addOpen(open: Launched): void {
    const end = openEnd({ jobEndedAt: open.of.job.endedAt, recordEndsAt: this.#now });
    this.#add(open, { ...end, heardAt: end.endedAt });
  }

  #add(launched: Launched, end: Ended): void {
    const { of, progress, task, ordinal, as, node, startedAt, locality, score } = launched;
    const hasSucceeded = end.ended === "succeeded";
    const attempts = defined(of.job.phases[of.phase], "a phase's attempts");
    const curve = progress.end(end.endedAt, hasSucceeded);
    const at = { startedAt, ...end, locality, curve };
    const row = attempts.append({ task, ordinal, as, node, executor: -1, ...at });
    if (score !== undefined) attempts.columns.score[row] = score;
    if (hasSucceeded && of.inputBytes !== undefined) {
      attempts.columns.inputBytes[row] = of.inputBytes;
    }
  }

  /** What a map wrote for each partition is the input of the phases that read it. */
  #addOutput(task: TaskId, byPartition: readonly number[] | undefined): void {
    const of = this.#tasks.get(task);
    if (of === undefined || byPartition === undefined) return;
    const { job } = of.job;
    const writer = job.phases[of.phase];
    for (const phase of job.phases) {
      if (!phase.after.some((edge) => edge.phase === writer?.id)) continue;
      for (const { id, index } of phase.tasks) {
        const reader = this.#tasks.get(id);
        const bytes = byPartition[index];
        if (reader === undefined || bytes === undefined) continue;
        reader.inputBytes = (reader.inputBytes ?? 0) + bytes;
      }
    }
  }

  #traceJob({ job, phases, endedAt, outcome }: OpenJob): TraceJob {
    const { discipline } = this.#setup;
    const end = endedAt ?? this.#now;
    return {
      id: job.name,
      name: job.name,
      user: job.user,
      submittedAt: job.submittedAt,
      endedAt: end,
      outcome,
      phases: job.phases.map((phase, index) =>
        this.#tracePhase(job, phase, defined(phases[index], "a phase's attempts")),
      ),
      spans: [],
      // Nodes of lower ids may not have joined: there are holes.
      nodes: Array.from(this.#nodes, (node, id) => node?.name ?? `@${id}`),
      racks: Array.from(this.#nodes, (node) => this.#setup.racks[node?.rack ?? -1] ?? ""),
      executors: [],
      slots: this.#slots,
      settings: {
        speculation: discipline.speculation.policy !== "none",
        discipline: discipline.name,
        values: valuesOf(discipline),
      },
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
      kind: this.#kindOf(phase.slots[0] ?? 0),
      try: 0,
      span: -1,
      reads,
      ...stagesOf(phase),
      ...(mayBeCopied(job, phase) ? {} : { forbidsCopies: true }),
      tasks: phase.tasks.length,
      attempts: attempts.build(),
    };
  }
}

/** The policy of each seat, and its parameters that are numbers, texts or flags. */
function valuesOf(discipline: SetupDescription["discipline"]): Readonly<Record<string, string>> {
  const { sharing, order, speculation, estimator, detection } = discipline;
  const seats = { sharing, order, speculation, estimator, detection };
  return Object.fromEntries(
    Object.entries(seats).flatMap(([seat, { policy, params }]) => [
      [seat, policy],
      ...Object.entries(params)
        .filter(([, value]) => typeof value !== "object")
        .map(([name, value]) => [`${seat}.${name}`, String(value)]),
    ]),
  );
}
