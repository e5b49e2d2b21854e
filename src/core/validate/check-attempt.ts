import { ATTEMPT_KINDS, type Output } from "../../model/attempt.ts";
import { type AttemptEvent, FAILURE_CAUSES } from "../../model/event.ts";
import type { AttemptRecord } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { findTask } from "../state/task-record.ts";
import { checkProgress } from "./check-progress.ts";
import type { Claims } from "./claims.ts";

const KILLERS = ["us", "node-lost", "host"];

/**
 * Checks an event about an attempt that the core launched, or that the host starts by itself. An
 * event about an ended attempt comes too late and is not checked.
 */
export function checkAttempt(claims: Claims, state: State, event: AttemptEvent): void {
  const { attempt: id } = event;
  claims.id("attempt", id);
  const attempt = state.attempts.find(id);
  if (event.kind === "attempt-started") {
    checkStart(claims, state, event, attempt);
    return;
  }
  const { nextAttempt } = state;
  claims.claim(id < nextAttempt, "attempt", "an attempt that was launched", id);
  if (attempt === undefined || !attempt.holdsSlot) return;
  switch (event.kind) {
    case "attempt-progressed":
      checkProgress(claims, event.progress, attempt.record.task.stages.length);
      return;
    case "attempt-succeeded":
      checkOutput(claims, event.output);
      return;
    case "attempt-failed":
      claims.oneOf("cause", event.cause, FAILURE_CAUSES);
      return;
    default:
      claims.oneOf("by", event.by, KILLERS);
  }
}

function checkStart(
  claims: Claims,
  state: State,
  event: AttemptEvent & { kind: "attempt-started" },
  attempt: AttemptRecord | undefined,
): void {
  const { as, attempt: id, node, progress, request, task } = event;
  const { nextAttempt } = state;
  claims.claim(id <= nextAttempt, "attempt", `an id up to ${nextAttempt}, the next`, id);
  claims.id("task", task);
  checkNode(claims, state, "node", node);
  claims.oneOf("as", as, ATTEMPT_KINDS);
  if (request !== undefined) checkRequest(claims, state, request);
  if (id === nextAttempt) {
    const noun = findTask(state, task);
    if (noun !== undefined) checkProgress(claims, progress, noun.stages.length);
    return;
  }
  if (attempt === undefined || !attempt.holdsSlot) return;
  claims.claim(attempt.task === task, "task", `${attempt.task}, as launched`, task);
  claims.claim(attempt.node === node, "node", `${attempt.node}, as launched`, node);
  claims.claim(!attempt.confirmed, "attempt", "an attempt that has not started yet", id);
  checkProgress(claims, progress, attempt.record.task.stages.length);
}

function checkOutput(claims: Claims, output: Output): void {
  claims.thing("output", output);
  claims.amount("output.bytes", output.bytes);
  claims.amount("output.records", output.records);
  const { byPartition } = output;
  if (byPartition === undefined) return;
  claims.list("output.byPartition", byPartition);
  for (const bytes of byPartition) claims.amount("output.byPartition", bytes);
}

export function checkNode(claims: Claims, state: State, field: string, node: number): void {
  claims.id(field, node);
  claims.claim(state.nodes[node] !== undefined, field, "a node that has joined", node);
}

export function checkRequest(claims: Claims, { nextRequest }: State, request: number): void {
  claims.id("request", request);
  claims.claim(request < nextRequest, "request", "a request that was made", request);
}
