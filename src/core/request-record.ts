import type { Request } from "../model/attempt.ts";
import type { NodeId } from "../model/ids.ts";
import type { TaskRecord } from "./records.ts";

/** A copy that waits for a slot. */
export interface RequestRecord extends Request {
  readonly record: TaskRecord;
  /** The nodes that are asked first, in this order; none if they need not be. */
  readonly askedFirst: readonly NodeId[];
}
