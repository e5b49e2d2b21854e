import { InputError } from "../base/input-error.ts";
import { isObject, Place } from "../base/shape.ts";
import type { Fault } from "../model/fault.ts";
import { fault } from "../model/fault-shape.ts";
import { readText } from "./files.ts";
import { itemLines } from "./item-lines.ts";

/**
 * The faults in a file: a JSON list, or a scenario with a property `faults`. Errors in a fault,
 * from the reader or from `check`, are reported with the fault's line.
 */
export function readFaults(
  path: string,
  check: (fault: Fault, place: Place) => void,
): readonly Fault[] {
  const text = readText(path);
  const json = parsed(path, text);
  const whole = new Place("bad-input", path);
  const isScenario = isObject(json) && "faults" in json;
  const items = isScenario ? json.faults : json;
  if (!Array.isArray(items)) {
    return whole.refuse("a list of faults, or a scenario with one", items);
  }
  const lines = itemLines(text, isScenario ? "faults" : undefined);
  return items.map((item: unknown, i) => {
    const file = `${path}:${lines[i] ?? 1}`;
    const read = fault.read(item, new Place("bad-input", file, `[${i}]`));
    check(read, new Place("bad-input", file, `[${i}] (${read.kind})`));
    return read;
  });
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError("bad-input", path, `expected JSON: ${reason}`);
  }
}
