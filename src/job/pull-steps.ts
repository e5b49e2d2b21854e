import { applySteps, type StepHost } from "./apply-steps.ts";
import { blamed } from "./culprit.ts";
import { emitted, pairOf } from "./emitted.ts";
import type { AsyncStep, Step } from "./step.ts";

/** The records that some steps make of one record, made as they are asked for. */
export type PullSteps = (record: unknown) => Iterable<unknown>;

/** Steps, cut where calls are awaited. */
export interface CutSteps {
  readonly parts: readonly CallPart[];
  readonly after: readonly Step[];
}

/** A step that makes calls, and the steps that lead to it. */
export interface CallPart {
  readonly before: readonly Step[];
  readonly step: AsyncStep;
}

export function cutAtCalls(steps: readonly Step[]): CutSteps {
  const parts: CallPart[] = [];
  let before: Step[] = [];
  for (const step of steps) {
    if (step.kind === "map-async") {
      parts.push({ before, step });
      before = [];
    } else {
      before.push(step);
    }
  }
  return { parts, after: before };
}

/** Whether a step's calls must be awaited. */
export const awaitsCalls = (steps: readonly Step[]): boolean =>
  steps.some(({ kind }) => kind === "map-async");

/**
 * Steps without calls, for a taker that is slower than the steps. The records of a generator are
 * made one at a time; other steps make few records of one, which are held.
 */
export function pullSteps(steps: readonly Step[], host: StepHost): PullSteps {
  const at = steps.findIndex(({ kind }) => kind === "flat-map");
  const step = steps[at];
  if (step?.kind !== "flat-map") return held(steps, host);
  const first = held(steps.slice(0, at), host);
  const made = flatMapped(step, host);
  const rest = pullSteps(steps.slice(at + 1), host);
  return function* (record) {
    for (const one of first(record)) for (const part of made(one)) yield* rest(part);
  };
}

function held(steps: readonly Step[], host: StepHost): PullSteps {
  if (steps.length === 0) return (record) => [record];
  let made: unknown[] = [];
  const first = applySteps(steps, host, {
    add: (record) => void made.push(record),
    addPair: (key, value) => void made.push([key, value]),
  });
  return (record) => {
    made = [];
    first.add(record);
    return made;
  };
}

function flatMapped(step: Extract<Step, { kind: "flat-map" }>, host: StepHost): PullSteps {
  const { by, pairs } = step;
  let sent: unknown[] = [];
  const ctx = host.context((key, value) => void sent.push([key, value]));
  const takeSent = (): readonly unknown[] => {
    const taken = sent;
    if (taken.length > 0) sent = [];
    return taken;
  };
  return function* (record) {
    try {
      const made = step.flatMap(record, ctx);
      yield* takeSent();
      if (made === undefined) return;
      for (const one of emitted(made, by)) {
        yield* takeSent();
        yield pairs ? pairOf(one, by) : one;
      }
      yield* takeSent();
    } catch (error) {
      throw blamed(error, step.flatMap);
    }
  };
}
