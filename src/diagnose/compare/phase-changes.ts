import type { TraceJob } from "../../history/model.ts";
import type { Why } from "../document.ts";
import { keyOf } from "./match.ts";

interface Run {
  readonly job: TraceJob;
  readonly why: Why;
}

export interface PhaseChange {
  readonly phase: string;
  readonly aMs: number;
  readonly bMs: number;
  readonly changeMs: number;
}

/** The time that is lost in no single phase: attempts that ran in another order. */
const BETWEEN = "another schedule";

/** Rows; the phases that changed least share the last. */
const MOST = 10;

/**
 * Lost time phase by phase, what changed most first; with the time lost to another schedule and the
 * usual time they sum to the response.
 */
export function phaseChanges(a: Run, b: Run): readonly PhaseChange[] {
  const [ofA, ofB] = [lostByPhase(a), lostByPhase(b)];
  const rows = [...new Set([...ofA.keys(), ...ofB.keys()])]
    .map((phase) => changeOf(phase, ofA.get(phase) ?? 0, ofB.get(phase) ?? 0))
    .sort((x, y) => Math.sign(Math.abs(y.changeMs) - Math.abs(x.changeMs)));
  if (rows.length <= MOST) return rows;
  const others = rows.splice(MOST - 1);
  const sum = (of: "aMs" | "bMs"): number => others.reduce((total, row) => total + row[of], 0);
  return [...rows, changeOf(`${others.length} others`, sum("aMs"), sum("bMs"))];
}

const changeOf = (phase: string, aMs: number, bMs: number): PhaseChange => ({
  phase,
  aMs,
  bMs,
  changeMs: bMs - aMs,
});

/** Phases with the same title get numbers, in their order. */
function lostByPhase({ job, why }: Run): ReadonlyMap<string, number> {
  const lost = new Map<string, number>();
  for (const [index, phase] of job.phases.entries()) {
    const key = keyOf(phase);
    let name = key;
    for (let nth = 2; lost.has(name); nth++) name = `${key} (${nth})`;
    lost.set(name, why.phases[index]?.lostMs ?? 0);
  }
  return lost.set(BETWEEN, why.scheduleChangedMs).set("usual", why.usualMs);
}
