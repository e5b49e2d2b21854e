import type { Fault } from "./fault.ts";
import type { FaultCourse, Moment } from "./fault-course.ts";

/** A fault that never happened to its target, since the run ended first. */
export interface MissedFault {
  readonly fault: Fault;
  /** The name of the node or rack. */
  readonly target: string;
  /** When the fault was due, in milliseconds since the job began. */
  readonly at: number;
}

/** Keeps the courses of faults that have not happened yet, for a host that carries faults out. */
export class AwaitedFaults {
  readonly #dueAt = new Map<FaultCourse, number>();

  /** The moment is the course's next. */
  await(course: FaultCourse, moment: Moment): void {
    if (moment.is === "begin" && moment.ordinal === 0) this.#dueAt.set(course, moment.at);
  }

  happened(course: FaultCourse): void {
    this.#dueAt.delete(course);
  }

  /** The faults that are still awaited, in the order of the faults and then of the targets. */
  get missed(): readonly MissedFault[] {
    return [...this.#dueAt].map(([{ fault, target }, at]) => ({ fault, target, at }));
  }
}
