import type { ClusterEvent, OutputEvent } from "../../model/event.ts";
import type { Seats } from "../loop/seats.ts";
import type { State } from "../state/state.ts";
import { launchedTask } from "../state/task-record.ts";
import { checkAttempt, checkNode, checkRequest } from "./check-attempt.ts";
import { checkJob } from "./check-job.ts";
import { Claims } from "./claims.ts";

/** Node ids lie below this. A larger id is a mistake and would cost memory in proportion. */
const NODES_MAX = 1_000_000;

/**
 * Refuses, with an InputError that names event and field, an event that contradicts the state or
 * cannot be true. The state is unchanged then, and the next event is taken as if the refused one
 * had never come. Late and repeated events pass; `apply` ignores them. COST: O(1); for a new job
 * O(tasks), for a curve O(segments).
 */
export function checkEvent(state: State, seats: Seats, event: ClusterEvent): void {
  const claims: Claims = new Claims(event);
  const isTime = Number.isFinite(event.at) && event.at >= state.now;
  claims.claim(isTime, "at", `a time not before ${state.now} ms`, event.at);
  switch (event.kind) {
    case "node-joined":
      checkJoin(claims, state, event);
      return;
    case "node-silent":
      checkNode(claims, state, "node", event.node);
      claims.past("since", event.since);
      return;
    case "node-heard":
    case "node-left":
      checkNode(claims, state, "node", event.node);
      return;
    case "node-resized":
      checkNode(claims, state, "node", event.node);
      claims.slots("slots", event.slots, state.setup.slotKinds);
      return;
    case "slots-offered":
      checkNode(claims, state, "node", event.node);
      claims.slots("free", event.free, state.setup.slotKinds, state.nodes[event.node]?.node.slots);
      return;
    case "job-submitted":
      checkJob(claims, state, event);
      return;
    case "job-killed":
      claims.id("job", event.job);
      return;
    case "attempt-started":
    case "attempt-progressed":
    case "attempt-succeeded":
    case "attempt-failed":
    case "attempt-killed":
      checkAttempt(claims, state, event);
      return;
    case "fetch-failed":
    case "output-lost":
    case "output-replicated":
      checkOutputEvent(claims, state, event);
      return;
    case "launch-refused":
      checkRefusal(claims, state, event);
      return;
    case "request-refused":
      checkRequest(claims, state, event.request);
      return;
    case "links-sampled":
      claims.index("rack", event.rack, state.setup.racks);
      claims.claim(event.upBytesPerMs >= 0, "upBytesPerMs", "0 or more", event.upBytesPerMs);
      claims.claim(event.downBytesPerMs >= 0, "downBytesPerMs", "0 or more", event.downBytesPerMs);
      return;
    case "sharing-tuned": {
      const fault = seats.sharingFault(event.parameter, event.value);
      claims.claim(fault === undefined, event.parameter, fault ?? "", event.value);
      return;
    }
    case "woken":
      return;
    default:
      claims.claim(false, "kind", "a kind of event", Reflect.get(event, "kind"));
  }
}

/** The attempt was launched, and has not started. */
function checkRefusal(
  claims: Claims,
  state: State,
  { attempt: id }: ClusterEvent & { kind: "launch-refused" },
): void {
  claims.id("attempt", id);
  claims.claim(id < state.nextAttempt, "attempt", "an attempt that was launched", id);
  const attempt = state.attempts.find(id);
  const isRunning = attempt?.holdsSlot === true && attempt.confirmed;
  claims.claim(!isRunning, "attempt", "an attempt that has not started", id);
}

/** A node that comes back keeps its id and name; a new node has a name of its own. */
function checkJoin(
  claims: Claims,
  { nodes, setup }: State,
  { node }: ClusterEvent & { kind: "node-joined" },
): void {
  claims.thing("node", node);
  claims.id("node.id", node.id);
  claims.claim(node.id < NODES_MAX, "node.id", `a number below ${NODES_MAX}`, node.id);
  claims.text("node.name", node.name);
  const known = nodes[node.id]?.node.name ?? node.name;
  claims.claim(known === node.name, "node.name", `its earlier name, ${known}`, node.name);
  claims.index("node.rack", node.rack, setup.racks);
  claims.slots("node.slots", node.slots, setup.slotKinds);
}

function checkOutputEvent(claims: Claims, state: State, event: OutputEvent): void {
  if (event.kind !== "fetch-failed") {
    claims.id("task", event.task);
    checkNode(claims, state, "node", event.node);
    return;
  }
  claims.id("output", event.output);
  checkNode(claims, state, "from", event.from);
  claims.id("reader", event.reader);
  const { nextAttempt } = state;
  const isGiven = event.reader < nextAttempt;
  claims.claim(isGiven, "reader", "an attempt that was launched", event.reader);
  const reader = state.attempts.find(event.reader);
  const output = launchedTask(state, event.output);
  if (reader === undefined || output === undefined) return;
  const reads = reader.phase.upstream.includes(output.phase);
  claims.claim(reads, "reader", "an attempt whose phase reads the output", event.reader);
}
