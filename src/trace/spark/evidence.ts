import { InputError } from "../../base/input-error.ts";
import { cell } from "../../base/rows.ts";
import { endAt } from "../../history/columns.ts";
import type { FailedJob, LogEvidence, LostExecutor, Missing } from "../../history/evidence.ts";
import type { TracePhase } from "../../history/model.ts";
import { shortReason } from "../../history/reasons.ts";
import type { SparkApplication, SparkJob, SparkStage } from "./application.ts";
import { stageKey } from "./spark-attempts.ts";

/** What the log is; undefined if there is nothing to say. `gap`: of `gapIn`. */
export function evidenceOf(
  application: SparkApplication,
  phases: readonly TracePhase[],
  {
    originMs,
    gap,
    unread,
  }: { readonly originMs: number; readonly gap: number; readonly unread: number },
): LogEvidence | undefined {
  const { attempt, doubles, strangers } = application;
  const contradicting = application.contradicting + strangers;
  const missing = missingIn(application, phases, gap);
  const lostExecutors = lostIn(application, originMs);
  const reasons = application.attempts.reasons.texts;
  const failedJobs = failedIn(application);
  const number = Number(attempt);
  const found: LogEvidence = {
    ...(number > 1 && { attempt: number }),
    ...(missing.length > 0 && { missing }),
    ...(unread > 0 && { unread }),
    ...(doubles > 0 && { doubles }),
    ...(contradicting > 0 && { contradicting }),
    ...(lostExecutors.length > 0 && { lostExecutors }),
    ...(reasons.length > 0 && { reasons }),
    ...(failedJobs.length > 0 && { failedJobs }),
  };
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Compares what the log holds with the numbers in it. */
function missingIn(
  application: SparkApplication,
  phases: readonly TracePhase[],
  gap: number,
): readonly Missing[] {
  const { startedAt, version } = application;
  const byName = new Map(phases.map((phase) => [phase.name, phase]));
  const inStages = [...application.stages.values()].flatMap((stage) =>
    missingOf(stage, application, byName),
  );
  const tasks = inStages.reduce((sum, one) => sum + (one.kind === "tasks" ? one.count : 0), 0);
  const others = gap - tasks;
  return [
    ...(startedAt === undefined && version === undefined ? [{ kind: "beginning" } as const] : []),
    ...inStages,
    ...(others > 0 ? [{ kind: "attempts", count: others } as const] : []),
  ];
}

/**
 * The number of attempts that the log does not show: Spark numbers attempts as it launches them,
 * over all stages. Numbers that do not rise so, or jump further than they count, are no evidence.
 * Before the attempts are built.
 */
export function gapIn({ ended, attempts, contradicting, incomplete }: SparkApplication): number {
  const gap = ended.most + 1 - ended.size - contradicting - incomplete;
  if (gap > ended.size) return 0;
  let at = 0;
  for (const row of ended.rows()) {
    const startedAt = cell(attempts.columns.startedAt[row]);
    if (startedAt < at) return 0;
    at = startedAt;
  }
  return gap;
}

/** A stage that ended has seen all its tasks; a stage that failed or is cut off has not. */
function missingOf(
  stage: SparkStage,
  { contradictingIn }: SparkApplication,
  phases: ReadonlyMap<string, TracePhase>,
): readonly Missing[] {
  const { id, attempt, completedAt, failure, tasks: of } = stage;
  if (completedAt === undefined || failure !== undefined) return [];
  const name = `stage ${id}`;
  const phase = phases.get(name);
  const { seen, open } = phase === undefined ? { seen: 0, open: 0 } : seenIn(phase);
  // A later try runs the tasks again whose outputs are gone.
  const tasks = attempt === 0 ? of - seen - (contradictingIn.get(id) ?? 0) : 0;
  return [
    ...(tasks > 0 ? [{ kind: "tasks", phase: name, count: tasks, of } as const] : []),
    ...(attempt === 0 && open > 0 ? [{ kind: "ends", phase: name, count: open, of } as const] : []),
  ];
}

/** The number of tasks of which the log has an attempt, and of those that lack their end. */
function seenIn({ attempts, tasks }: TracePhase): { readonly seen: number; readonly open: number } {
  const isSeen = new Uint8Array(tasks);
  const isDone = new Uint8Array(tasks);
  const isOpen = new Uint8Array(tasks);
  for (let row = 0; row < attempts.length; row++) {
    const task = cell(attempts.task[row]);
    isSeen[task] = 1;
    if (endAt(attempts, row) === "succeeded") isDone[task] = 1;
    if (endAt(attempts, row) === "cut-off") isOpen[task] = 1;
  }
  const seen = isSeen.reduce((sum, one) => sum + one, 0);
  const open = isOpen.reduce((sum, one, task) => sum + (isDone[task] === 1 ? 0 : one), 0);
  return { seen, open };
}

/** Executors that went while their work or their outputs were needed. */
function lostIn(application: SparkApplication, originMs: number): readonly LostExecutor[] {
  const { missedExecutors, executors } = application;
  return [...missedExecutors]
    .filter(([id, { isGone }]) => isGone || executors.removalOf(id) !== undefined)
    .map(([id, lost]): LostExecutor => {
      const removal = executors.removalOf(id);
      return {
        executor: id,
        node: executors.hostOf(id) || lost.host,
        at: (removal?.at ?? lost.at) - originMs,
        reason: shortReason(removal?.reason || lost.reason),
      };
    })
    .sort((a, b) => a.at - b.at);
}

function failedIn({ jobs }: SparkApplication): readonly FailedJob[] {
  return [...jobs.values()]
    .filter(({ succeeded }) => succeeded === false)
    .map((job) => ({
      name: `job ${job.id}`,
      isCancelled: isCancelled(job),
      reason: shortReason(job.reason),
    }));
}

/** Whether somebody cancelled the job: a person, or a program. */
export const isCancelled = ({ reason }: SparkJob): boolean => /\bcancelled\b/i.test(reason);

/** The application ended while the job ran. */
export const isShutDown = ({ reason }: SparkJob): boolean => /was shut down/i.test(reason);

/** All times of a log come from the driver's clock: they differ by less than this by chance. */
const CLOCK_MS = 1_000;

/**
 * Leaves attempts out that began before their stage was submitted, or after the application had
 * ended. InputError if these are most attempts of a stage: then the clock was set, and no time
 * after that can be compared with one before.
 */
export function leaveOutContradicting(application: SparkApplication, place: string): void {
  const { stages, attempts, contradictingIn, endedAt = Number.POSITIVE_INFINITY } = application;
  const submitted = ({ stage }: { readonly stage: number }): number =>
    stages.get(stageKey(stage, 0))?.submittedAt ?? Number.NEGATIVE_INFINITY;
  const found = attempts.leaveOut(
    (run, at) => at >= submitted(run) - CLOCK_MS && at <= endedAt + CLOCK_MS,
  );
  for (const { stage, count, of, at } of found) {
    if (count > of / 2) {
      const early = submitted({ stage }) - at;
      const when =
        early > 0
          ? `${seconds(early)} before it was submitted`
          : `${seconds(at - endedAt)} after the application had ended`;
      const what = `expected one clock, but attempts of stage ${stage} began ${when}`;
      throw new InputError("bad-input", place, `${what}: the driver's clock was set meanwhile`);
    }
    contradictingIn.set(stage, (contradictingIn.get(stage) ?? 0) + count);
  }
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;
