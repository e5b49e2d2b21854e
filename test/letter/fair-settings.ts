import type { Dice } from "./dice.ts";
import type { Params } from "./letter.ts";

/** The pools that jobs name; jobs of `default` are in their user's pool. */
export const POOLS = ["a", "b", "c", "default"];

export function drawFair(dice: Dice): Params {
  const params: Record<string, number> = {
    gap: dice.pick([0.2, 0.2, 0, 0.1]),
    lagMs: dice.pick([60_000, 20_000, 0]),
  };
  const set = (name: string, values: readonly number[]): void => {
    const value = dice.pick(values);
    if (!Number.isNaN(value)) params[name] = value;
  };
  const no = Number.NaN;
  for (const pool of ["a", "b", "c", "u"]) {
    set(`${pool}.weight`, [no, no, 2, 3, 0.5, 1.5]);
    set(`${pool}.fifo`, [no, no, 0, 1]);
    set(`${pool}.minMaps`, [no, no, 1, 3, 6, 22]);
    set(`${pool}.minReduces`, [no, no, 1, 2]);
    set(`${pool}.maxMaps`, [no, no, no, no, no, 4, 8]);
    set(`${pool}.maxReduces`, [no, no, no, no, 2, 4]);
    set(`${pool}.maxRunningJobs`, [no, no, no, no, 1, 2]);
  }
  set("user.u", [no, no, 1, 2]);
  set("userMaxJobs", [no, no, no, 1, 2]);
  set("poolMaxJobs", [no, no, no, 1, 2]);
  set("fairWithinPools", [no, no, 0]);
  set("sizeBasedWeight", [no, no, 1]);
  set("assignMultiple", [no, no, no, 0]);
  set("mapsMax", [no, no, no, 1, 2]);
  set("reducesMax", [no, no, no, 1]);
  set("loadMaxDiff", [no, no, 0.25, 0.5]);
  set("automaticLocalityDelay", [no, 0, 0]);
  if (params.automaticLocalityDelay === 0) {
    set("localityDelayNodeMs", [no, 0, 3_000, 5_000]);
    set("localityDelayRackMs", [no, 0, 3_000, 10_000]);
  }
  params.adjustMinShares = dice.pick([0, 1]);
  set("preemption", [no, 1, 1]);
  // Time-outs without pre-emption must not matter.
  if (params.preemption === 1 || dice.chance(0.5)) {
    set("preemptionIntervalMs", [no, 2_000, 5_000]);
    set("minSharePreemptionTimeoutMs", [no, 2_000, 5_000]);
    set("fairSharePreemptionTimeoutMs", [no, 3_000, 8_000]);
    for (const pool of ["a", "b"]) set(`${pool}.minSharePreemptionTimeoutMs`, [no, no, 1_000]);
  }
  return params;
}

const SWITCHES = [
  "fairWithinPools",
  "sizeBasedWeight",
  "assignMultiple",
  "automaticLocalityDelay",
  "adjustMinShares",
  "preemption",
];

export function setsOfFair(params: Params): readonly string[] {
  const ofPools = new Map<string, string[]>();
  const ofUsers: string[] = [];
  const others: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    const [pool, field] = name.split(".");
    if (field === undefined) {
      const seat = name === "gap" || name === "lagMs" ? "speculation" : "sharing";
      const text = SWITCHES.includes(name) ? String(value === 1) : String(value);
      others.push(`${seat}.${name}=${text}`);
    } else if (pool === "user") ofUsers.push(`${field}:maxRunningJobs=${value}`);
    else {
      const text = field === "fifo" ? `mode=${value === 1 ? "fifo" : "fair"}` : `${field}=${value}`;
      ofPools.set(pool!, [...(ofPools.get(pool!) ?? []), text]);
    }
  }
  const pools = [...ofPools].map(([pool, fields]) => `${pool}:${fields.join(",")}`);
  return [
    ...others,
    ...(pools.length > 0 ? [`sharing.pools=${pools.join(";")}`] : []),
    ...(ofUsers.length > 0 ? [`sharing.users=${ofUsers.join(";")}`] : []),
  ];
}
