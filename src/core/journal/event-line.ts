import { fieldsText, listed, quoted } from "../../base/json-text.ts";
import { type Lines, line, lines } from "../../base/lines.ts";
import type { Without } from "../../base/without.ts";
import { ATTEMPT_KINDS, type Output } from "../../model/attempt.ts";
import type { Node } from "../../model/cluster.ts";
import { type ClusterEvent, FAILURE_CAUSES } from "../../model/event.ts";
import { nodeId } from "../../model/ids.ts";
import type { Job } from "../../model/job.ts";
import {
  attempt,
  type JournalLine,
  job,
  node,
  number,
  oneOf,
  optional,
  progress,
  rack,
  request,
  slots,
  task,
  text,
  time,
} from "./codecs.ts";
import { type Fields, numberText } from "./fields.ts";
import { writeProgress } from "./progress-field.ts";
import type { Words } from "./words.ts";

type Body<K extends ClusterEvent["kind"]> = Without<
  Extract<ClusterEvent, { readonly kind: K }>,
  "at" | "kind"
>;

/** A node's name gets the next id unless the line gives another. */
const joined: JournalLine<{ readonly node: Node }> = {
  write({ node: { id, name, rack: on, slots: counts } }, words) {
    const { names } = words;
    const isNext = id === names.nextNode || names.node(id) === name;
    names.addNode(id, name);
    const other = isNext ? "" : `,"id":${id}`;
    const rest = `,"rack":${quoted(words.rack(on))},"slots":${words.slots(counts)}`;
    return `,"node":${quoted(name)}${other}${rest}`;
  },
  read(fields, words) {
    const { names } = words;
    const name = fields.text("node");
    const next = fields.has("id") ? fields.number("id") : names.nextNode;
    const id = names.nodeNamed(name) ?? nodeId(next);
    names.addNode(id, name);
    const counts = words.readSlots(fields, "slots");
    return { node: { id, name, rack: words.readRack(fields, "rack"), slots: counts } };
  },
};

const submitted: JournalLine<{ readonly job: Job }> = {
  write({ job }, words) {
    const fields = fieldsText(words.jobs.write(job));
    words.names.addJob(job);
    return fields;
  },
  read(fields, words) {
    const job = words.jobs.read(fields);
    if (words.names.isTaken(job)) fields.fail("job", "a name that no live job has");
    words.names.addJob(job);
    return { job };
  },
};

/** Most lines are of the kinds whose fields are written here one by one, which is faster. */
const offered: JournalLine<Body<"slots-offered">> = {
  ...line<Body<"slots-offered">, Fields, Words>({ node, free: slots }),
  write: ({ node: on, free }, words) =>
    `,"node":${words.names.nodeText(on)},"free":${words.slots(free)}`,
};

const progressed: JournalLine<Body<"attempt-progressed">> = {
  ...line<Body<"attempt-progressed">, Fields, Words>({ attempt, progress }),
  write: ({ attempt: of, progress: made }, { names }) =>
    `,"attempt":${names.attemptText(of)},"progress":${writeProgress(made)}`,
};

const restOfStart = line<Without<Body<"attempt-started">, "attempt" | "task">, Fields, Words>({
  node,
  as: oneOf(ATTEMPT_KINDS),
  request: optional(request),
  progress,
});

/** The line names the task if no launch has named the attempt. */
const started: JournalLine<Body<"attempt-started">> = {
  write(event, words) {
    const { names } = words;
    names.addAttempt(event.attempt, event.task, event.node);
    const isNamed = names.hasAttempt(event.attempt);
    const of = isNamed ? "" : `,"task":${names.taskText(event.task)}`;
    const name = names.attemptText(event.attempt);
    const on = names.nodeText(event.node);
    const asked = words.requestField(event.request);
    const made = `,"progress":${writeProgress(event.progress)}`;
    return `,"attempt":${name}${of},"node":${on},"as":"${event.as}"${asked}${made}`;
  },
  read(fields, words) {
    const { id, task: of } = fields.has("task")
      ? { id: words.readAttempt(fields, "attempt"), task: words.readTask(fields, "task") }
      : words.readNewAttempt(fields, "attempt");
    words.names.addAttempt(id, of, words.readNode(fields, "node"));
    return { attempt: id, task: of, ...restOfStart.read(fields, words) };
  },
};

const numbersText = (numbers: readonly number[]): string => listed(numbers.map(numberText));

const output = line<Output, Fields, Words>({
  bytes: number,
  records: number,
  byPartition: optional({
    write: numbersText,
    read: (fields, key) => fields.numbers(key),
  }),
});

const succeeded: JournalLine<Body<"attempt-succeeded">> = {
  write({ attempt: of, output: { bytes, records, byPartition } }, { names }) {
    const parts = byPartition === undefined ? "" : `,"byPartition":${numbersText(byPartition)}`;
    const made = `,"bytes":${numberText(bytes)},"records":${numberText(records)}${parts}`;
    return `,"attempt":${names.attemptText(of)}${made}`;
  },
  read: (fields, words) => ({
    attempt: attempt.read(fields, "attempt", words),
    output: output.read(fields, words),
  }),
};

const ofTask = line<Body<"output-lost">, Fields, Words>({ task, node });

const EVENT_LINES: Lines<Without<ClusterEvent, "at">, Fields, Words> = lines("event", {
  "node-joined": joined,
  "node-silent": line({ node, since: time }),
  "node-heard": line({ node }),
  "node-left": line({ node }),
  "node-resized": line({ node, slots }),
  "slots-offered": offered,
  "job-submitted": submitted,
  "job-killed": line({ job: job }),
  "attempt-started": started,
  "attempt-progressed": progressed,
  "attempt-succeeded": succeeded,
  "attempt-failed": line({ attempt, cause: oneOf(FAILURE_CAUSES) }),
  "attempt-killed": line({ attempt, by: oneOf(["us", "node-lost", "host"]) }),
  "fetch-failed": line({ reader: attempt, output: task, from: node }),
  "output-lost": ofTask,
  "output-replicated": ofTask,
  "launch-refused": line({ attempt, reason: text }),
  "request-refused": line({ request, reason: text }),
  "links-sampled": line({ rack, upBytesPerMs: number, downBytesPerMs: number }),
  "sharing-tuned": line({ parameter: text, value: text }),
  woken: line({}),
});

/**
 * An event as the first fields of a line, as text of JSON. Writing also adds the new names to
 * `words`.
 */
export const writeEvent = (event: ClusterEvent, words: Words): string =>
  `"at":${event.at},${EVENT_LINES.write(event, words)}`;

export function readEvent(fields: Fields, words: Words): ClusterEvent {
  const at = time.read(fields, "at", words);
  return { at, ...EVENT_LINES.read(fields.oneOf("event", EVENT_LINES.kinds), fields, words) };
}
