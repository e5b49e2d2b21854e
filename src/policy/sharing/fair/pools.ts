import { readNamedSettings } from "../../../base/named-settings.ts";
import {
  atLeast0,
  object,
  oneOf,
  optional,
  Place,
  positive,
  type Shape,
  standard,
  whole,
} from "../../../base/shape.ts";

/** A pool of the allocation file. The first slot kind counts as maps, all others as reduces. */
export interface PoolSettings {
  readonly weight: number;
  readonly mode?: "fair" | "fifo";
  readonly minMaps: number;
  readonly minReduces: number;
  readonly maxMaps: number;
  readonly maxReduces: number;
  /** The most jobs of the pool that are admitted at once. */
  readonly maxRunningJobs?: number;
  /** Milliseconds below its minimum share after which the pool may pre-empt. */
  readonly minSharePreemptionTimeoutMs?: number;
}

export interface UserSettings {
  readonly maxRunningJobs: number;
}

const NO_LIMIT = Number.POSITIVE_INFINITY;
const count = whole({ min: 0 });

const pool: Shape<PoolSettings> = object<PoolSettings>("a pool", {
  weight: standard(positive, 1),
  mode: optional(oneOf(["fair", "fifo"])),
  minMaps: standard(count, 0),
  minReduces: standard(count, 0),
  maxMaps: standard(whole({ min: 1 }), NO_LIMIT),
  maxReduces: standard(whole({ min: 1 }), NO_LIMIT),
  maxRunningJobs: optional(whole({ min: 1 })),
  minSharePreemptionTimeoutMs: optional(atLeast0),
});

const user: Shape<UserSettings> = object<UserSettings>("a user", {
  maxRunningJobs: standard(whole({ min: 1 }), NO_LIMIT),
});

/** The allocations that the parameters hold. */
export interface Allocations {
  readonly pools: ReadonlyMap<string, PoolSettings>;
  readonly users: ReadonlyMap<string, UserSettings>;
}

/** Throws an InputError with the place of a mistake in the text. */
export const readPools = (text: string): ReadonlyMap<string, PoolSettings> =>
  readNamedSettings(text, pool, new Place("bad-parameter", "sharing.pools"));

export const readUsers = (text: string): ReadonlyMap<string, UserSettings> =>
  readNamedSettings(text, user, new Place("bad-parameter", "sharing.users"));

/** Throws every error itself, since only the readers know the place in the text. */
export function faultInPools(text: string): undefined {
  readPools(text);
}

export function faultInUsers(text: string): undefined {
  readUsers(text);
}

const STANDARD: PoolSettings = {
  weight: 1,
  minMaps: 0,
  minReduces: 0,
  maxMaps: NO_LIMIT,
  maxReduces: NO_LIMIT,
};

export const poolNamed = ({ pools }: Allocations, name: string): PoolSettings =>
  pools.get(name) ?? STANDARD;
