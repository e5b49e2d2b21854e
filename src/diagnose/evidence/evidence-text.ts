import { grouped } from "../../base/grouped.ts";
import {
  FETCH_FAILED,
  type LostExecutor,
  type Missing,
  type RecordedFault,
} from "../../history/evidence.ts";
import { span } from "../figures.ts";
import type { EvidenceRow, Failure } from "./evidence.ts";

/** What the log is, in sentences: they stand beside the answer, which rests on it. */
export const evidenceSentences = (row: EvidenceRow): readonly string[] => [
  ...startSentences(row),
  ...holeSentences(row),
  ...faultSentences(row),
  ...failureSentences(row),
  ...endSentences(row),
];

/** What the log lacks: with a hole in it, no cause is certain. */
export function holeSentences({
  missing = [],
  compactedTo,
  contradicting = 0,
  foreign = 0,
  unread = 0,
}: EvidenceRow): readonly string[] {
  const lacks = lacksText(missing);
  const by = compactedTo === undefined ? "" : `, since it was compacted up to ${compactedTo}`;
  return [
    ...(lacks === "" ? [] : [`The log lacks ${lacks}${by}: no cause is certain.`]),
    ...(unread > 0 ? [`${unread} ${unread === 1 ? "record" : "records"} cannot be read.`] : []),
    ...(contradicting > 0
      ? [`${attempts(contradicting)} ${isLeft(contradicting)} left out: end and start contradict.`]
      : []),
    ...(foreign > 0 ? [`${attempts(foreign)} of other jobs ${isLeft(foreign)} left out.`] : []),
  ];
}

function startSentences({ attempt, attempts: all, sinceFirstMs }: EvidenceRow): readonly string[] {
  if (attempt === undefined) return [];
  const of = all === undefined ? "" : ` of ${all}`;
  const since = sinceFirstMs === undefined ? "" : `: ${span(sinceFirstMs)} since attempt 1 began`;
  return [`It is attempt ${attempt}${of} of its application${since}.`];
}

/** For instance `19 of 60 tasks of stage 0 and 7 of 20 tasks of stage 1`. */
function lacksText(missing: readonly Missing[]): string {
  const inPhases = (kind: "tasks" | "ends") =>
    missing
      .filter((one) => one.kind === kind)
      .map((one) =>
        "phase" in one ? `${one.count} of ${one.of} ${tasksOf(one.phase, one.of)}` : "",
      );
  const ends = inPhases("ends");
  const others = missing.reduce((sum, one) => sum + (one.kind === "attempts" ? one.count : 0), 0);
  return listed([
    ...(missing.some(({ kind }) => kind === "beginning") ? ["its beginning"] : []),
    ...missing.flatMap((one) => (one.kind === "parts" ? [partsText(one)] : [])),
    ...inPhases("tasks"),
    ...(ends.length === 0 ? [] : [`the ends of ${listed(ends)}, although all of them ended`]),
    ...(others === 0 ? [] : [`${others} ${others === 1 ? "attempt" : "attempts"} of tasks`]),
  ]);
}

/** For instance `events_2`, or `events_2 to events_4`. */
const partsText = ({ from, to }: Extract<Missing, { readonly kind: "parts" }>): string =>
  from === to ? from : `${from} to ${to}`;

/** A verdict names this many faults and counts the others. */
const FAULTS_NAMED = 3;

/** Recorded faults are facts, whatever the attempts show. */
function faultSentences({ faults = [] }: EvidenceRow): readonly string[] {
  const kinds = [...grouped(faults, ({ node, what }) => `${node} ${what}`).values()];
  if (kinds.length === 0) return [];
  const named = kinds.slice(0, FAULTS_NAMED).flatMap(faultText);
  const more = kinds.length - FAULTS_NAMED;
  const others = more > 0 ? [`${more} more ${more === 1 ? "fault" : "faults"}`] : [];
  return [`The journal records: ${[...named, ...others].join("; ")}.`];
}

function faultText(alike: readonly RecordedFault[]): readonly string[] {
  const [first] = alike;
  if (first === undefined) return [];
  const { node, what, fromMs } = first;
  const times = alike.length === 1 ? "" : `, ${alike.length} times`;
  return [`${node} ${what} at ${span(fromMs)}${times}`];
}

/** Why attempts had no result. A lost executor is named once, for all that was lost with it. */
function failureSentences(row: EvidenceRow): readonly string[] {
  const { failures, lostExecutors = [], failedJobs = [] } = row;
  const others = failures.filter((one) => lostExecutors.length === 0 || one.ended === "failed");
  const isFetch = ({ reason }: Failure): boolean =>
    lostExecutors.length > 0 && reason.startsWith(FETCH_FAILED);
  const own = others.filter((one) => !isFetch(one));
  const cancelled = failedJobs.filter(({ isCancelled }) => isCancelled).length;
  const [failed, ...more] = failedJobs.filter(({ isCancelled }) => !isCancelled);
  return [
    ...lostSentences(lostExecutors),
    ...reasonSentences(own),
    ...(failed === undefined
      ? []
      : [`${jobs(1 + more.length)} failed${of(failed.name, more)}${told(failed.reason)}.`]),
    ...(cancelled === 0
      ? []
      : [`${jobs(cancelled)} ${cancelled === 1 ? "was" : "were"} cancelled.`]),
  ];
}

const of = (name: string, more: readonly unknown[]): string =>
  more.length === 0 ? "" : `, ${name} first`;

function lostSentences(lost: readonly LostExecutor[]): readonly string[] {
  const [first, ...more] = lost;
  if (first === undefined) return [];
  const where = first.node === "" ? first.executor : `${first.executor} on ${first.node}`;
  if (more.length === 0) return [`Executor ${where} was lost${told(first.reason)}.`];
  return [`${lost.length} executors were lost, ${where} first${told(first.reason)}.`];
}

/** How the seconds of retries go on, where a lost executor is their reason. */
export function lossClause({ lostExecutors = [] }: EvidenceRow): string {
  const [first] = lostExecutors;
  if (first === undefined) return "";
  const one = first.node === "" ? `executor ${first.executor}` : `${first.node}'s executor`;
  const who = lostExecutors.length === 1 ? `${one} was` : `${lostExecutors.length} executors were`;
  return `, because ${who} lost`;
}

/** A verdict names this many reasons and counts the others. */
const NAMED = 2;

function reasonSentences(failures: readonly Failure[]): readonly string[] {
  const byReason = [...grouped(failures, ({ ended, reason }) => JSON.stringify([ended, reason]))]
    .map(([, group]) => ({ group, count: total(group) }))
    .sort((a, b) => b.count - a.count);
  const named = byReason.slice(0, NAMED).flatMap(({ group, count }) => {
    const [first, ...more] = group;
    if (first === undefined) return [];
    const { phase, ended, reason } = first;
    const where = more.length === 0 ? `of ${phase} ` : "";
    const spread = more.length === 0 ? "" : ` in ${group.length} phases, ${phase} most`;
    return [`${attempts(count)} ${where}${wordOf(ended, count)}${spread}${told(reason)}.`];
  });
  const rest = byReason.slice(NAMED);
  if (rest.length === 0) return named;
  const count = rest.reduce((sum, one) => sum + one.count, 0);
  const reasons = rest.length === 1 ? "another reason" : `${rest.length} other reasons`;
  return [...named, `${attempts(count)} had no result for ${reasons}.`];
}

function wordOf(ended: Failure["ended"], count: number): string {
  if (ended === "failed") return "failed";
  const was = count === 1 ? "was" : "were";
  return ended === "lost" ? `${was} lost` : `${was} killed and ran again`;
}

function endSentences({ neverBegan, endedWithJob, isCutOff }: EvidenceRow): readonly string[] {
  const when = isCutOff ? "had not begun when the log ends" : "never began";
  return [
    ...endedWithJob.map(
      ({ phase, count }) =>
        `${count} ${tasksOf(phase, count)} ${count === 1 ? "was" : "were"} killed with the job.`,
    ),
    ...neverBegan.map(
      ({ phase, count, of: all }) => `${count} of ${all} ${tasksOf(phase, all)} ${when}.`,
    ),
  ];
}

/** For instance `maps`, or `tasks of stage 3`. */
function tasksOf(phase: string, count: number): string {
  const isOne = count === 1;
  if (phase === "map" || phase === "reduce") return isOne ? phase : `${phase}s`;
  return `${isOne ? "task" : "tasks"} of ${phase}`;
}

const attempts = (count: number): string => `${count} ${count === 1 ? "attempt" : "attempts"}`;
const jobs = (count: number): string => `${count} ${count === 1 ? "job" : "jobs"} of it`;
const told = (reason: string): string => (reason === "" ? "" : `: ${reason.replace(/\.$/, "")}`);
const isLeft = (count: number): string => (count === 1 ? "is" : "are");
const total = (failures: readonly Failure[]): number =>
  failures.reduce((sum, { count }) => sum + count, 0);

/** For instance `a, b and c`. */
const listed = (parts: readonly string[]): string =>
  [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((part) => part !== "").join(" and ");
