import type { Registry } from "../policy/registry.ts";
import type { Fitted } from "./fitted.ts";
import { disciplineOf, outcomeOf, type Trial } from "./trial.ts";

/** The recorded job simulated under its own policy: how far the simulator can be trusted. */
export interface Gate {
  readonly discipline: string;
  readonly simulatedMs: number;
  /** Simulated / recorded - 1. */
  readonly error: number;
  readonly verdict: "good" | "rough" | "bad";
}

export const GOOD = 0.05;
const ROUGH = 0.15;

export function gateOf(fitted: Fitted, baseline: Trial, registry?: Registry): Gate {
  const { job } = fitted.plan;
  const question = { luck: "that-run", rho: 0, seed: 1 } as const;
  const simulatedMs = outcomeOf(fitted, disciplineOf(baseline, registry), question).responseMs;
  const error = simulatedMs / (job.endedAt - job.submittedAt) - 1;
  const size = Math.abs(error);
  return {
    discipline: baseline.policy,
    simulatedMs,
    error,
    verdict: size <= GOOD ? "good" : size <= ROUGH ? "rough" : "bad",
  };
}
