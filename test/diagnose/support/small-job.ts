import { type Diagnosis, diagnose, type Why } from "../../../src/diagnose/index.ts";
import { ColumnsBuilder } from "../../../src/history/columns-builder.ts";
import type { TraceFormat, TraceJob } from "../../../src/history/model.ts";
import { addAttempt, type NamedAttempt } from "./attempt.ts";

const NODES = ["n0", "n1", "n2", "n3"];
const TASKS = 24;

/** Three waves of eight tasks of about 10 s, two at a time on each node. */
const startOf = (task: number): number => Math.floor(task / 8) * 10_500 + (task % 8) * 7;

/** The end of a task that takes so long. */
export const lasting = (task: number, ms: number): Partial<NamedAttempt> => ({
  endedAt: startOf(task) + ms,
});

/** A task that begins so much later than it could. */
export const waiting = (task: number, ms: number): Partial<NamedAttempt> => ({
  startedAt: startOf(task) + ms,
  ...lasting(task, 10_000 + ms),
});

/** The slots that a log may name: two on each node. */
export const SLOTS = [...NODES.keys(), ...NODES.keys()].map(
  (node) => ({ node, executor: -1, kind: "stage", from: 0 }) as const,
);

/** A job of one phase, in which `change` makes some attempts late; `more` are further attempts. */
export function smallJob(
  change: (task: number) => Partial<NamedAttempt>,
  job: Partial<TraceJob> = {},
  more: readonly NamedAttempt[] = [],
): TraceJob {
  const attempts = Array.from(
    { length: TASKS },
    (_, task): NamedAttempt => ({
      ...{ task, ordinal: 0, as: "original", node: task % NODES.length, executor: -1 },
      startedAt: startOf(task),
      endedAt: startOf(task) + 10_000 + ((task * 37) % 11) * 20,
      ended: "succeeded",
      ...{ cpuMs: 9_000, inputBytes: 1_000, inputRecords: 100 },
      ...change(task),
    }),
  );
  const builder = new ColumnsBuilder();
  const all = [...attempts, ...more];
  for (const attempt of all) addAttempt(builder, attempt);
  const phase = { name: "stage 0", kind: "stage", span: -1, reads: [] } as const;
  return {
    ...{ id: "job", name: "job", submittedAt: 0, outcome: "succeeded" },
    endedAt: Math.max(...all.map(({ endedAt }) => endedAt)),
    phases: [{ ...phase, tasks: TASKS, attempts: builder.build() }],
    ...{ spans: [], nodes: NODES, executors: [], slots: [], settings: { values: {} } },
    lacks: new Set(),
    ...job,
  };
}

/** What is found of the job, as if its history were of that format. */
export function whyOf(job: TraceJob, format?: TraceFormat): Why {
  const source = format === undefined ? {} : { source: { format, files: ["job"] } };
  const found: Diagnosis = diagnose({ notes: [], ...source }, job);
  if (found.kind !== "why") throw new Error(found.kind);
  return found.why;
}

/** The sentences of the answer. */
export const saidOf = (job: TraceJob): readonly string[] => whyOf(job).verdict.split("\n");

/** The time that the first line says was lost so, in ms; NaN if it does not. */
export function lostIn(headline: string | undefined, clause: string): number {
  const found = new RegExp(`([\\d.]+) s( \\[[^\\]]*\\])? ${clause}`).exec(headline ?? "");
  return 1_000 * Number(found?.[1] ?? Number.NaN);
}
