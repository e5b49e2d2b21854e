import { InputError } from "../../../base/input-error.ts";

/** InputError for racks, links or replicas that do not fit the number of nodes. */
export function checkRacks(settings: {
  readonly nodes: number;
  readonly racks: number;
  readonly rackMbps?: number;
  readonly replication: number;
}): void {
  const { nodes, racks, rackMbps, replication } = settings;
  const fail = (flag: string, expected: string, found: number): never => {
    throw new InputError("bad-flag", flag, `expected ${expected}, found ${found}`);
  };
  if (racks > nodes) fail("racks", `at most ${nodes}, one for each node`, racks);
  if (!Number.isInteger(replication) || replication < 0 || replication > nodes) {
    fail("replication", `a whole number from 0 to ${nodes}, one on each node`, replication);
  }
  if (rackMbps === undefined) return;
  if (!(rackMbps > 0 && rackMbps < Number.POSITIVE_INFINITY)) {
    fail("rackMbps", "a number above 0", rackMbps);
  }
  if (racks === 1) fail("rackMbps", "several racks, between which links are", racks);
}
