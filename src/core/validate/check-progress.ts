import type { Amounts, ProgressSource } from "../../model/progress.ts";
import type { Checks } from "./checks.ts";

/** A sum of stages may exceed 1 by its last bit. */
const SCORE_MAX = 1 + 1e-9;

/** Checks that progress is possible: no score below 0 or above 1, no report from the future. */
export function checkProgress(checks: Checks, source: ProgressSource, stages: number): void {
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
