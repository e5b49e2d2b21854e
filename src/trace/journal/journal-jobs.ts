import { defined } from "../../base/assert.ts";
import { cell } from "../../base/rows.ts";
import type { SetupDescription } from "../../core/journal/index.ts";
import { AttemptFold, type PastAttempt } from "../../history/attempts.ts";
import { LOCALITIES, TRACE_ENDS } from "../../history/columns.ts";
import { ColumnsBuilder } from "../../history/columns-builder.ts";
import {
  type Signal,
  type SlotSpan,
  TRACE_PHASE_KINDS,
  type TraceJob,
  type TracePhase,
  type TracePhaseKind,
} from "../../history/model.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import type { Node } from "../../model/cluster.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { Fact } from "../../model/fact.ts";
import type { AttemptId, JobId, TaskId } from "../../model/ids.ts";
import { type Job, mayBeCopied, type Phase, type Stage } from "../../model/job.ts";
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
  /** The attempts of each phase. */
  readonly attempts: readonly ColumnsBuilder[];
  /** The bytes that tasks read, by phase and index; NaN where unknown. */
  readonly inputBytes: readonly Float64Array[];
  outcome: TraceJob["outcome"];
}

/** Gathers the jobs of a journal, with their phases and attempts, from its facts. */
export class JournalJobs {
  readonly #setup: SetupDescription;
  readonly #nodes: (Node | undefined)[] = [];
  readonly #slots: (SlotSpan & { until?: number })[] = [];
  readonly #jobs = new Map<JobId, OpenJob>();
  readonly #attempts = new AttemptFold();
  /** Of open attempts. */
  readonly #progress = new Map<AttemptId, ProgressTimes>();

  constructor(setup: SetupDescription) {
    this.#setup = setup;
  }

  /** Takes the reports of running attempts. The facts of the same step come first. */
  see(event: ClusterEvent): void {
    this.#attempts.until(event.at);
    if (event.kind !== "attempt-started" && event.kind !== "attempt-progressed") return;
    this.#progress.get(event.attempt)?.see(event.progress, event.at);
  }

  apply(fact: Fact): void {
    const past = this.#attempts.apply(fact);
    if (past !== undefined) this.#add(past);
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
        defined(this.#jobs.get(fact.job), "a job that was submitted").outcome = fact.outcome;
        break;
      case "attempt-launched":
        this.#progress.set(fact.attempt, new ProgressTimes(fact.at));
        break;
      case "attempt-ended":
        this.#progress.delete(fact.attempt);
        break;
      case "output-made":
        this.#addOutput(fact.task, fact.output.byPartition);
        break;
      default:
    }
  }

  jobs(): readonly TraceJob[] {
    for (const past of this.#attempts.close()) this.#add(past);
    return [...this.#jobs.values()].map((job) => this.#traceJob(job));
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
    const attempts = job.phases.map(() => new ColumnsBuilder());
    const inputBytes = job.phases.map(({ tasks }) =>
      Float64Array.from(tasks, (task) => task.inputBytes ?? Number.NaN),
    );
    this.#jobs.set(job.id, { job, attempts, inputBytes, outcome: "cut-off" });
  }

  #add({ of, ended, endedAt, heardAt }: PastAttempt): void {
    const { task, ordinal, as, node, locality, launchedAt, dying } = of;
    const job = defined(this.#jobs.get(task.of.job.id), "a job that was submitted");
    const attempts = defined(job.attempts[task.phase], "a phase's attempts");
    const progress = defined(this.#progress.get(of.id), "an open attempt's progress");
    const hasSucceeded = ended === "succeeded";
    const curve = progress.end(endedAt, hasSucceeded);
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
    if (curve !== undefined) attempts.setCurve(row, curve);
    if (dying !== undefined) columns.score[row] = dying.score;
    const bytes = defined(job.inputBytes[task.phase]?.[task.index], "a task's bytes");
    if (hasSucceeded) columns.inputBytes[row] = bytes;
  }

  /** What a map wrote for each partition is the input of the phases that read it. */
  #addOutput(task: TaskId, byPartition: readonly number[] | undefined): void {
    if (byPartition === undefined) return;
    const { of, phase: from } = this.#attempts.task(task);
    const { job, inputBytes } = defined(this.#jobs.get(of.job.id), "a job that was submitted");
    const writer = job.phases[from];
    for (const [n, phase] of job.phases.entries()) {
      if (!phase.after.some((edge) => edge.phase === writer?.id)) continue;
      const bytes = defined(inputBytes[n], "a phase's bytes");
      for (const [reader, more] of byPartition.entries()) {
        const before = bytes[reader];
        if (before !== undefined) bytes[reader] = (Number.isNaN(before) ? 0 : before) + more;
      }
    }
  }

  #traceJob({ job, attempts, outcome }: OpenJob): TraceJob {
    const { discipline } = this.#setup;
    const end = this.#attempts.job(job.id).endedAt ?? this.#attempts.now;
    return {
      id: job.name,
      name: job.name,
      user: job.user,
      submittedAt: job.submittedAt,
      endedAt: end,
      outcome,
      phases: job.phases.map((phase, index) =>
        this.#tracePhase(job, phase, defined(attempts[index], "a phase's attempts")),
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
      kind: this.#kindOf(cell(phase.slots[0])),
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
