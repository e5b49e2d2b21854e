import {
  type Instant,
  jobId,
  type NodeId,
  type PhaseId,
  phaseId,
  slotKind,
  taskId,
} from "../../../model/ids.ts";
import { type Job, MAP_STAGES, type Phase, REDUCE_STAGES, type Task } from "../../../model/job.ts";
import type { HelloLine, JobLine } from "./am-line.ts";

/**
 * The AM's one job. Reduces wait from the start: Hadoop decides when they get containers (its
 * slowstart), and its own speculator regards them as waiting until then too. Tasks of a kind that
 * must not be copied are left out: Hadoop does not report their starts, so they would wait for
 * ever.
 */
export function jobOf(
  line: JobLine,
  { conf }: HelloLine,
  at: Instant,
  findNode: (host: string) => NodeId | undefined,
): Job {
  const [map, reduce] = [phaseId(0), phaseId(1)];
  const splits = conf.map.speculation ? line.maps : [];
  const maps = splits.map(({ bytes, hosts }, index): Task => {
    const replicas = hosts.map(findNode).filter((node) => node !== undefined);
    const input = bytes === undefined ? {} : { inputBytes: bytes };
    return { id: taskId(index), phase: map, index, ...input, replicas, stages: MAP_STAGES };
  });
  const count = conf.reduce.speculation ? line.reduces : 0;
  const reduces = Array.from({ length: count }, (_, index): Task => {
    const id = taskId(line.maps.length + index);
    return { id, phase: reduce, index, replicas: [], stages: REDUCE_STAGES };
  });
  const after: Phase["after"] =
    maps.length === 0 ? [] : [{ phase: map, start: { when: "pipelined" } }];
  const phases = [
    phaseOf({ id: map, name: "map", kind: 0, after: [], tasks: maps }),
    phaseOf({ id: reduce, name: "reduce", kind: 1, after, tasks: reduces }),
  ];
  return {
    id: jobId(0),
    name: line.job,
    user: line.user,
    pool: line.queue,
    priority: "normal",
    submittedAt: at,
    speculate: conf.map.speculation || conf.reduce.speculation,
    phases: phases.filter(({ tasks }) => tasks.length > 0),
  };
}

function phaseOf(of: {
  readonly id: PhaseId;
  readonly name: string;
  readonly kind: number;
  readonly after: Phase["after"];
  readonly tasks: readonly Task[];
}): Phase {
  const { id, name, kind, after, tasks } = of;
  return { id, name, job: jobId(0), slots: [slotKind(kind)], after, tasks };
}
