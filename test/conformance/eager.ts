/**
 * Settings under which a policy acts in small worlds as it would in large ones: with its defaults
 * it would do nothing there, and a test would be empty.
 */
const EAGER: Readonly<Record<string, readonly string[]>> = {
  esplash: [
    "speculation.tau=0.5",
    "speculation.epochMs=2000",
    "speculation.coverage=0.1",
    "speculation.clusterEveryMs=5000",
    "speculation.deviationMin=0.01",
    "speculation.whileTasksWait=true",
    "speculation.k=2",
  ],
  // Values that add up exceed 0.5 on every node at once, and then no node hosts copies.
  "esplash-printed": [
    "speculation.tau=20",
    "speculation.epochMs=2000",
    "speculation.coverage=0.1",
    "speculation.clusterEveryMs=5000",
    "speculation.whileTasksWait=true",
    "speculation.k=2",
  ],
  // Most tasks of small worlds take less than the minute before which no task is slow.
  flink: ["speculation.baselineLowerBoundMs=5000"],
  // Each kill that saves anything is made, and many tasks count as short.
  "local-preempt": ["order.worth=0", "order.shortShare=1", "order.lookMs=500", "order.yieldsMax=2"],
  "elephant-preempt": [
    "order.worth=0",
    "order.shortShare=1",
    "order.lookMs=500",
    "order.yieldsMax=2",
  ],
  fair: [
    "sharing.preemption=true",
    "sharing.preemptionIntervalMs=1000",
    "sharing.fairSharePreemptionTimeoutMs=1000",
    "sharing.pools=red:minMaps=6,minReduces=6,minSharePreemptionTimeoutMs=1000",
  ],
};

/** The settings for a discipline's text: by its name, and by the policies in its seats. */
export const eagerSettings = (discipline: string): readonly string[] =>
  discipline.split(",").flatMap((part) => EAGER[part.split("=").at(-1) ?? ""] ?? []);
