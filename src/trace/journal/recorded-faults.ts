import { isObject, type Json } from "../../base/json.ts";
import type { RecordedFault } from "../../history/evidence.ts";
import type { TraceJob } from "../../history/model.ts";

interface Fault {
  readonly node: string;
  readonly what: string;
  readonly from: number;
  until: number;
}

/** The faults that the host of a journal caused, and wrote down. */
export class RecordedFaults {
  readonly #faults: Fault[] = [];
  readonly #open = new Map<string, Fault>();

  /** Takes a line of the host's own. */
  read(data: Json): void {
    if (!isObject(data) || data.kind !== "fault") return;
    const { node, what, at, fault, is } = data;
    if (typeof node !== "string" || typeof what !== "string" || typeof at !== "number") return;
    const key = `${node} ${String(fault)}`;
    const open = this.#open.get(key);
    if (open !== undefined) open.until = at;
    this.#open.delete(key);
    if (is !== "begin" || what === "") return;
    const begun = { node, what, from: at, until: Number.POSITIVE_INFINITY };
    this.#faults.push(begun);
    this.#open.set(key, begun);
  }

  /** The job with the faults that lasted while it did. */
  addTo(job: TraceJob): TraceJob {
    const faults = this.#faults
      .filter(({ from, until }) => from <= job.endedAt && until >= job.submittedAt)
      .map(({ node, what, from }): RecordedFault => {
        return { node, what, fromMs: Math.max(0, from - job.submittedAt) };
      });
    return faults.length === 0 ? job : { ...job, evidence: { ...job.evidence, faults } };
  }
}
