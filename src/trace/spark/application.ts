import type { JsonObject } from "../../base/json.ts";
import { listIn, numberIn, objectIn, objectsIn, textIn } from "../json-values.ts";
import { readTaskEnd, type TaskEnd } from "./task-end.ts";

/** What an event log says, before it becomes a trace. Times in ms since 1970. */
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
  readonly ends: TaskEnd[] = [];
  /** Tasks that have begun and not ended, by their id. */
  readonly running = new Map<number, TaskEnd>();
  /** Kinds of events that are not known, and how often they came. */
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
      case "SparkListenerJobStart":
        this.#startJob(event);
        break;
      case "SparkListenerJobEnd":
        this.#endJob(event);
        break;
      case "SparkListenerStageSubmitted":
      case "SparkListenerStageCompleted":
        this.#readStage(objectIn(event, "Stage Info"), undefined);
        break;
      case "SparkListenerTaskStart":
        this.#startTask(event);
        break;
      case "SparkListenerTaskEnd":
        this.#endTask(event);
        break;
      default:
        this.unknown.set(kind, (this.unknown.get(kind) ?? 0) + 1);
    }
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
    const known = this.executors.get(id);
    const host = textIn(info ?? {}, "Host") ?? textIn(manager ?? {}, "Host") ?? "";
    const cores = numberIn(info ?? {}, "Total Cores");
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

  #startJob(event: JsonObject): void {
    const id = numberIn(event, "Job ID");
    if (id === undefined) return;
    const at = this.#see(numberIn(event, "Submission Time"));
    const stages = listIn(event, "Stage IDs").filter((stage) => typeof stage === "number");
    this.jobs.set(id, { id, submittedAt: at, endedAt: undefined, succeeded: undefined, stages });
    for (const info of objectsIn(event, "Stage Infos")) this.#readStage(info, id);
  }

  #endJob(event: JsonObject): void {
    const known = this.jobs.get(numberIn(event, "Job ID") ?? -1);
    const endedAt = this.#see(numberIn(event, "Completion Time"));
    const result = textIn(objectIn(event, "Job Result") ?? {}, "Result");
    if (known === undefined) return;
    this.jobs.set(known.id, { ...known, endedAt, succeeded: result === "JobSucceeded" });
  }

  #readStage(info: JsonObject | undefined, job: number | undefined): void {
    const id = info === undefined ? undefined : numberIn(info, "Stage ID");
    if (info === undefined || id === undefined) return;
    const attempt = numberIn(info, "Stage Attempt ID") ?? 0;
    const key = stageKey(id, attempt);
    const known = this.stages.get(key);
    const parents = listIn(info, "Parent IDs").filter((parent) => typeof parent === "number");
    this.stages.set(key, {
      id,
      attempt,
      name: textIn(info, "Stage Name") ?? known?.name ?? `stage ${id}`,
      tasks: numberIn(info, "Number of Tasks") ?? known?.tasks ?? 0,
      parents: parents.length > 0 ? parents : (known?.parents ?? []),
      job: known?.job ?? job ?? this.#jobOf(id),
      submittedAt: this.#see(numberIn(info, "Submission Time")) ?? known?.submittedAt,
      completedAt: this.#see(numberIn(info, "Completion Time")) ?? known?.completedAt,
    });
  }

  /** The latest job that names the stage. */
  #jobOf(stage: number): number | undefined {
    return [...this.jobs.values()].findLast(({ stages }) => stages.includes(stage))?.id;
  }

  #startTask(event: JsonObject): void {
    const info = objectIn(event, "Task Info");
    const launchedAt = info === undefined ? undefined : numberIn(info, "Launch Time");
    if (info === undefined || launchedAt === undefined) return;
    this.#see(launchedAt);
    const open = readTaskEnd({
      ...event,
      "Task Info": { ...info, "Finish Time": launchedAt },
      "Task End Reason": { Reason: "Success" },
    });
    if (open !== undefined) this.running.set(open.taskId, { ...open, ended: "cut-off" });
  }

  #endTask(event: JsonObject): void {
    const end = readTaskEnd(event);
    if (end === undefined) {
      this.incomplete += 1;
      return;
    }
    this.#see(end.finishedAt);
    this.running.delete(end.taskId);
    this.ends.push(end);
  }
}

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

export const stageKey = (id: number, attempt: number): string => `${id}.${attempt}`;
