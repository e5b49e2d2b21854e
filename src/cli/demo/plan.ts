import { SETUP_DEFAULTS } from "../../core/state/setup.ts";
import { ENGINE_EXPIRY_MS, RUN_DEFAULTS } from "../../hosts/engine/index.ts";
import type { Fault } from "../../model/fault.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { findParam } from "../../policy/params.ts";
import type { Discipline } from "../../policy/policy.ts";
import { number, seconds } from "../../report/quantity.ts";

/** The demo's cluster, its job and its faults. */
export const DEMO = {
  nodes: 4,
  slots: 1,
  /**
   * Short files, then long ones, each a map. Every node has run several maps, which shows that one
   * node is slow, when each of them gets a long one, which makes the job wait for that node. So
   * many, because the slow node's first map or two are fast: the throttle has yet to start.
   */
  shortFiles: 120,
  /** One a node. */
  longFiles: 4,
  /**
   * How much longer a long file is than a short one, in the mean: so much that the slow node ends
   * its short file, and takes a long one, before another node has ended its own.
   */
  longOverShort: 40,
  /** The nodes are asked in order, so the only reduce runs on the first one. */
  reduces: 1,
  slowNode: "n2",
  /** As slow as the slowest node of LATE's own example (5.4.3). */
  slowFactor: 10,
  /** With `--kill`: the node that dies in its first map, in every run. */
  killedNode: "n3",
  /** The CPU time of a long file in a plain loop; the engine is faster. */
  longMs: 1_200,
} as const;

export type DemoPolicyName = "none" | "late";

/** A policy that the demo runs several times. */
export interface DemoPolicy {
  readonly name: DemoPolicyName;
  readonly title: string;
  readonly discipline: Discipline;
}

/**
 * Parameters scaled to a job of seconds on four nodes instead of minutes on hundreds; every other
 * parameter is as published.
 */
const SCALED: Readonly<Record<string, number>> = {
  "speculation.runtimeMsMin": 1_000,
  "speculation.speculativeCap": 0.25,
};
const EXPIRY = { "detection.expiryMs": ENGINE_EXPIRY_MS };

export const OFF = policy("none", "speculation off", {});
export const LATE = policy("late", "LATE", SCALED);

/** The policies of a pair, in the order of their runs: which one comes first alternates. */
export const policiesOf = (pair: number): readonly DemoPolicy[] =>
  pair % 2 === 1 ? [OFF, LATE] : [LATE, OFF];

function policy(
  name: DemoPolicyName,
  title: string,
  scaled: Readonly<Record<string, number>>,
): DemoPolicy {
  const sets = Object.entries({ ...scaled, ...EXPIRY }).map(([key, value]) => `${key}=${value}`);
  return { name, title, discipline: parseDiscipline(name, sets) };
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
  const { speculation } = parseDiscipline(LATE.name, []);
  const ofLate = Object.entries(SCALED).map(([name, value]) => {
    const published = shown(name, findParam(speculation.policy, name.split(".")[1] ?? "")?.default);
    return { policy: LATE.title, name, here: shown(name, value), published };
  });
  const heartbeat = {
    policy: "both",
    name: "heartbeat interval",
    here: seconds(RUN_DEFAULTS.heartbeatMs),
    published: seconds(SETUP_DEFAULTS.askAgainMs),
  };
  return [...ofLate, heartbeat];
}

function shown(name: string, value: unknown): string {
  if (typeof value !== "number") return String(value);
  return /Ms(Min|Max)?$/.test(name) ? seconds(value) : number(value);
}
