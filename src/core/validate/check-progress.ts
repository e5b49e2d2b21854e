import type { Amounts, ProgressSource } from "../../model/progress.ts";
import type { Claims } from "./claims.ts";

/** A sum of stages may exceed 1 by its last bit. */
const SCORE_MAX = 1 + 1e-9;

/** Checks that progress is possible: no score below 0 or above 1, no report from the future. */
export function checkProgress(claims: Claims, source: ProgressSource, stages: number): void {
  claims.thing("progress", source);
  claims.oneOf("progress.kind", source.kind, ["reported", "line", "curve"]);
  if (source.kind === "reported") {
    claims.past("progress.at", source.at);
    claims.past("progress.changedAt", source.changedAt);
    checkStage(claims, "progress.stage", source.stage, stages);
    checkAmounts(claims, "progress", source);
    return;
  }
  claims.past("progress.startedAt", source.startedAt);
  claims.amount("progress.reportEvery", source.reportEvery);
  if (source.kind === "line") {
    claims.amount("progress.scorePerMs", source.scorePerMs);
    claims.amount("progress.bytesReadPerMs", source.bytesReadPerMs);
    return;
  }
  const { segments } = source;
  claims.list("progress.segments", segments);
  claims.claim(segments.length > 0, "progress.segments", "a segment", segments);
  let before = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < segments.length; index++) {
    const field = `progress.segments[${index}]`;
    claims.thing(field, segments[index]);
    const { at, from, perMs, stage } = segments[index]!;
    claims.thing(`${field}.at`, at);
    claims.thing(`${field}.perMs`, perMs);
    const isLater = Number.isFinite(from) && from >= before;
    claims.claim(isLater, `${field}.from`, `a time not before ${before} ms`, from);
    checkStage(claims, `${field}.stage`, stage, stages);
    checkAmounts(claims, `${field}.at`, at);
    for (const amount of AMOUNTS) claims.amount(`${field}.perMs.${amount}`, perMs[amount]);
    before = from;
  }
}

const AMOUNTS = ["score", "bytesRead", "bytesWritten", "records"] as const;

function checkStage(claims: Claims, field: string, stage: number, stages: number): void {
  const isStage = Number.isInteger(stage) && stage >= 0 && stage < stages;
  claims.claim(isStage, field, `the index of one of ${stages} stages`, stage);
}

function checkAmounts(claims: Claims, field: string, amounts: Amounts): void {
  const { score } = amounts;
  const isScore = score >= 0 && score <= SCORE_MAX;
  claims.claim(isScore, `${field}.score`, "a number from 0 to 1", score);
  for (const amount of AMOUNTS) claims.amount(`${field}.${amount}`, amounts[amount]);
}
