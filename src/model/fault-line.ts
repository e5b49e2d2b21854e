import { never } from "../base/assert.ts";
import { ascending } from "../base/order.ts";
import type { Fault } from "./fault.ts";
import { coursesOf, type FaultCourse, type Moment } from "./fault-course.ts";

/** A line of a journal: a fault begins or ends on a node or on a rack's links. */
export interface FaultLine {
  readonly kind: "fault";
  /** Milliseconds on the journal's clock. */
  readonly at: number;
  /** The name of the node or rack. */
  readonly node: string;
  /** For people: "slow ×4". */
  readonly what: string;
  readonly fault: Fault["kind"];
  readonly is: "begin" | "end";
}

/** The lines of a scenario's faults, in the order of time. They may be endless. */
export class FaultLines {
  readonly #courses: readonly OpenCourse[];

  constructor(
    faults: readonly Fault[],
    of: {
      readonly nodes: readonly string[];
      readonly racks: readonly string[];
      readonly seed: number;
    },
  ) {
    this.#courses = coursesOf(faults, of).map((course) => {
      return { course, next: course.moments.next().value };
    });
  }

  /** The lines up to and including this time that have not been returned before. */
  until(at: number): readonly FaultLine[] {
    const lines = this.#courses.flatMap((open) => due(open, at));
    return lines.sort(ascending((line) => line.at));
  }
}

interface OpenCourse {
  readonly course: FaultCourse;
  next: Moment | undefined;
}

function due(open: OpenCourse, at: number): readonly FaultLine[] {
  const lines: FaultLine[] = [];
  const { fault, target, moments } = open.course;
  for (; open.next !== undefined && open.next.at <= at; open.next = moments.next().value) {
    const { next } = open;
    const what = next.is === "begin" ? describe(fault, next.strength) : "over";
    if (what === undefined) continue;
    lines.push({ kind: "fault", at: next.at, node: target, what, fault: fault.kind, is: next.is });
  }
  return lines;
}

/** Undefined for a fault that changes nothing. */
function describe(fault: Fault, strength: number): string | undefined {
  switch (fault.kind) {
    case "slow":
    case "stress":
      return strength === 1 ? undefined : `slow ×${Math.round(strength * 10) / 10}`;
    case "load": {
      const { processes = 0, writers = 0 } = fault;
      const parts = [
        ...(processes > 0 ? [`${processes} processes`] : []),
        ...(writers > 0 ? [`${writers} writers`] : []),
      ];
      return parts.join(", ");
    }
    case "congestion":
      return `${Math.round(Math.min(0.99, strength) * 100)} % taken`;
    case "pause":
      return "paused";
    case "kill":
      return fault.what === "tracker" ? "tracker dead" : "dead";
    case "fill-disk":
      return "disk full";
    case "lose-outputs":
      return strength === 0 ? undefined : "outputs lost";
    case "evict":
      return "evictions";
    default:
      return never(fault);
  }
}
