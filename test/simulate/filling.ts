/** The demands of one component's flows, and the capacities. */
export interface Demand {
  /** Per flow: the resources that it uses, each once. */
  readonly uses: readonly (readonly number[])[];
  /** Per flow: its own bound; Infinity for no bound. */
  readonly bounds: readonly number[];
  /** Per resource, in units per millisecond. */
  readonly capacities: readonly number[];
}

/**
 * Max-min fair rates by progressive filling, in the plainest form: all rates rise together; a flow
 * stops when its own bound is reached or one of its resources is full.
 *
 * This is the definition. `Fluid` does the same for the touched component only; a test compares
 * them. COST: O(rounds x flows x resources).
 */
export function progressiveFilling({ uses, bounds, capacities }: Demand): number[] {
  const rates = uses.map(() => 0);
  const rising = new Set(uses.keys());
  while (rising.size > 0) {
    let level = Number.POSITIVE_INFINITY;
    for (const flow of rising) level = Math.min(level, bounds[flow] ?? Number.POSITIVE_INFINITY);
    for (const resource of capacities.keys()) {
      level = Math.min(level, fullAt({ resource, uses, rates, rising, capacities }));
    }
    for (const flow of rising) rates[flow] = level;
    if (level === Number.POSITIVE_INFINITY) break;
    for (const flow of [...rising]) {
      const bounded = bounds[flow] === level;
      const blocked = uses[flow]?.some(
        (resource) => fullAt({ resource, uses, rates, rising, capacities }) <= level * (1 + 1e-12),
      );
      if (bounded || blocked) rising.delete(flow);
    }
  }
  return rates;
}

/** The common rate of the rising flows at which the resource is full. */
function fullAt(world: {
  readonly resource: number;
  readonly uses: readonly (readonly number[])[];
  readonly rates: readonly number[];
  readonly rising: ReadonlySet<number>;
  readonly capacities: readonly number[];
}): number {
  let left = world.capacities[world.resource] ?? 0;
  let users = 0;
  for (const [flow, used] of world.uses.entries()) {
    if (!used.includes(world.resource)) continue;
    if (world.rising.has(flow)) users += 1;
    else left -= world.rates[flow] ?? 0;
  }
  return users === 0 ? Number.POSITIVE_INFINITY : Math.max(0, left) / users;
}
