import type { JsonObject } from "../../base/json.ts";
import type { TraceEnd } from "../../history/columns.ts";
import { numberIn, objectIn, textIn } from "../json-values.ts";
import { type EventFields, FIELD } from "./event-fields.ts";
import { SparkSlots } from "./slots.ts";
import { SparkAttempts, stageKey } from "./spark-attempts.ts";
import { endOf, measure, type SparkTask, taskOf } from "./task-event.ts";

/** The contents of an event log, before they become a trace. Times in ms since 1970. */
export class SparkApplication {
  version: string | undefined;
  id: string | undefined;
  name: string | undefined;
  user: string | undefined;
  startedAt: number | undefined;
  endedAt: number | undefined;
  /** The latest time of any job, stage or task. */
  lastAt = 0;
  readonly properties = new Map<string, string>();
  readonly jobs = new Map<number, SparkJob>();
  readonly stages = new Map<string, SparkStage>();
  readonly executors = new Map<string, SparkExecutor>();
  readonly slots = new SparkSlots();
  /** Hosts and executors that ran tasks or registered to; the driver only if it ran some. */
  readonly nodes = new NameIndex();
  readonly executorNames = new NameIndex();
  /** The latest job that names a stage. */
  readonly #jobOfStage = new Map<number, number>();
  readonly attempts = new SparkAttempts();
  /** The number of events of each unknown kind. */
  readonly unknown = new Map<string, number>();
  /** Events that lack what identifies them. */
  incomplete = 0;

  apply(event: JsonObject): void {
    const kind = textIn(event, "Event") ?? "";
    switch (kind) {
      case "SparkListenerLogStart":
        this.version = textIn(event, "Spark Version");
        break;
      case "SparkListenerApplicationStart":
        this.id = textIn(event, "App ID");
        this.name = textIn(event, "App Name");
        this.user = textIn(event, "User");
        this.startedAt = this.#see(numberIn(event, "Timestamp"));
        break;
      case "SparkListenerApplicationEnd":
        this.endedAt = this.#see(numberIn(event, "Timestamp"));
        break;
      case "SparkListenerEnvironmentUpdate":
        this.#readProperties(objectIn(event, "Spark Properties"));
        break;
      case "SparkListenerExecutorAdded":
      case "SparkListenerBlockManagerAdded":
        this.#addExecutor(event);
        break;
      case "SparkListenerExecutorRemoved":
        this.#removeExecutor(event);
        break;
      default:
        if (this.slots.apply(kind, event)) break;
        this.unknown.set(kind, (this.unknown.get(kind) ?? 0) + 1);
    }
  }

  startJob(fields: EventFields): void {
    const id = fields.number(FIELD.jobId);
    if (Number.isNaN(id)) return;
    const submittedAt = this.#seen(fields, FIELD.jobSubmittedAt);
    const stages = fields.numbers(FIELD.jobStages);
    this.jobs.set(id, { id, submittedAt, endedAt: undefined, succeeded: undefined, stages });
    for (const stage of stages) this.#jobOfStage.set(stage, id);
  }

  endJob(fields: EventFields): void {
    const known = this.jobs.get(fields.number(FIELD.jobId));
    const endedAt = this.#seen(fields, FIELD.jobCompletedAt);
    if (known === undefined) return;
    const succeeded = fields.text(FIELD.jobResult) === "JobSucceeded";
    this.jobs.set(known.id, { ...known, endedAt, succeeded });
  }

  /** A stage's submission or completion. */
  readStage(fields: EventFields): void {
    const id = fields.number(FIELD.stageId);
    if (Number.isNaN(id)) return;
    const attempt = fields.number(FIELD.stageAttempt) || 0;
    const key = stageKey(id, attempt);
    const known = this.stages.get(key);
    const parents = fields.numbers(FIELD.stageParents);
    this.stages.set(key, {
      id,
      attempt,
      name: fields.text(FIELD.stageName) ?? known?.name ?? `stage ${id}`,
      tasks: fields.number(FIELD.stageTasks) || known?.tasks || 0,
      profile: fields.number(FIELD.stageProfile) || known?.profile || 0,
      parents: parents.length > 0 ? parents : (known?.parents ?? []),
      job: known?.job ?? this.#jobOfStage.get(id),
      submittedAt: this.#seen(fields, FIELD.stageSubmittedAt) ?? known?.submittedAt,
      completedAt: this.#seen(fields, FIELD.stageCompletedAt) ?? known?.completedAt,
    });
  }

  /** Returns the task; undefined if the event lacks what identifies the attempt, or its times. */
  endTask(fields: EventFields): SparkTask | undefined {
    const task = taskOf(fields);
    const endedAt = fields.number(FIELD.finishedAt);
    if (task === undefined || !(endedAt >= task.startedAt)) {
      this.incomplete += 1;
      return undefined;
    }
    const ended = endOf(fields);
    const row = this.addTask(task, endedAt, ended);
    measure(fields, ended, this.attempts.columns, row);
    const resultAt = fields.number(FIELD.resultAt);
    // 0: the result came with the message that the task had ended.
    if (resultAt >= task.startedAt && resultAt < endedAt) {
      this.attempts.columns.resultAt[row] = resultAt;
    }
    return task;
  }

  /** Returns the row of the attempt. */
  addTask(task: SparkTask, endedAt: number, ended: TraceEnd): number {
    this.#see(endedAt);
    const node = this.nodes.of(task.host);
    const executor = this.executorNames.of(task.executor);
    return this.attempts.add(task, { endedAt, ended, node, executor });
  }

  #seen(fields: EventFields, field: number): number | undefined {
    const at = fields.number(field);
    return this.#see(Number.isNaN(at) ? undefined : at);
  }

  #see(at: number | undefined): number | undefined {
    if (at !== undefined) this.lastAt = Math.max(this.lastAt, at);
    return at;
  }

  #readProperties(properties: JsonObject | undefined): void {
    for (const [name, value] of Object.entries(properties ?? {})) {
      if (typeof value === "string") this.properties.set(name, value);
    }
  }

  #addExecutor(event: JsonObject): void {
    const manager = objectIn(event, "Block Manager ID");
    const info = objectIn(event, "Executor Info");
    const id = textIn(event, "Executor ID") ?? textIn(manager ?? {}, "Executor ID");
    const at = numberIn(event, "Timestamp");
    if (id === undefined || at === undefined) return;
    this.slots.addExecutor(id, event);
    const known = this.executors.get(id);
    const host = textIn(info ?? {}, "Host") ?? textIn(manager ?? {}, "Host") ?? "";
    const cores = numberIn(info ?? {}, "Total Cores");
    if (!isDriver(id)) {
      this.nodes.of(known?.host || host);
      this.executorNames.of(id);
    }
    const from = Math.min(known?.from ?? at, at);
    this.executors.set(id, {
      id,
      host: known?.host || host,
      cores: cores ?? known?.cores,
      from,
      until: undefined,
    });
  }

  #removeExecutor(event: JsonObject): void {
    const known = this.executors.get(textIn(event, "Executor ID") ?? "");
    const at = numberIn(event, "Timestamp");
    if (known !== undefined) this.executors.set(known.id, { ...known, until: at });
  }
}

/** Names by number, in the order in which they came. */
class NameIndex {
  readonly #index = new Map<string, number>();

  /** The name's number, a new one if it has none. */
  of(name: string): number {
    const known = this.#index.get(name);
    if (known !== undefined) return known;
    this.#index.set(name, this.#index.size);
    return this.#index.size - 1;
  }

  /** -1 if the name has no number. */
  find(name: string): number {
    return this.#index.get(name) ?? -1;
  }

  get names(): readonly string[] {
    return [...this.#index.keys()];
  }
}

/** In local mode the driver runs the tasks. */
const isDriver = (id: string): boolean => id === "driver" || id === "<driver>";

export interface SparkJob {
  readonly id: number;
  readonly submittedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly succeeded: boolean | undefined;
  readonly stages: readonly number[];
}

export interface SparkStage {
  readonly id: number;
  readonly attempt: number;
  readonly name: string;
  readonly tasks: number;
  /** The resources that its tasks ask for: the number of their profile. */
  readonly profile: number;
  readonly parents: readonly number[];
  readonly job: number | undefined;
  readonly submittedAt: number | undefined;
  readonly completedAt: number | undefined;
}

export interface SparkExecutor {
  readonly id: string;
  readonly host: string;
  readonly cores: number | undefined;
  readonly from: number;
  readonly until: number | undefined;
}
