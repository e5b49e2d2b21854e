import type { Dice } from "../../diagnose/support/dice.ts";

/** Short beside the attempts, whose ends are seen at heartbeats only. */
export const HEARTBEAT_MS = 300;
export const BEATS = { heartbeatMs: HEARTBEAT_MS, reportEveryMs: 1_000, askAgainMs: HEARTBEAT_MS };

interface Fluid {
  readonly nodes: number;
  /** Of a node, for maps and as many for reduces. */
  readonly slots: number;
  /** The work of a map. */
  readonly map: object;
}

/** The size of a cluster whose attempts share disks, cores and links, and the work of its maps. */
export function drawFluid(dice: Dice): Fluid {
  const nodes = dice.whole(6, 12);
  const slots = dice.whole(1, 2);
  const map = {
    kind: "map",
    inputBytes: Math.round(dice.between(32e6, 96e6)),
    replicas: 3,
    cpuBytesPerMs: Math.round(dice.between(8_000, 30_000)),
    outputPerInput: dice.between(0.1, 0.8),
  };
  return { nodes, slots, map };
}

/** The cluster of a scenario: nodes m-0, m-1 and so on. */
export function fluidCluster({ nodes, slots }: Fluid): object {
  const host = {
    cores: 2 * slots,
    disk: [
      { streams: 1, bytesPerMs: 80_000 },
      { streams: 4, bytesPerMs: 110_000 },
    ],
    upBytesPerMs: 125_000,
    downBytesPerMs: 125_000,
  };
  return {
    ...BEATS,
    nodes: [{ name: "m", count: nodes, slots: { map: slots, reduce: slots }, host: "host" }],
    hosts: { host },
  };
}
