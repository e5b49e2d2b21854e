import { InputError } from "../../../base/input-error.ts";
import type { Discipline } from "../../../policy/policy.ts";

/**
 * InputError for racks, links or replicas that do not fit the number of nodes, and for a discipline
 * that needs more racks.
 */
export function checkRacks(settings: {
  readonly discipline: Discipline;
  readonly nodes: number;
  readonly racks: number;
  readonly rackMbps?: number;
  readonly replication: number;
}): void {
  const { discipline, nodes, racks, rackMbps, replication } = settings;
  const fail = (flag: string, expected: string, found: number): never => {
    throw new InputError("bad-flag", flag, `expected ${expected}, found ${found}`);
  };
  if (racks > nodes) fail("racks", `at most ${nodes}, one for each node`, racks);
  if (!Number.isInteger(replication) || replication < 0 || replication > nodes) {
    fail("replication", `a whole number from 0 to ${nodes}, one on each node`, replication);
  }
  const { data } = discipline;
  const copies = data.find(({ policy }) => policy.needs.includes("replicate"))?.policy.name;
  if (racks === 1 && copies !== undefined) {
    fail("racks", `2 racks or more, as ${copies} copies outputs to another rack`, racks);
  }
  if (rackMbps === undefined) return;
  if (!(rackMbps > 0 && rackMbps < Number.POSITIVE_INFINITY)) {
    fail("rackMbps", "a number above 0", rackMbps);
  }
  if (racks === 1) fail("rackMbps", "several racks, between which links are", racks);
}
