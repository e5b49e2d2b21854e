import {
  instant,
  jobId,
  type NodeId,
  type PhaseId,
  phaseId,
  slotKind,
  taskId,
} from "../../src/model/ids.ts";
import {
  type EdgeStart,
  type Job,
  MAP_STAGES,
  type Phase,
  type Priority,
  REDUCE_STAGES,
  type Stage,
} from "../../src/model/job.ts";

export const SLOT_KINDS: readonly string[] = ["map", "reduce"];

/** A job of maps and reduces, or of any phases. */
export interface JobSpec {
  readonly name?: string;
  readonly user?: string;
  readonly pool?: string;
  readonly priority?: Priority;
  readonly speculate?: boolean;
  /** 4, if no phases are given. */
  readonly maps?: number;
  /** None by default. */
  readonly reduces?: number;
  /** When the reduces start: by default when all maps are done. */
  readonly start?: EdgeStart;
  /** Names of the nodes that hold the input of a map. */
  readonly replicas?: (index: number) => readonly string[];
  readonly inputBytes?: Bytes;
  readonly phases?: readonly PhaseSpec[];
}

export interface PhaseSpec {
  readonly name: string;
  readonly tasks: number;
  /** Names of slot kinds. */
  readonly slots: readonly string[];
  /** Names of earlier phases. */
  readonly after?: readonly { readonly phase: string; readonly start: EdgeStart }[];
  readonly stages?: readonly Stage[];
  readonly replicas?: (index: number) => readonly string[];
  readonly inputBytes?: Bytes;
  readonly speculate?: boolean;
}

/** Of each task. */
type Bytes = number | ((index: number) => number);

/** The next free ids. */
export interface IdSource {
  job: number;
  phase: number;
  task: number;
}

export interface Surroundings {
  readonly kinds: readonly string[];
  readonly submittedAt: number;
  readonly name: string;
  readonly node: (name: string) => NodeId;
}

export function buildJob(spec: JobSpec, next: IdSource, around: Surroundings): Job {
  const id = jobId(next.job++);
  const phases: Phase[] = [];
  for (const one of spec.phases ?? mapReduce(spec)) {
    const phase = phaseId(next.phase++);
    const idOf = (name: string): PhaseId => {
      const found = phases.find((earlier) => earlier.name === name);
      if (found === undefined) throw new Error(`no phase ${name} before ${one.name}`);
      return found.id;
    };
    const tasks = Array.from({ length: one.tasks }, (_, index) => ({
      id: taskId(next.task++),
      phase,
      index,
      ...(one.inputBytes === undefined ? {} : { inputBytes: bytesOf(one.inputBytes, index) }),
      replicas: (one.replicas?.(index) ?? []).map(around.node),
      stages: one.stages ?? MAP_STAGES,
    }));
    phases.push({
      id: phase,
      name: one.name,
      job: id,
      slots: one.slots.map((kind) => slotKind(around.kinds.indexOf(kind))),
      after: (one.after ?? []).map((edge) => ({ phase: idOf(edge.phase), start: edge.start })),
      ...(one.speculate === undefined ? {} : { speculate: one.speculate }),
      tasks,
    });
  }
  return {
    id,
    name: around.name,
    user: spec.user ?? "user",
    pool: spec.pool ?? "default",
    priority: spec.priority ?? "normal",
    submittedAt: instant(around.submittedAt),
    ...(spec.speculate === undefined ? {} : { speculate: spec.speculate }),
    phases,
  };
}

const bytesOf = (bytes: Bytes, index: number): number =>
  typeof bytes === "number" ? bytes : bytes(index);

function mapReduce(spec: JobSpec): readonly PhaseSpec[] {
  const { maps = 4, reduces = 0, start = { when: "done" }, replicas, inputBytes } = spec;
  const map: PhaseSpec = {
    name: "map",
    tasks: maps,
    slots: ["map"],
    ...(replicas === undefined ? {} : { replicas }),
    ...(inputBytes === undefined ? {} : { inputBytes }),
  };
  if (reduces === 0) return [map];
  const after = maps === 0 ? [] : [{ phase: "map", start }];
  const reduce = {
    name: "reduce",
    tasks: reduces,
    slots: ["reduce"],
    stages: REDUCE_STAGES,
    after,
  };
  return maps === 0 ? [reduce] : [map, reduce];
}
