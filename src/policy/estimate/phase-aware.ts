import { defined } from "../../base/assert.ts";
import { isClearlyBelow } from "../../base/clearly-below.ts";
import type { AttemptId, PhaseId } from "../../model/ids.ts";
import type { Stage } from "../../model/job.ts";
import type { StageEntry, View } from "../../model/view.ts";
import type { Estimator } from "../policy.ts";
import {
  beginDurations,
  DURATIONS_PARAMS,
  type Durations,
  type DurationsParams,
  durationOfNew,
  endDurations,
  recordDuration,
} from "../shared/durations.ts";

export type PhaseAwareParams = DurationsParams;

/** The progress and the time of a phase's succeeded attempts in one stage. */
interface StageSpeed {
  score: number;
  ms: number;
}

interface Memory {
  readonly durations: Durations;
  readonly speeds: Map<PhaseId, StageSpeed[]>;
}

/**
 * Time left stage by stage (the paper's "phases" of a reduce: copy, sort, reduce). The authors
 * describe the estimator and leave it to future work.
 */
export const phaseAware: Estimator<PhaseAwareParams, Memory> = {
  name: "phase-aware",
  source: "LATE (OSDI 2008), §4.2",
  params: DURATIONS_PARAMS,
  needs: [],
  steady: false,
  remember: () => ({ durations: new Map(), speeds: new Map() }),

  hears: {
    "job-submitted"({ memory }, { job }) {
      beginDurations(memory.durations, job);
      for (const { id } of job.phases) memory.speeds.set(id, []);
    },
    "job-ended"({ memory, view }, { job }) {
      endDurations(memory.durations, view.job(job));
      for (const { id } of view.job(job).phases) memory.speeds.delete(id);
    },
    "attempt-succeeded"(ctx, what) {
      recordDuration(ctx.memory.durations, what, ctx);
      recordSpeeds(ctx.memory.speeds, ctx.view, what.attempt);
    },
  },

  timeLeft({ memory, view }, attempt) {
    const { phase, stages } = view.task(view.attempt(attempt).task);
    return timeLeft({
      stages,
      now: view.now,
      score: view.score(attempt),
      entered: view.stageEntries(attempt).at(-1),
      ownRate: view.rate(attempt),
      others: (memory.speeds.get(phase) ?? []).map(rateOf),
    });
  },

  newCopy: ({ memory, view }, task) => durationOfNew(memory.durations, view, task),
};

interface Stand {
  readonly stages: readonly Stage[];
  readonly now: number;
  readonly score: number;
  /** The stage that the attempt is in. */
  readonly entered: StageEntry | undefined;
  /** The attempt's score by the time it has run: used where no stage is known. */
  readonly ownRate: number;
  /** Per stage, the average rate of other tasks. */
  readonly others: readonly (number | undefined)[];
}

/** §4.2, in milliseconds if the rates are per millisecond. */
export function timeLeft(stand: Stand): number {
  const { stages, score, entered } = stand;
  if (score >= 1) return 0;
  let sum = 0;
  let begin = 0;
  for (const [index, { share }] of stages.entries()) {
    const left = begin + share - Math.max(score, begin);
    begin += share;
    // A completed stage leaves no time.
    if (left <= 0 || index < (entered?.stage ?? 0)) continue;
    // The current stage continues at the rate that the attempt has shown there.
    const shown = entered?.stage === index ? shownRate(stand, entered) : undefined;
    // A stage not yet entered takes as long as it took other tasks.
    sum += left / (shown ?? rateOfOthers(stand, index) ?? stand.ownRate);
  }
  return sum;
}

/** undefined while the attempt has shown no rate. */
function shownRate({ now, score }: Stand, entered: StageEntry): number | undefined {
  return score > entered.score ? (score - entered.score) / (now - entered.at) : undefined;
}

function rateOfOthers({ entered, now, others, stages }: Stand, index: number): number | undefined {
  const rate = others[index];
  if (rate === undefined || entered?.stage !== index) return rate;
  // The attempt shows no progress, although the others would have finished the stage: it is not
  // like them.
  const { share } = defined(stages[index], "a stage");
  return isClearlyBelow((now - entered.at) * rate, share) ? rate : undefined;
}

function recordSpeeds(memory: ReadonlyMap<PhaseId, StageSpeed[]>, view: View, id: AttemptId): void {
  const { endedAt, task } = view.attempt(id);
  const speeds = memory.get(view.task(task).phase);
  if (endedAt === undefined || speeds === undefined) return;
  const entries = view.stageEntries(id);
  entries.forEach((entry, index) => {
    const next = entries[index + 1] ?? { at: endedAt, score: 1 };
    while (speeds.length <= entry.stage) speeds.push({ score: 0, ms: 0 });
    const speed = defined(speeds[entry.stage], "a stage");
    speed.score += next.score - entry.score;
    speed.ms += next.at - entry.at;
  });
}

// The sum of scores over the sum of times: a mean of rates would be infinite as soon as one task
// spends no time in the stage.
const rateOf = ({ score, ms }: StageSpeed): number | undefined =>
  score > 0 ? score / ms : undefined;
