import { list, Place } from "../base/shape.ts";
import { fault } from "../hosts/sim/fault-shape.ts";
import { type Fault, namesMeant } from "../model/fault.ts";
import { readJson } from "./files.ts";

/** A JSON list of faults, the same as a scenario's, of nodes that are there. */
export function readFaults(path: string, nodes: readonly string[]): readonly Fault[] {
  const place = new Place("bad-input", path);
  const faults = list(fault).read(readJson(path, "bad-input"), place);
  for (const [i, fault] of faults.entries()) {
    if (fault.kind === "congestion" || namesMeant(fault.node, nodes).length > 0) continue;
    const expected = `expected nodes from ${nodes[0]} to ${nodes.at(-1)}, found ${fault.node}`;
    place.index(i).key("node").fail(expected);
  }
  return faults;
}
