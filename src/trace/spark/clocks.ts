import { InputError } from "../../base/input-error.ts";
import type { SparkApplication } from "./application.ts";
import { stageKey } from "./spark-attempts.ts";

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
