import type { JobId, SlotKind } from "../../../src/model/ids.ts";
import { type ParamsOf, params } from "../../../src/policy/params.ts";
import type { SharingPolicy } from "../../../src/policy/policy.ts";

const NO_LIMIT = Number.POSITIVE_INFINITY;

const NOTHING_HELD_BACK = params({
  /** Delay scheduling. */
  nodeMs: { default: 0, about: "wait for a slot on the data's node, ms" },
  rackMs: { default: 0, about: "wait for a slot on its rack after that, ms" },
  jobsMax: { default: NO_LIMIT, about: "jobs admitted at once" },
  farMax: { default: NO_LIMIT, about: "far launches in one offer" },
  slotsMax: { default: NO_LIMIT, about: "slots filled in one offer" },
});

export type TestSharing = ParamsOf<typeof NOTHING_HELD_BACK>;

/** The time since which each job has been declining slots. */
interface Memory {
  declining: [JobId, number][];
}

/** Jobs in the order of admission, with the limits that a script tests. */
export const testSharing: SharingPolicy<TestSharing, Memory> = {
  name: "test-sharing",
  source: "the golden scripts; delay scheduling as in Hadoop 1.2.1's FairScheduler",
  params: NOTHING_HELD_BACK,
  needs: [],
  remember: () => ({ declining: [] }),

  hears: {
    "slot-declined"({ memory, view }, { job }) {
      if (memory.declining.some(([other]) => other === job)) return;
      memory.declining.push([job, view.now]);
    },
    "attempt-assumed"({ memory, view }, { attempt, locality }) {
      if (locality !== "node") return;
      const job = view.jobOf(view.task(view.attempt(attempt).task).phase).id;
      memory.declining = memory.declining.filter(([other]) => other !== job);
    },
  },

  admit: ({ view, params }) => [...view.jobs()].length < params.jobsMax,

  plan({ params }, _, free) {
    const slots: SlotKind[] = free.flatMap(({ kind, count }) => new Array(count).fill(kind));
    return { slots: slots.slice(0, params.slotsMax), farMax: params.farMax };
  },

  *jobs({ view }) {
    for (const job of view.jobs()) yield job.id;
  },

  allowedLocality({ memory, params, view }, job) {
    const since = memory.declining.find(([other]) => other === job)?.[1];
    const waitedMs = since === undefined ? 0 : view.now - since;
    if (waitedMs < params.nodeMs) return "node";
    return waitedMs < params.nodeMs + params.rackMs ? "rack" : "any";
  },
};
