import type { Json, JsonObject } from "../../base/json.ts";
import { instant } from "../../model/ids.ts";
import type { Amounts, ProgressSource, Segment } from "../../model/progress.ts";
import { type Fields, written } from "./fields.ts";

export function writeProgress(progress: ProgressSource): JsonObject {
  if (progress.kind === "reported") {
    const { at, changedAt, stage } = progress;
    return { reported: at, changedAt, stage, amounts: writeAmounts(progress) };
  }
  const { startedAt, reportEvery } = progress;
  const since = { startedAt, ...(reportEvery === 0 ? {} : { reportEvery }) };
  if (progress.kind === "line") {
    const { scorePerMs, bytesReadPerMs } = progress;
    const rates = bytesReadPerMs === 0 ? [scorePerMs] : [scorePerMs, bytesReadPerMs];
    return { ...since, line: rates.map(written) };
  }
  return {
    ...since,
    curve: progress.segments.map((segment) => ({
      from: segment.from,
      stage: segment.stage,
      at: writeAmounts(segment.at),
      perMs: writeAmounts(segment.perMs),
    })),
  };
}

export function readProgress(fields: Fields): ProgressSource {
  if (fields.has("reported")) {
    return {
      kind: "reported",
      at: instant(fields.number("reported")),
      changedAt: instant(fields.number("changedAt")),
      stage: fields.number("stage"),
      ...readAmounts(fields, "amounts"),
    };
  }
  const startedAt = instant(fields.number("startedAt"));
  const reportEvery = fields.has("reportEvery") ? fields.number("reportEvery") : 0;
  if (fields.has("line")) {
    const [scorePerMs = 0, bytesReadPerMs = 0] = fields.numbers("line");
    return { kind: "line", startedAt, scorePerMs, bytesReadPerMs, reportEvery };
  }
  return {
    kind: "curve",
    startedAt,
    reportEvery,
    segments: fields.rows("curve").map(readSegment),
  };
}

function readSegment(row: Fields): Segment {
  return {
    from: instant(row.number("from")),
    stage: row.number("stage"),
    at: readAmounts(row, "at"),
    perMs: readAmounts(row, "perMs"),
  };
}

/** Score, bytes read, bytes written, records; trailing zeros are left out. */
function writeAmounts({ score, bytesRead, bytesWritten, records }: Amounts): Json {
  const amounts = [score, bytesRead, bytesWritten, records];
  const length = amounts.findLastIndex((amount) => amount !== 0) + 1;
  return amounts.slice(0, length).map(written);
}

function readAmounts(fields: Fields, key: string): Amounts {
  const amounts = fields.numbers(key);
  return {
    score: amounts[0] ?? 0,
    bytesRead: amounts[1] ?? 0,
    bytesWritten: amounts[2] ?? 0,
    records: amounts[3] ?? 0,
  };
}
