import type {
  RecordedAttempt,
  RecordedJob,
  RecordedPhase,
  RecordedRun,
  RecordedTask,
  RunRecordedOptions,
} from "../../src/hosts/sim/index.ts";
import { runRecorded } from "../../src/hosts/sim/index.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";

/** A task of one attempt. */
export const lasting = (
  workMs: number,
  attempt: Partial<RecordedAttempt> = {},
  task: Partial<RecordedTask> = {},
): RecordedTask => ({ attempts: [{ workMs, ...attempt }], ...task });

/** A phase of one kind of slot, whose further attempts take 1 s. */
export const phase = (
  name: string,
  tasks: readonly RecordedTask[],
  parts: Partial<RecordedPhase> = {},
): RecordedPhase => ({
  name,
  slots: ["core"],
  reads: [],
  tasks,
  further: () => ({ workMs: 1_000, slowedByNode: true }),
  ...parts,
});

/** The phase reads the previous one. */
export const readsAll = { reads: [{ phase: 0, start: { when: "done" } }] } as const;
export const readsSome = { reads: [{ phase: 0, start: { when: "fraction", of: 0.05 } }] } as const;

export const slots = (count: number, span: { fromMs?: number; untilMs?: number } = {}) => ({
  kind: "core",
  count,
  ...span,
});

/** Nodes n0, n1, ... of one slot. */
export const nodes = (count: number): RecordedJob["nodes"] =>
  Array.from({ length: count }, (_, index) => ({ name: `n${index}`, slots: [slots(1)] }));

export const jobOf = (
  on: RecordedJob["nodes"],
  ...phases: readonly RecordedPhase[]
): RecordedJob => ({ name: "job", slotKinds: ["core"], nodes: on, phases });

export const runJob = (
  job: RecordedJob,
  options: Partial<RunRecordedOptions> & { readonly under?: string } = {},
): RecordedRun => {
  const { under = "none,sharing=fifo-plain", ...rest } = options;
  return runRecorded(job, { seed: 1, discipline: parseDiscipline(under), ...rest });
};

/** "0/1 original n0 100-200": phase and task, kind, node, beginning and end. */
export const told = ({ attempts }: RecordedRun): readonly string[] =>
  attempts.map(({ as, ended, endedAtMs, node, phase, startedAtMs, task }) => {
    const how = ended === "succeeded" ? "" : ` ${ended}`;
    return `${phase}/${task} ${as} ${node} ${startedAtMs}-${endedAtMs}${how}`;
  });
