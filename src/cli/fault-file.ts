import { list, Place } from "../base/shape.ts";
import { fault } from "../hosts/sim/fault-shape.ts";
import type { Fault } from "../model/fault.ts";
import { readJson } from "./files.ts";

/** A JSON list of faults, the same as a scenario's. */
export function readFaults(path: string): readonly Fault[] {
  return list(fault).read(readJson(path, "bad-input"), new Place("bad-input", path));
}
