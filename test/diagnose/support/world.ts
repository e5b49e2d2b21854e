import type { Cause } from "../../../src/diagnose/cause.ts";
import { ColumnsBuilder } from "../../../src/history/columns-builder.ts";
import type { TraceJob, TracePhase } from "../../../src/history/model.ts";
import { addAttempt, type NamedAttempt } from "./attempt.ts";
import { type Dispatched, type Done, dispatch, type Injected } from "./dispatch.ts";

/** A job with known causes: a log's content, and the truth that no log has. */
export interface World {
  readonly seed: number;
  readonly causes: ReadonlySet<Injected>;
  readonly job: TraceJob;
  /** By phase and row: the true seconds of each cause, and how long the attempt would take. */
  readonly truth: readonly (readonly Truth[])[];
  /** The true factor of each slow node, by name. */
  readonly slowNodes: ReadonlyMap<string, number>;
}

export interface Truth {
  readonly ms: Readonly<Partial<Record<Cause, number>>>;
  /** The whole duration if nothing had cut the attempt. */
  readonly wouldTakeMs: number;
}

export function makeWorld(seed: number, only?: ReadonlySet<Injected>): World {
  const world = dispatch(seed, only);
  const { phases, truth } = written(world);
  const ends = world.done.filter((one) => one.ended === "succeeded").map((one) => one.endedAt);
  const names = Array.from({ length: world.nodes }, (_, i) => `n${i}`);
  const job: TraceJob = {
    id: `world-${seed}`,
    name: `world ${seed}`,
    submittedAt: 0,
    endedAt: Math.max(...ends) + 150,
    outcome: "succeeded",
    phases,
    spans: [],
    nodes: names,
    executors: names,
    slots: [],
    settings: { values: {} },
    lacks: new Set(["deserialisation"]),
  };
  const slowNodes = new Map([...world.slow].map(([node, factor]) => [`n${node}`, factor]));
  return { seed, causes: world.causes, job, truth, slowNodes };
}

/** The log's attempts by phase, and the truth that no log has. */
function written({ phases: plans, done, bytes }: Dispatched): {
  readonly phases: readonly TracePhase[];
  readonly truth: readonly (readonly Truth[])[];
} {
  const builders = plans.map(() => new ColumnsBuilder());
  const truth: Truth[][] = plans.map(() => []);
  const ordinals = new Map<string, number>();
  for (const one of done) {
    const key = `${one.phase}/${one.task}`;
    const ordinal = ordinals.get(key) ?? 0;
    ordinals.set(key, ordinal + 1);
    const builder = builders[one.phase];
    if (builder !== undefined) addAttempt(builder, attemptOf(one, ordinal));
    truth[one.phase]?.push(truthOf(one, done, bytes[one.phase] ?? []));
  }
  const phases = builders.map(
    (builder, i): TracePhase => ({
      name: `p${i}`,
      kind: "stage",

      span: -1,
      tasks: plans[i]?.tasks ?? 0,
      reads: (plans[i]?.reads ?? []).map((phase) => ({ phase, start: { when: "done" } })),
      attempts: builder.build(),
    }),
  );
  return { phases, truth };
}

/** Killed and failed attempts have no counters, as in most logs. */
function attemptOf({ row, ...one }: Done, ordinal: number): NamedAttempt {
  const { task, as, node, startedAt, endedAt, ended } = one;
  const locality = row.far ? "any" : "node";
  const attempt: NamedAttempt = {
    task,
    ordinal,
    as,
    node,
    executor: node,
    startedAt,
    endedAt,
    ended,
    locality,
  };
  if (ended !== "succeeded") return attempt;
  return { ...attempt, inputBytes: row.bytes, gcMs: row.gcMs, fetchWaitMs: row.fetchMs };
}

const TRUTHS = new WeakMap<object, Map<number, { gc: number; fetch: number }>>();

/** Medians are over the attempts of the phase that succeeded, as if all nodes were equally fast. */
function mediansOf(done: readonly Done[], phase: number): { gc: number; fetch: number } {
  const known = TRUTHS.get(done) ?? new Map<number, { gc: number; fetch: number }>();
  TRUTHS.set(done, known);
  const found = known.get(phase);
  if (found !== undefined) return found;
  const whole = done.filter((d) => d.phase === phase && d.ended === "succeeded");
  const medianOf = (of: (one: Done) => number): number => {
    const sorted = whole.map(of).sort((a, b) => a - b);
    return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
  };
  const made = {
    gc: medianOf(({ row }) => row.gcMs / row.slow),
    fetch: medianOf(({ row }) => row.fetchMs / row.slow),
  };
  known.set(phase, made);
  return made;
}

function truthOf(one: Done, done: readonly Done[], bytes: readonly number[]): Truth {
  const { row, ended, startedAt, endedAt } = one;
  if (ended === "failed" || ended === "lost" || one.isRedone) {
    return { ms: { retries: endedAt - startedAt }, wouldTakeMs: endedAt - startedAt };
  }
  const medians = mediansOf(done, one.phase);
  const meanBytes = bytes.reduce((a, b) => a + b, 0) / bytes.length;
  const { data, far, cold, net, usual } = row.parts;
  const ms = {
    node: row.wouldTakeMs * (1 - 1 / row.slow),
    gc: Math.max(0, row.gcMs / row.slow - medians.gc),
    "fetch-wait": Math.max(0, row.fetchMs / row.slow - medians.fetch),
    bytes: data * (1 - meanBytes / row.bytes),
    "remote-read": far,
    "cold-start": cold,
    unexplained: net - usual,
  };
  return { ms, wouldTakeMs: row.wouldTakeMs };
}
