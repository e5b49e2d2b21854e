import type { ClusterEvent, OutputEvent } from "../../model/event.ts";
import type { Seats } from "../loop/seats.ts";
import type { State } from "../state/state.ts";
import { launchedTask } from "../state/task-record.ts";
import { checkAttempt, checkNode, checkRequest } from "./check-attempt.ts";
import { checkJob } from "./check-job.ts";
import { Checks } from "./checks.ts";

/** Node ids lie below this. A larger id is a mistake and would cost memory in proportion. */
const NODES_MAX = 1_000_000;

/**
 * Refuses, with an InputError that names event and field, an event that contradicts the state or
 * cannot be true. The state is unchanged then, and the next event is taken as if the refused one
 * had never come. Late and repeated events pass; `apply` ignores them. COST: O(1); for a new job
 * O(tasks), for a curve O(segments).
 */
export function checkEvent(state: State, seats: Seats, event: ClusterEvent): void {
  const checks: Checks = new Checks(event);
  const isTime = Number.isFinite(event.at) && event.at >= state.now;
  checks.check(isTime, "at", `a time not before ${state.now} ms`, event.at);
  switch (event.kind) {
    case "node-joined":
      checkJoin(checks, state, event);
      return;
    case "node-silent":
      checkNode(checks, state, "node", event.node);
      checks.past("since", event.since);
      return;
    case "node-heard":
    case "node-left":
      checkNode(checks, state, "node", event.node);
      return;
    case "node-resized":
      checkNode(checks, state, "node", event.node);
      checks.slots("slots", event.slots, state.setup.slotKinds);
      return;
    case "slots-offered":
      checkNode(checks, state, "node", event.node);
      checks.slots("free", event.free, state.setup.slotKinds, state.nodes[event.node]?.node.slots);
      return;
    case "job-submitted":
      checkJob(checks, state, event);
      return;
    case "job-killed":
      checks.id("job", event.job);
      return;
    case "attempt-started":
    case "attempt-progressed":
    case "attempt-succeeded":
    case "attempt-failed":
    case "attempt-killed":
      checkAttempt(checks, state, event);
      return;
    case "fetch-failed":
    case "output-lost":
    case "output-replicated":
      checkOutputEvent(checks, state, event);
      return;
    case "launch-refused":
      checkRefusal(checks, state, event);
      return;
    case "request-refused":
      checkRequest(checks, state, event.request);
      return;
    case "links-sampled":
      checks.index("rack", event.rack, state.setup.racks);
      checks.check(event.upBytesPerMs >= 0, "upBytesPerMs", "0 or more", event.upBytesPerMs);
      checks.check(event.downBytesPerMs >= 0, "downBytesPerMs", "0 or more", event.downBytesPerMs);
      return;
    case "sharing-tuned": {
      const fault = seats.sharingFault(event.parameter, event.value);
      checks.check(fault === undefined, event.parameter, fault ?? "", event.value);
      return;
    }
    case "woken":
      return;
    default:
      checks.check(false, "kind", "a kind of event", Reflect.get(event, "kind"));
  }
}

/** The attempt was launched, and has not started. */
function checkRefusal(
  checks: Checks,
  state: State,
  { attempt: id }: ClusterEvent & { kind: "launch-refused" },
): void {
  checks.id("attempt", id);
  checks.check(id < state.nextAttempt, "attempt", "an attempt that was launched", id);
  const attempt = state.attempts.find(id);
  const isRunning = attempt?.holdsSlot === true && attempt.confirmed;
  checks.check(!isRunning, "attempt", "an attempt that has not started", id);
}

/** A node that comes back keeps its id and name; a new node has a name of its own. */
function checkJoin(
  checks: Checks,
  { nodes, setup }: State,
  { node }: ClusterEvent & { kind: "node-joined" },
): void {
  checks.object("node", node);
  checks.id("node.id", node.id);
  checks.check(node.id < NODES_MAX, "node.id", `a number below ${NODES_MAX}`, node.id);
  checks.text("node.name", node.name);
  const known = nodes[node.id]?.node.name ?? node.name;
  checks.check(known === node.name, "node.name", `its earlier name, ${known}`, node.name);
  checks.index("node.rack", node.rack, setup.racks);
  checks.slots("node.slots", node.slots, setup.slotKinds);
}

function checkOutputEvent(checks: Checks, state: State, event: OutputEvent): void {
  if (event.kind !== "fetch-failed") {
    checks.id("task", event.task);
    checkNode(checks, state, "node", event.node);
    return;
  }
  checks.id("output", event.output);
  checkNode(checks, state, "from", event.from);
  checks.id("reader", event.reader);
  const { nextAttempt } = state;
  const isGiven = event.reader < nextAttempt;
  checks.check(isGiven, "reader", "an attempt that was launched", event.reader);
  const reader = state.attempts.find(event.reader);
  const output = launchedTask(state, event.output);
  if (reader === undefined || output === undefined) return;
  const reads = reader.phase.upstream.includes(output.phase);
  checks.check(reads, "reader", "an attempt whose phase reads the output", event.reader);
}
