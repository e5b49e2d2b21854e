import { assert } from "../../base/assert.ts";
import type { Ask } from "../../model/action.ts";
import { admits } from "../../model/attempt.ts";
import type { RequestFact } from "../../model/fact.ts";
import { type NodeId, requestId, type SlotKind } from "../../model/ids.ts";
import type { Why } from "../../model/why.ts";
import type { NodeRecord } from "../state/node-record.ts";
import type { JobRecord, RequestRecord, TaskRecord } from "../state/records.ts";
import type { Core } from "./core.ts";
import { forbidsCopies, isOpen } from "./may-run.ts";

/** Records a copy that waits for a slot: the loop binds it, or a host that offers no slots. */
export function makeRequest(core: Core, ask: Ask & { kind: "request" }): void {
  const record = core.view.taskRecord(ask.task);
  assert(record.needed, "a task that needs no copy is not asked for");
  const { task, as, where, why } = ask;
  const id = requestId(core.state.nextRequest++);
  const askedFirst = where.on === "only" && !isRising(where.nodes) ? where.nodes : [];
  const request: RequestRecord = { id, task, as, where, madeAt: core.now, record, askedFirst };
  core.state.requests.set(id, request);
  record.requests++;
  record.phase.requested++;
  record.phase.job.requests.add(request);
  for (const kind of record.phase.phase.slots) core.state.beganToWait.add(kind);
  core.emit({ kind: "request", request: id, task, as, where, why });
  if (core.wants["request-made"])
    core.record({ at: core.now, kind: "request-made", request: id, task, as, where, why });
}

/** Nodes in order of their ids are named without preference. */
const isRising = (nodes: readonly NodeId[]): boolean =>
  nodes.every((node, i) => i === 0 || node > nodes[i - 1]!);

type HowEnded = (RequestFact & { kind: "request-ended" })["how"];

/** Removes a request that no longer waits. `why`: the reason of a withdrawal. */
export function dropRequest(core: Core, request: RequestRecord, how: HowEnded, why?: Why): void {
  core.state.requests.delete(request.id);
  request.record.requests--;
  request.record.phase.requested--;
  request.record.phase.job.requests.delete(request);
  if (core.wants["request-ended"]) {
    const { id, task } = request;
    const reason = why === undefined ? {} : { why };
    core.record({ at: core.now, kind: "request-ended", request: id, task, how, ...reason });
  }
}

export function withdraw(core: Core, request: RequestRecord, why: Why): void {
  dropRequest(core, request, "withdrawn", why);
  core.emit({ kind: "withdraw", request: request.id, why });
}

export function withdrawAll(core: Core, task: TaskRecord, why: Why): void {
  if (task.requests === 0) return;
  for (const request of [...task.phase.job.requests]) {
    if (request.record === task) withdraw(core, request, why);
  }
}

/** The job's first request that may take the slot. A copy may only run beside a running attempt. */
export function requestFor(
  core: Core,
  job: JobRecord,
  node: NodeRecord,
  kind: SlotKind,
): RequestRecord | undefined {
  for (const request of job.requests) {
    const { record, where } = request;
    if (!record.phase.phase.slots.includes(kind) || !admits(where, node.id)) continue;
    if (request.as === "speculative" && record.unended === 0) continue;
    // The task may have been launched since the request was made.
    if (forbidsCopies(record.phase) && record.unended > 0) continue;
    if (!isOpen(core, record.phase)) continue;
    return request;
  }
  return undefined;
}
