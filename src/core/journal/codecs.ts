import { listed, quoted } from "../../base/json-text.ts";
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
import { type Fields, numberText } from "./fields.ts";
import { readProgress, writeProgress } from "./progress-field.ts";
import type { Words } from "./words.ts";

export type FieldCodec<T> = AnyCodec<T, Fields, Words>;
export type JournalLine<T> = AnyLine<T, Fields, Words>;

export const node: FieldCodec<NodeId> = {
  write: (id, { names }) => names.nodeText(id),
  read: (fields, key, words) => words.readNode(fields, key),
};

export const nodes: FieldCodec<readonly NodeId[]> = {
  write: (ids, { names }) => listed(ids.map((id) => names.nodeText(id))),
  read: (fields, key, words) => words.readNodes(fields, key),
};

export const rack: FieldCodec<RackId> = {
  write: (id, words) => quoted(words.rack(id)),
  read: (fields, key, words) => words.readRack(fields, key),
};

export const racks: FieldCodec<readonly RackId[]> = {
  write: (ids, words) => listed(ids.map((id) => quoted(words.rack(id)))),
  read: (fields, key, words) => words.readRacks(fields, key),
};

export const job: FieldCodec<JobId> = {
  write: (id, { names }) => quoted(names.job(id)),
  read: (fields, key, words) => words.readJob(fields, key),
};

export const task: FieldCodec<TaskId> = {
  write: (id, { names }) => names.taskText(id),
  read: (fields, key, words) => words.readTask(fields, key),
};

export const attempt: FieldCodec<AttemptId> = {
  write: (id, { names }) => names.attemptText(id),
  read: (fields, key, words) => words.readAttempt(fields, key),
};

export const request: FieldCodec<RequestId> = {
  write: (id, words) => `"${words.request(id)}"`,
  read: (fields, key, words) => words.readRequest(fields, key),
};

export const slot: FieldCodec<SlotKind> = {
  write: (kind, words) => words.slotText(kind),
  read: (fields, key, words) => words.readSlotKind(fields, key),
};

export const slots: FieldCodec<SlotCounts> = {
  write: (counts, words) => words.slots(counts),
  read: (fields, key, words) => words.readSlots(fields, key),
};

export const progress: FieldCodec<ProgressSource> = {
  write: (source) => writeProgress(source),
  read: (fields, key) => readProgress(fields.fields(key)),
};

export const where: FieldCodec<Where> = {
  write(value, words) {
    return value.on === "any" ? '"any"' : `{"${value.on}":${nodes.write(value.nodes, words)}}`;
  },
  read(fields, key, words) {
    if (fields.find(key) === "any") return { on: "any" };
    const found = fields.fields(key);
    const on = found.has("only") ? "only" : "all-but";
    return { on, nodes: nodes.read(found, on, words) };
  },
};

export const text: FieldCodec<string> = {
  write: quoted,
  read: (fields, key) => fields.text(key),
};

export const number: FieldCodec<number> = {
  write: numberText,
  read: (fields, key) => fields.number(key),
};

export const time: FieldCodec<Instant> = {
  write: numberText,
  read: (fields, key) => instant(fields.number(key)),
};

export const oneOf = <T extends string>(known: readonly T[]): FieldCodec<T> => ({
  write: (value) => `"${value}"`,
  read: (fields, key) => fields.oneOf(key, known),
});

export const optional = <T>(of: FieldCodec<T>): FieldCodec<T> => ({ ...of, optional: true });
