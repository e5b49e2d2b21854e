import { readNamedSettings } from "../../../base/named-settings.ts";
import {
  flag,
  number,
  object,
  optional,
  Place,
  positive,
  type Shape,
  whole,
} from "../../../base/shape.ts";

/** A queue of capacity-scheduler.xml; what it does not say, the policy's parameters say. */
export interface QueueSettings {
  /** Per cent of the slots of each kind. */
  readonly capacity: number;
  /** Per cent beyond which it does not grow. */
  readonly maximumCapacity?: number;
  /** Per cent of the queue that a user gets at least while others want some. */
  readonly minimumUserLimitPercent?: number;
  /** How often the queue's capacity one user may have. */
  readonly userLimitFactor?: number;
  /** Whether jobs go by priority. */
  readonly supportsPriority?: boolean;
  readonly maximumActiveTasks?: number;
  readonly maximumActiveTasksPerUser?: number;
}

const percent = number({ min: 0, max: 100 });

const queue: Shape<QueueSettings> = object<QueueSettings>("a queue", {
  capacity: { shape: percent, absent: "refused" },
  maximumCapacity: optional(percent),
  minimumUserLimitPercent: optional(number({ min: 1, max: 100 })),
  userLimitFactor: optional(positive),
  supportsPriority: optional(flag),
  maximumActiveTasks: optional(whole({ min: 1 })),
  maximumActiveTasksPerUser: optional(whole({ min: 1 })),
});

/** Reads the text of the queues; a mistake in it is an InputError with its place. */
export function readQueues(text: string): ReadonlyMap<string, QueueSettings> {
  const place = new Place("bad-parameter", "sharing.queues");
  const queues = readNamedSettings(text, queue, place);
  let total = 0;
  for (const [name, { capacity, maximumCapacity }] of queues) {
    total += capacity;
    if (maximumCapacity !== undefined && maximumCapacity < capacity) {
      place.key(name).key("maximumCapacity").refuse(`${capacity} or more`, maximumCapacity);
    }
  }
  // As in Hadoop: thirds may be written as 33.4. A sum of thirds may lack a last bit.
  if (Math.floor(total + 1e-6) !== 100) place.fail(`the capacities sum to ${total}, expected 100`);
  return queues;
}

/** The reader refuses every error itself: it knows the place in the text. */
export function faultInQueues(text: string): undefined {
  readQueues(text);
}
