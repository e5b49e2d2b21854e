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

/** A queue of capacity-scheduler.xml; missing settings are those of the policy's parameters. */
export interface QueueSettings {
  /** Per cent of the slots of each kind. */
  readonly capacity: number;
  /** Per cent of the slots beyond which the queue does not grow. */
  readonly maximumCapacity?: number;
  /** Per cent of the queue that a user is sure of while other users want some. */
  readonly minimumUserLimitPercent?: number;
  /** The times of the queue's capacity that one user may have. */
  readonly userLimitFactor?: number;
  /** Whether the queue's jobs go by priority. */
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

/** Reads the text of the queues; throws an InputError with the place of a mistake. */
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
  // As in Hadoop: thirds may be written as 33.4. A sum of thirds may be off by its last bit.
  if (Math.floor(total + 1e-6) !== 100) place.fail(`the capacities sum to ${total}, expected 100`);
  return queues;
}

/** Throws every error itself, since only the reader knows the place in the text. */
export function faultInQueues(text: string): undefined {
  readQueues(text);
}
