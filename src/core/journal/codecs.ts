import type { Codec as AnyCodec, Line as AnyLine } from "../../base/lines.ts";
import type { Where } from "../../model/attempt.ts";
import type { SlotCounts } from "../../model/cluster.ts";
import {
  type AttemptId,
  type Instant,
  instant,
  type JobId,
  type NodeId,
  type RackId,
  type RequestId,
  type SlotKind,
  type TaskId,
} from "../../model/ids.ts";
import type { ProgressSource } from "../../model/progress.ts";
import { type Fields, written } from "./fields.ts";
import { readProgress, writeProgress } from "./progress-field.ts";
import type { Words } from "./words.ts";

export type Codec<T> = AnyCodec<T, Fields, Words>;
export type Line<T> = AnyLine<T, Fields, Words>;

export const node: Codec<NodeId> = {
  write: (id, { names }) => names.node(id),
  read: (fields, key, words) => words.readNode(fields, key),
};

export const nodes: Codec<readonly NodeId[]> = {
  write: (ids, { names }) => ids.map((id) => names.node(id)),
  read: (fields, key, words) => words.readNodes(fields, key),
};

export const rack: Codec<RackId> = {
  write: (id, words) => words.rack(id),
  read: (fields, key, words) => words.readRack(fields, key),
};

export const racks: Codec<readonly RackId[]> = {
  write: (ids, words) => ids.map((id) => words.rack(id)),
  read: (fields, key, words) => words.readRacks(fields, key),
};

export const job: Codec<JobId> = {
  write: (id, { names }) => names.job(id),
  read: (fields, key, words) => words.readJob(fields, key),
};

export const task: Codec<TaskId> = {
  write: (id, { names }) => names.task(id),
  read: (fields, key, words) => words.readTask(fields, key),
};

export const attempt: Codec<AttemptId> = {
  write: (id, { names }) => names.attempt(id),
  read: (fields, key, words) => words.readAttempt(fields, key),
};

export const request: Codec<RequestId> = {
  write: (id, words) => words.request(id),
  read: (fields, key, words) => words.readRequest(fields, key),
};

export const slot: Codec<SlotKind> = {
  write: (kind, words) => words.slotKind(kind),
  read: (fields, key, words) => words.readSlotKind(fields, key),
};

export const slots: Codec<SlotCounts> = {
  write: (counts, words) => words.slots(counts),
  read: (fields, key, words) => words.readSlots(fields, key),
};

export const progress: Codec<ProgressSource> = {
  write: (source) => writeProgress(source),
  read: (fields, key) => readProgress(fields.fields(key)),
};

export const where: Codec<Where> = {
  write(value, words) {
    return value.on === "any" ? value.on : { [value.on]: nodes.write(value.nodes, words) };
  },
  read(fields, key, words) {
    if (fields.find(key) === "any") return { on: "any" };
    const found = fields.fields(key);
    const on = found.has("only") ? "only" : "all-but";
    return { on, nodes: nodes.read(found, on, words) };
  },
};

export const text: Codec<string> = {
  write: (value) => value,
  read: (fields, key) => fields.text(key),
};

export const number: Codec<number> = {
  write: written,
  read: (fields, key) => fields.number(key),
};

export const time: Codec<Instant> = {
  write: written,
  read: (fields, key) => instant(fields.number(key)),
};

export const oneOf = <T extends string>(known: readonly T[]): Codec<T> => ({
  write: (value) => value,
  read: (fields, key) => fields.oneOf(key, known),
});

export const optional = <T>(of: Codec<T>): Codec<T> => ({ ...of, optional: true });
