import { defined } from "../../base/assert.ts";
import { cell } from "../../base/rows.ts";
import type { SetupDescription } from "../../core/journal/index.ts";
import { AttemptFold, type JobPlace, type PastAttempt } from "../../history/attempts.ts";
import { LOCALITIES, TRACE_ENDS } from "../../history/columns.ts";
import { ColumnsBuilder } from "../../history/columns-builder.ts";
import { InputBytes } from "../../history/input-bytes.ts";
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
import type { AttemptId, JobId } from "../../model/ids.ts";
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
  readonly place: JobPlace;
  /** The attempts of each phase. */
  readonly phases: readonly ColumnsBuilder[];
  readonly inputBytes: InputBytes;
  outcome: TraceJob["outcome"];
}

/** Gathers the jobs of a journal, with their phases and attempts, from its facts. */
export class JournalJobs {
  readonly attempts = new AttemptFold();
  readonly #setup: SetupDescription;
  readonly #nodes: (Node | undefined)[] = [];
  readonly #slots: (SlotSpan & { until?: number })[] = [];
  readonly #jobs = new Map<JobId, OpenJob>();
  /** Of open attempts. */
  readonly #progress = new Map<AttemptId, ProgressTimes>();

  constructor(setup: SetupDescription) {
    this.#setup = setup;
  }

  /** Takes the reports of running attempts. The facts of the same step come first. */
  see(event: ClusterEvent): void {
    this.attempts.until(event.at);
    if (event.kind !== "attempt-started" && event.kind !== "attempt-progressed") return;
    this.#progress.get(event.attempt)?.see(event.progress, event.at);
  }

  apply(fact: Fact): void {
    const past = this.attempts.apply(fact);
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
        this.#job(fact.job).outcome = fact.outcome;
        break;
      case "attempt-launched":
        this.#progress.set(fact.attempt, new ProgressTimes(fact.at));
        break;
      case "attempt-ended":
        this.#progress.delete(fact.attempt);
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
  }

  jobs(): readonly TraceJob[] {
    for (const past of this.attempts.close()) this.#add(past);
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
    const phases = job.phases.map(() => new ColumnsBuilder());
    const place = this.attempts.job(job.id);
    const inputBytes = new InputBytes(job);
    this.#jobs.set(job.id, { place, phases, inputBytes, outcome: "cut-off" });
  }

  #add({ of, ended, endedAt, heardAt }: PastAttempt): void {
    const { task, ordinal, as, node, locality, launchedAt, dying } = of;
    const job = this.#job(task.of.job.id);
    const attempts = defined(job.phases[task.phase], "a phase's attempts");
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
    if (hasSucceeded) columns.inputBytes[row] = job.inputBytes.of(task.phase, task.index);
  }

  #job(id: JobId): OpenJob {
    return defined(this.#jobs.get(id), "a job that was submitted");
  }

  #traceJob({ place, phases, outcome }: OpenJob): TraceJob {
    const { discipline } = this.#setup;
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
