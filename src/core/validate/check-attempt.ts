import { ATTEMPT_KINDS, type Output } from "../../model/attempt.ts";
import { type AttemptEvent, FAILURE_CAUSES } from "../../model/event.ts";
import type { AttemptRecord } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { findTask } from "../state/task-record.ts";
import { checkProgress } from "./check-progress.ts";
import type { Checks } from "./checks.ts";

const KILLERS = ["us", "node-lost", "host"];

/**
 * Checks an event about an attempt that the core launched, or that the host starts by itself. An
 * event about an ended attempt comes too late and is not checked.
 */
export function checkAttempt(checks: Checks, state: State, event: AttemptEvent): void {
  const { attempt: id } = event;
  checks.id("attempt", id);
  const attempt = state.attempts.find(id);
  if (event.kind === "attempt-started") {
    checkStart(checks, state, event, attempt);
    return;
  }
  const { nextAttempt } = state;
  checks.check(id < nextAttempt, "attempt", "an attempt that was launched", id);
  if (attempt === undefined || !attempt.holdsSlot) return;
  switch (event.kind) {
    case "attempt-progressed":
      checkProgress(checks, event.progress, attempt.record.task.stages.length);
      return;
    case "attempt-succeeded":
      checkOutput(checks, event.output);
      return;
    case "attempt-failed":
      checks.oneOf("cause", event.cause, FAILURE_CAUSES);
      return;
    default:
      checks.oneOf("by", event.by, KILLERS);
  }
}

function checkStart(
  checks: Checks,
  state: State,
  event: AttemptEvent & { kind: "attempt-started" },
  attempt: AttemptRecord | undefined,
): void {
  const { as, attempt: id, node, progress, request, task } = event;
  const { nextAttempt } = state;
  checks.check(id <= nextAttempt, "attempt", `an id up to ${nextAttempt}, the next`, id);
  checks.id("task", task);
  checkNode(checks, state, "node", node);
  checks.oneOf("as", as, ATTEMPT_KINDS);
  if (request !== undefined) checkRequest(checks, state, request);
  if (id === nextAttempt) {
    const noun = findTask(state, task);
    if (noun !== undefined) checkProgress(checks, progress, noun.stages.length);
    return;
  }
  if (attempt === undefined || !attempt.holdsSlot) return;
  checks.check(attempt.task === task, "task", `${attempt.task}, as launched`, task);
  checks.check(attempt.node === node, "node", `${attempt.node}, as launched`, node);
  checks.check(!attempt.confirmed, "attempt", "an attempt that has not started yet", id);
  checkProgress(checks, progress, attempt.record.task.stages.length);
}

function checkOutput(checks: Checks, output: Output): void {
  checks.object("output", output);
  checks.amount("output.bytes", output.bytes);
  checks.amount("output.records", output.records);
  const { byPartition } = output;
  if (byPartition === undefined) return;
  checks.list("output.byPartition", byPartition);
  for (const bytes of byPartition) checks.amount("output.byPartition", bytes);
}

export function checkNode(checks: Checks, state: State, field: string, node: number): void {
  checks.id(field, node);
  checks.check(state.nodes[node] !== undefined, field, "a node that has joined", node);
}

export function checkRequest(checks: Checks, { nextRequest }: State, request: number): void {
  checks.id("request", request);
  checks.check(request < nextRequest, "request", "a request that was made", request);
}
