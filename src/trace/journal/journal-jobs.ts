import { defined } from "../../base/assert.ts";
import type { Json } from "../../base/json.ts";
import type { SetupDescription } from "../../core/journal/index.ts";
import type { AttemptFold } from "../../history/attempts.ts";
import { type AddedAttempt, JobFold } from "../../history/job-fold.ts";
import type { TraceJob } from "../../history/model.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { Fact } from "../../model/fact.ts";
import type { AttemptId } from "../../model/ids.ts";
import { ProgressTimes } from "./progress-times.ts";
import { RecordedFaults } from "./recorded-faults.ts";

/** Gathers the jobs of a journal from its facts, and the progress of their attempts. */
export class JournalJobs {
  readonly #fold: JobFold;
  /** Of open attempts. */
  readonly #progress = new Map<AttemptId, ProgressTimes>();
  readonly #faults = new RecordedFaults();

  constructor({ slotKinds, racks, discipline }: SetupDescription) {
    const settings = {
      speculation: discipline.speculation.policy !== "none",
      discipline: discipline.name,
      values: valuesOf(discipline),
    };
    this.#fold = new JobFold({ slotKinds, racks, settings });
  }

  get attempts(): AttemptFold {
    return this.#fold.attempts;
  }

  /** Takes the reports of running attempts. The facts of the same step come first. */
  see(event: ClusterEvent): void {
    this.attempts.until(event.at);
    if (event.kind !== "attempt-started" && event.kind !== "attempt-progressed") return;
    this.#progress.get(event.attempt)?.see(event.progress, event.at);
  }

  /** Takes a line of the host's own. */
  seeHost(data: Json): void {
    this.#faults.read(data);
  }

  apply(fact: Fact): void {
    const added = this.#fold.apply(fact);
    if (added !== undefined) this.#setCurve(added);
    if (fact.kind === "attempt-launched") {
      this.#progress.set(fact.attempt, new ProgressTimes(fact.at));
    }
    if (fact.kind === "attempt-ended") this.#progress.delete(fact.attempt);
  }

  jobs(): readonly TraceJob[] {
    for (const added of this.#fold.close()) this.#setCurve(added);
    return this.#fold.take().map((job) => this.#faults.addTo(job));
  }

  #setCurve({ past: { of, ended, endedAt }, attempts, row }: AddedAttempt): void {
    const progress = defined(this.#progress.get(of.id), "an open attempt's progress");
    const curve = progress.end(endedAt, ended === "succeeded");
    if (curve !== undefined) attempts.setCurve(row, curve);
  }
}

/** The policy of each seat, and its parameters that are numbers, texts or flags. */
function valuesOf(discipline: SetupDescription["discipline"]): Readonly<Record<string, string>> {
  const { sharing, order, speculation, estimator, detection } = discipline;
  const seats = { sharing, order, speculation, estimator, detection };
  return Object.fromEntries(
    Object.entries(seats).flatMap(([seat, { policy, params }]) => [
      [seat, policy],
      ...Object.entries(params)
        .filter(([, value]) => typeof value !== "object")
        .map(([name, value]) => [`${seat}.${name}`, String(value)]),
    ]),
  );
}
