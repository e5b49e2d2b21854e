import type { Missing } from "../../history/evidence.ts";
import type { Note, TraceFormat } from "../../history/model.ts";
import type { CauseRow } from "../document.ts";
import type { EvidenceRow } from "./evidence.ts";

/** From this share of the response on, a cause that could not be judged is worth a sentence. */
const WORTH = 0.05;

/** What an answer was judged by. */
export interface Judged {
  readonly format: TraceFormat | undefined;
  readonly evidence: EvidenceRow | undefined;
  readonly causes: readonly CauseRow[];
  readonly responseMs: number;
}

/** What the answer misses in the log, and what would have recorded it. */
export function notRecorded({ format, evidence, causes, responseMs }: Judged): readonly Note[] {
  const { missing = [], failures = [] } = evidence ?? {};
  const unexplained = causes.find(({ cause }) => cause === "unexplained");
  const found: string[] = [];
  if (format === "spark" && missing.some(isDropped) && !missing.some(isCutOut)) {
    found.push(
      "Spark drops events when their queue is full: a larger " +
        "spark.scheduler.listenerbus.eventqueue.eventLog.capacity keeps them",
    );
  }
  if (format === "rumen" && failures.some(({ reason }) => reason === "")) {
    found.push("Rumen does not record why attempts failed: the job's own history does");
  }
  if (format === "rumen" && unexplained !== undefined && isLost(unexplained, responseMs)) {
    found.push("Rumen does not record garbage collection: the job's own history (.jhist) does");
  }
  return found.map((text) => ({ kind: "dropped", text }));
}

/** Whether the cause cost something, by its interval, too. */
const isLost = ({ ms, lowMs = ms }: CauseRow, responseMs: number): boolean =>
  ms > WORTH * responseMs && lowMs > 0;

/** Events that Spark may have dropped. */
const isDropped = ({ kind }: Missing): boolean =>
  kind === "tasks" || kind === "ends" || kind === "attempts";

/** Parts that somebody removed explain the same. */
const isCutOut = ({ kind }: Missing): boolean => kind === "beginning" || kind === "parts";
