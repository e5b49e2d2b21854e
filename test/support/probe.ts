import type { Distribution } from "../../src/base/distribution.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import { type Discipline, type SpeculationPolicy, use } from "../../src/policy/policy.ts";

export interface Probe {
  readonly discipline: Discipline;
  /** Estimated time left of the running attempts, longest first. */
  readonly timesLeft: () => readonly number[];
  /** The time of a new copy of each running attempt. */
  readonly newCopies: () => readonly Distribution[];
}

/**
 * A discipline whose speculation policy makes no copies, but notes the estimates at each idle slot.
 */
export function probing(text: string): Probe {
  let timesLeft: readonly number[] = [];
  let newCopies: readonly Distribution[] = [];
  const probe: SpeculationPolicy<object, null> = {
    name: "probe",
    source: "tests",
    params: {},
    needs: [],
    remember: () => null,
    onIdleSlot({ estimate, view }, job, slot) {
      const phases = view.phases(job, slot.kind);
      const running = phases.flatMap(({ id }) => [...estimate.longestFirst(id)]);
      timesLeft = running.map(({ id }) => estimate.timeLeft(id));
      newCopies = running.map(({ task }) => estimate.newCopy(task));
      return [];
    },
  };
  const discipline = { ...parseDiscipline(text), speculation: use(probe) };
  return { discipline, timesLeft: () => timesLeft, newCopies: () => newCopies };
}
