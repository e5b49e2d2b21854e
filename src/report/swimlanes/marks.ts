import { never } from "../../base/assert.ts";
import type { Fault } from "../../model/fault.ts";
import { coursesOf, type FaultCourse, type Moment } from "../../model/fault-course.ts";

/** A fault of the scenario on a node or on a rack's links. Times in ms. */
export interface Mark {
  /** Name of the node or rack. */
  readonly target: string;
  readonly of: "node" | "rack";
  readonly from: number;
  /** Equal to `from` for an instant. */
  readonly to: number;
  /** slow: the node still works; down: nothing runs there; blow: something was lost at once. */
  readonly kind: "slow" | "down" | "blow";
  readonly text: string;
}

export function marksOf(
  faults: readonly Fault[],
  of: {
    readonly nodes: readonly string[];
    readonly racks: readonly string[];
    readonly seed: number;
    readonly endsAt: number;
  },
): readonly Mark[] {
  return coursesOf(faults, of).flatMap((course) => marksOfCourse(course, of.endsAt));
}

type Begin = Extract<Moment, { readonly is: "begin" }>;

function marksOfCourse({ fault, target, moments }: FaultCourse, endsAt: number): readonly Mark[] {
  const marks: Mark[] = [];
  let open: Begin | undefined;
  const close = (to: number): void => {
    if (open === undefined || open.at >= endsAt) return;
    const mark = describe(fault, open);
    if (mark === undefined) return;
    const of = fault.kind === "congestion" ? "rack" : "node";
    const until = mark.kind === "blow" ? open.at : Math.min(to, endsAt);
    marks.push({ ...mark, target, of, from: open.at, to: until });
  };
  for (let { value } = moments.next(); value !== undefined; { value } = moments.next()) {
    close(value.at);
    open = value.is === "begin" ? value : undefined;
    if (value.at >= endsAt) break;
  }
  close(endsAt);
  return marks;
}

/** Undefined for a fault that changes nothing. */
function describe(fault: Fault, { strength }: Begin): Pick<Mark, "kind" | "text"> | undefined {
  switch (fault.kind) {
    case "slow":
    case "stress":
      return strength === 1 ? undefined : { kind: "slow", text: `slow ×${rounded(strength)}` };
    case "load": {
      const { processes = 0, writers = 0 } = fault;
      const parts = [
        ...(processes > 0 ? [`${processes} processes`] : []),
        ...(writers > 0 ? [`${writers} writers`] : []),
      ];
      return { kind: "slow", text: parts.join(", ") };
    }
    case "congestion":
      return { kind: "slow", text: `${Math.round(Math.min(0.99, strength) * 100)} % taken` };
    case "pause":
      return { kind: "down", text: "paused" };
    case "kill":
      return { kind: "down", text: fault.what === "tracker" ? "tracker dead" : "dead" };
    case "fill-disk":
      return { kind: "slow", text: "disk full" };
    case "lose-outputs":
      return strength === 0 ? undefined : { kind: "blow", text: "outputs lost" };
    case "evict":
      return { kind: "blow", text: "evictions" };
    default:
      return never(fault);
  }
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
