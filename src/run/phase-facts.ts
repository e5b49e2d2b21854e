import { median } from "../base/stats.ts";
import type { PhaseResult } from "../data/index.ts";
import type { MeasuredPhase } from "../measures/run-measures.ts";
import type { AttemptFacts, PhaseFacts, Skew } from "./run-result.ts";

/** The results of a phase's tasks, with the phase's name. */
export interface PhaseResults {
  readonly name: string;
  readonly tasks: number;
  readonly results: readonly PhaseResult[];
}

/** The facts of each phase, in the order in which phases began; phases of one name are summed. */
export function phaseFacts(
  phases: readonly PhaseResults[],
  attempts: readonly AttemptFacts[],
  measured: readonly MeasuredPhase[] = [],
): readonly PhaseFacts[] {
  const byName = new Map<string, PhaseResults>();
  for (const { name, tasks, results } of phases) {
    const before = byName.get(name) ?? { name, tasks: 0, results: [] };
    byName.set(name, {
      name,
      tasks: before.tasks + tasks,
      results: [...before.results, ...results],
    });
  }
  const attemptsOf = new Map<string, AttemptFacts[]>();
  for (const attempt of attempts) {
    const own = attemptsOf.get(attempt.phase) ?? [];
    attemptsOf.set(attempt.phase, own);
    own.push(attempt);
  }
  return Array.from(byName.values(), (phase) => {
    const measures = measured.find(({ phase: name }) => name === phase.name)?.measures;
    const facts = factsOf(phase, attemptsOf.get(phase.name) ?? []);
    return { ...facts, ...(measures !== undefined && { measures }) };
  });
}

function factsOf(phase: PhaseResults, attempts: readonly AttemptFacts[]): PhaseFacts {
  const { name, tasks } = phase;
  const results = phase.results.map(made);
  const copies = attempts.filter(({ as }) => as === "speculative");
  const to = attempts.reduce((so, { endedAt }) => Math.max(so, endedAt), 0);
  const copiesWon = copies.filter(({ end }) => end.kind === "succeeded").length;
  return {
    name,
    tasks,
    inputBytes: total(results, ({ inputBytes }) => inputBytes),
    inputRecords: total(results, ({ inputRecords }) => inputRecords),
    outputBytes: total(results, ({ bytes }) => bytes),
    outputRecords: total(results, ({ records }) => records),
    spills: total(results, ({ spills = 0 }) => spills),
    merges: total(results, ({ merges = 0 }) => merges),
    skew: skewOf(results.map(({ inputBytes }) => inputBytes)),
    copiesWon,
    copiesLost: copies.length - copiesWon,
    slotMs: slotMs(attempts),
    wastedMs: slotMs(attempts.filter(({ end }) => end.kind === "killed")),
    from: attempts.reduce((so, { launchedAt }) => Math.min(so, launchedAt), to),
    to,
  };
}

/** The slot time of all these attempts. */
export const slotMs = (attempts: readonly AttemptFacts[]): number =>
  total(attempts, (attempt) => attempt.slotMs);

export function skewOf(bytes: readonly number[]): Skew {
  const largestBytes = bytes.reduce((so, each) => Math.max(so, each), 0);
  if (largestBytes === 0) return { largestBytes, medianBytes: 0, factor: 1 };
  const medianBytes = median(bytes);
  // The divisor is at least one byte, since most tasks may have nothing to read and JSON has no
  // Infinity.
  return { largestBytes, medianBytes, factor: largestBytes / Math.max(1, medianBytes) };
}

type Made = Pick<PhaseFacts, "inputBytes" | "inputRecords"> & {
  readonly bytes: number;
  readonly records: number;
  readonly spills?: number;
  readonly merges?: number;
};

const made = (result: PhaseResult): Made => (result.kind === "part" ? result.part : result.output);

const total = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((so, one) => so + of(one), 0);
