import { availableParallelism } from "node:os";
import { SETUP_DEFAULTS } from "../../core/setup.ts";
import { ENGINE_EXPIRY_MS, RUN_DEFAULTS } from "../../hosts/engine/index.ts";
import type { Fault } from "../../model/fault.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { findParam } from "../../policy/params.ts";
import type { Discipline, Policy, Used } from "../../policy/policy.ts";
import { number, seconds } from "../../report/quantity.ts";

/** The demo's cluster and its faults. */
export const DEMO = {
  nodes: 4,
  slots: 1,
  slowNode: "n2",
  slowFactor: 4,
  killedNode: "n3",
  /**
   * Few waves of long maps: the slow node begins its second wave when the others begin their last.
   */
  splits: 12,
  reduces: 3,
} as const;

/**
 * Parameters scaled to a job of seconds on four nodes, two of them bad, instead of minutes on
 * hundreds; every other parameter is as published.
 */
const SCALED = {
  "speculation.runtimeMsMin": 1_000,
  "speculation.speculativeCap": 0.25,
  "speculation.slowNodeThreshold": 50,
  "detection.expiryMs": ENGINE_EXPIRY_MS,
} as const;

/** One of the demo's two runs. */
export interface DemoRun {
  readonly title: string;
  readonly folder: string;
  readonly discipline: Discipline;
}

export function demoRuns(): readonly [off: DemoRun, late: DemoRun] {
  const sets = Object.entries(SCALED).map(([name, value]) => `${name}=${value}`);
  const shared = sets.filter((set) => !set.startsWith("speculation."));
  return [
    { title: "speculation off", folder: "none", discipline: parseDiscipline("none", shared) },
    { title: "LATE", folder: "late", discipline: parseDiscipline("late", sets) },
  ];
}

/** The estimated middle of the job: its work divided by the cores that its nodes can use. */
export function killTime(plainMs: number): number {
  const fastNodes = DEMO.nodes - 1 + 1 / DEMO.slowFactor;
  const jobMs = (plainMs * WORK_PER_PLAIN) / Math.min(fastNodes, availableParallelism());
  return Math.round(jobMs / 2);
}

/** The job's cost relative to counting plainly: its faster data path makes up for copies. */
const WORK_PER_PLAIN = 1;

export function demoFaults(killAt: number): readonly Fault[] {
  return [
    { kind: "slow", at: 0, node: DEMO.slowNode, factor: DEMO.slowFactor },
    { kind: "kill", at: killAt, node: DEMO.killedNode },
  ];
}

export interface ScaledParameter {
  readonly name: string;
  readonly here: string;
  readonly published: string;
}

/** The parameters that the demo scales, beside their published values. */
export function scaledParameters(): readonly ScaledParameter[] {
  const published = parseDiscipline("late", []);
  const policies = Object.entries(SCALED).map(([name, value]) => {
    const [seat = "", parameter = ""] = name.split(".");
    const used = seat === "detection" ? published.detection : published.speculation;
    return { name, here: shown(name, value), published: shown(name, defaultOf(used, parameter)) };
  });
  const heartbeat = {
    name: "heartbeat, and asking about idle slots again",
    here: seconds(RUN_DEFAULTS.heartbeatMs),
    published: seconds(SETUP_DEFAULTS.askAgainMs),
  };
  return [...policies, heartbeat];
}

function defaultOf({ policy }: Used<Policy<object, unknown>>, parameter: string): unknown {
  return findParam(policy, parameter)?.default;
}

function shown(name: string, value: unknown): string {
  if (typeof value !== "number") return String(value);
  return /Ms(Min|Max)?$/.test(name) ? seconds(value) : number(value);
}
