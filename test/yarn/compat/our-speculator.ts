import { createScheduler, type Scheduler, SETUP_DEFAULTS } from "../../../src/core/index.ts";
import type { Action } from "../../../src/model/action.ts";
import { CAPABILITIES } from "../../../src/model/cluster.ts";
import type { ClusterEvent } from "../../../src/model/event.ts";
import type { Discipline } from "../../../src/policy/policy.ts";
import { SLOT_KINDS } from "../../support/jobs.ts";

/** One look for tasks that are worth a copy. */
export interface Look {
  readonly at: number;
  /** Tasks that got a copy, in the order of the decisions: the maps from 0, then the reduces. */
  readonly copied: readonly number[];
  /** The reason for or against a copy, one per phase. */
  readonly rules: readonly string[];
}

/** The rules of `yarn` in a look; other rules do not mark a look. */
const RULES: ReadonlySet<string> = new Set([
  "already-speculated",
  "containers-needed",
  "largest-gain",
  "nothing-running",
  "on-schedule",
  "progress-is-good",
  "speculative-cap",
  "too-late",
  "too-new",
]);

/** The core with the policy `yarn`: remembers its looks, and when it wants to be woken. */
export class OurSpeculator {
  readonly looks: Look[] = [];
  readonly #scheduler: Scheduler;
  readonly #wakes = new Set<number>();

  /** `isOffered`: the core gives out slots; otherwise attempts start by themselves. */
  constructor(discipline: Discipline, { seed, isOffered }: { seed: number; isOffered: boolean }) {
    this.#scheduler = createScheduler(
      {
        ...SETUP_DEFAULTS,
        seed,
        slotKinds: SLOT_KINDS,
        racks: ["r1"],
        capabilities: CAPABILITIES.filter((one) => isOffered || one !== "slot-offers"),
        attemptsMax: 1_000,
        discipline,
      },
      { explain: true },
    );
  }

  /** Infinity: never. */
  get wakesAt(): number {
    return Math.min(...this.#wakes, Number.POSITIVE_INFINITY);
  }

  step(event: ClusterEvent): readonly Action[] {
    this.#wakes.delete(event.at);
    const { actions } = this.#scheduler.step(event);
    const rules: string[] = [];
    const copied: number[] = [];
    for (const action of actions) {
      if (action.kind === "wake") this.#wakes.add(action.at);
      if (action.kind === "request") copied.push(action.task);
      if (action.kind !== "request" && action.kind !== "pass") continue;
      if (RULES.has(action.why.rule)) rules.push(action.why.rule);
    }
    if (rules.length > 0) this.looks.push({ at: event.at, copied, rules });
    return actions;
  }
}
