import { ATTEMPT_KINDS, type Output } from "../../model/attempt.ts";
import { type AttemptEvent, FAILURE_CAUSES } from "../../model/event.ts";
import type { Amounts, ProgressSource } from "../../model/progress.ts";
import type { AttemptRecord } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { findTask } from "../state/task-record.ts";
import type { Checks } from "./checks.ts";

const KILLERS = ["us", "node-lost", "host"];

/** A sum of stages may exceed 1 by its last bit. */
const SCORE_MAX = 1 + 1e-9;

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

/** Checks that progress is possible: no score below 0 or above 1, no report from the future. */
function checkProgress(checks: Checks, source: ProgressSource, stages: number): void {
  checks.object("progress", source);
  checks.oneOf("progress.kind", source.kind, ["reported", "line", "curve"]);
  if (source.kind === "reported") {
    checks.past("progress.at", source.at);
    checks.past("progress.changedAt", source.changedAt);
    checkStage(checks, "progress.stage", source.stage, stages);
    checkAmounts(checks, "progress", source);
    return;
  }
  checks.past("progress.startedAt", source.startedAt);
  checks.amount("progress.reportEvery", source.reportEvery);
  if (source.kind === "line") {
    checks.amount("progress.scorePerMs", source.scorePerMs);
    checks.amount("progress.bytesReadPerMs", source.bytesReadPerMs);
    return;
  }
  const { segments } = source;
  checks.list("progress.segments", segments);
  checks.check(segments.length > 0, "progress.segments", "a segment", segments);
  let before = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < segments.length; index++) {
    const field = `progress.segments[${index}]`;
    checks.object(field, segments[index]);
    const { at, from, perMs, stage } = segments[index]!;
    checks.object(`${field}.at`, at);
    checks.object(`${field}.perMs`, perMs);
    const isLater = Number.isFinite(from) && from >= before;
    checks.check(isLater, `${field}.from`, `a time not before ${before} ms`, from);
    checkStage(checks, `${field}.stage`, stage, stages);
    checkAmounts(checks, `${field}.at`, at);
    for (const amount of AMOUNTS) checks.amount(`${field}.perMs.${amount}`, perMs[amount]);
    before = from;
  }
}

const AMOUNTS = ["score", "bytesRead", "bytesWritten", "records"] as const;

function checkStage(checks: Checks, field: string, stage: number, stages: number): void {
  const isStage = Number.isInteger(stage) && stage >= 0 && stage < stages;
  checks.check(isStage, field, `the index of one of ${stages} stages`, stage);
}

function checkAmounts(checks: Checks, field: string, amounts: Amounts): void {
  const { score } = amounts;
  const isScore = score >= 0 && score <= SCORE_MAX;
  checks.check(isScore, `${field}.score`, "a number from 0 to 1", score);
  for (const amount of AMOUNTS) checks.amount(`${field}.${amount}`, amounts[amount]);
}
