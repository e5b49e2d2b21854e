import { SETUP_DEFAULTS } from "../../core/setup.ts";
import { ENGINE_EXPIRY_MS, RUN_DEFAULTS } from "../../hosts/engine/index.ts";
import type { Fault } from "../../model/fault.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { findParam } from "../../policy/params.ts";
import type { Discipline, Policy, Used } from "../../policy/policy.ts";
import { number, seconds } from "../../report/quantity.ts";

/** The demo's cluster, its job and its faults. */
export const DEMO = {
  nodes: 4,
  slots: 1,
  /** One map a node, so the job waits for the slow node alone. */
  splits: 4,
  reduces: 1,
  slowNode: "n2",
  /** As slow as the slowest node of LATE's own example (5.4.3). */
  slowFactor: 10,
  /** With `--kill`: the node, and the progress of the maps at which it dies. */
  killedNode: "n3",
  killedAt: 0.3,
  /** The CPU time of a map in a plain loop; the engine is faster. */
  mapMs: 750,
} as const;

/**
 * Parameters scaled to a job of seconds on four nodes instead of minutes on hundreds; every other
 * parameter is as published.
 */
const SCALED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  none: {},
  hadoop: { "speculation.lagMs": 1_000 },
  late: { "speculation.runtimeMsMin": 1_000, "speculation.speculativeCap": 0.25 },
};
const EXPIRY = { "detection.expiryMs": ENGINE_EXPIRY_MS };

const TITLES: Readonly<Record<string, string>> = {
  none: "speculation off",
  hadoop: "Hadoop's own rule",
  late: "LATE",
};

/** A policy that the demo runs several times. */
export interface DemoPolicy {
  readonly name: string;
  readonly title: string;
  readonly discipline: Discipline;
}

/** The baseline first. */
export function demoPolicies(): readonly DemoPolicy[] {
  return Object.entries(SCALED).map(([name, scaled]) => {
    const sets = Object.entries({ ...scaled, ...EXPIRY }).map(([key, value]) => `${key}=${value}`);
    return { name, title: TITLES[name] ?? name, discipline: parseDiscipline(name, sets) };
  });
}

export const SLOWED: Fault = { kind: "slow", at: 0, node: DEMO.slowNode, factor: DEMO.slowFactor };

/** The throttle takes effect at once. */
export const KILLED: Fault = { kind: "kill", at: 0, node: DEMO.killedNode };

export interface ScaledParameter {
  readonly policy: string;
  readonly name: string;
  readonly here: string;
  readonly published: string;
}

/** The parameters that the demo scales, beside their published values. */
export function scaledParameters(): readonly ScaledParameter[] {
  const policies = Object.entries(SCALED).flatMap(([policy, scaled]) => {
    const { speculation } = parseDiscipline(policy, []);
    return Object.entries(scaled).map(([name, value]) => {
      const published = shown(name, defaultOf(speculation, name.split(".")[1] ?? ""));
      return { policy: TITLES[policy] ?? policy, name, here: shown(name, value), published };
    });
  });
  const heartbeat = {
    policy: "all",
    name: "heartbeat interval",
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
