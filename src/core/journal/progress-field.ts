import { listed } from "../../base/json-text.ts";
import { instant } from "../../model/ids.ts";
import type { Amounts, ProgressSource, Segment } from "../../model/progress.ts";
import { type Fields, numberText } from "./fields.ts";

/** As text of JSON. */
export function writeProgress(progress: ProgressSource): string {
  if (progress.kind === "reported") {
    const { at, changedAt, stage } = progress;
    const amounts = writeAmounts(progress);
    return `{"reported":${at},"changedAt":${changedAt},"stage":${stage},"amounts":${amounts}}`;
  }
  const { startedAt, reportEvery } = progress;
  const every = reportEvery === 0 ? "" : `,"reportEvery":${reportEvery}`;
  const since = `{"startedAt":${startedAt}${every}`;
  if (progress.kind === "line") {
    const { scorePerMs, bytesReadPerMs } = progress;
    const bytes = bytesReadPerMs === 0 ? "" : `,${numberText(bytesReadPerMs)}`;
    return `${since},"line":[${numberText(scorePerMs)}${bytes}]}`;
  }
  return `${since},"curve":${listed(progress.segments.map(writeSegment))}}`;
}

function writeSegment({ from, stage, at, perMs }: Segment): string {
  const amounts = `"at":${writeAmounts(at)},"perMs":${writeAmounts(perMs)}`;
  return `{"from":${from},"stage":${stage},${amounts}}`;
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
function writeAmounts({ score, bytesRead, bytesWritten, records }: Amounts): string {
  const amounts = [score, bytesRead, bytesWritten, records];
  const length = amounts.findLastIndex((amount) => amount !== 0) + 1;
  return listed(amounts.slice(0, length).map(numberText));
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
