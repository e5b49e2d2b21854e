import { cell } from "../base/rows.ts";
import type { TraceJob } from "../history/model.ts";
import { type Answer, bracketOf, type Change, isByChance, shownOf } from "./change.ts";
import type { Gate } from "./gate.ts";
import { RUNS_PER_POOL } from "./luck.ts";
import type { Study } from "./study.ts";
import { type Setting, type System, settingText } from "./system.ts";
import type { Trial } from "./trial.ts";

/** Settings to change, with what they would save; or why there are none. */
export type Advice =
  | (Answer & {
      readonly kind: "set";
      /** `NAME=VALUE`, as the system's users write it. */
      readonly settings: readonly string[];
      /** Other seeds than those by which the settings were chosen. */
      readonly seeds: number;
    })
  | { readonly kind: "none"; readonly reason: string };

/** A loss beyond this share of the response, at the worse end of what is known, is no advice. */
const LOSS_MAX = 0.01;
/** Of candidates this close to each other, the one that changes fewer settings wins. */
const CLOSE = 0.003;
const FIRST_SEEDS = 2;
const FINALISTS = 6;

interface Candidate {
  readonly trial: Trial;
  readonly settings: readonly string[];
}

/**
 * Settings are chosen on half of the requested number of seeds, and reported on the same number of
 * other seeds.
 */
export function advise(
  study: Study,
  {
    system,
    job,
    gate,
  }: { readonly system: System | undefined; readonly job: TraceJob; readonly gate: Gate },
): Advice {
  if (gate.verdict === "bad") {
    return none("No advice: the simulator does not reproduce this job.");
  }
  if (system === undefined) {
    return none("No advice: the settings that are tried are those of Spark and Hadoop.");
  }
  const responseMs = job.endedAt - job.submittedAt;
  // Runs that share a pool stay together.
  const half = RUNS_PER_POOL * Math.max(1, Math.floor(study.seeds / 2 / RUNS_PER_POOL));
  const chosen = choose(study, candidatesOf(system, job, study.baseline), { half, responseMs });
  if (chosen === undefined) {
    const tried = system.settings.length === 0 ? " beyond on and off" : " that was tried";
    return none(`No advice: no setting of ${system.name}${tried} saves time.`);
  }
  const [byAttempt, byTask, atRho] = study.rhos.map((rho) =>
    study.changeOf(chosen.trial, "again", rho, { first: half + 1, last: half + study.seeds }),
  );
  if (byAttempt === undefined) throw new RangeError("at least one rho");
  const answer = {
    byAttempt,
    ...(byTask !== undefined && { byTask }),
    ...(atRho !== undefined && { atRho }),
  };
  const text = chosen.settings.join(", ");
  if (isByChance(shownOf(answer))) {
    return none(`No advice: the best setting, ${text}, saves no more than chance would.`);
  }
  if (bracketOf(answer).worstMs > LOSS_MAX * responseMs) {
    return none(
      `No advice: the best setting, ${text}, loses time if the long tasks are long by nature; ` +
        "a second run (--again) tells whether they are.",
    );
  }
  return { kind: "set", settings: chosen.settings, seeds: study.seeds, ...answer };
}

const none = (reason: string): Advice => ({ kind: "none", reason });

/** All combinations, without the one that the job ran under. */
function candidatesOf(system: System, job: TraceJob, baseline: Trial): readonly Candidate[] {
  const isOn = job.settings.discipline === system.policy;
  const switches = isOn ? [] : system.switches.map((name) => `${name}=true`);
  const values = system.settings.reduce<readonly (readonly number[])[]>(
    (all, { values }) => all.flatMap((earlier) => values.map((value) => [...earlier, value])),
    [[]],
  );
  return values.flatMap((combination) => {
    const changed = system.settings.flatMap((setting, n) => {
      const value = cell(combination[n]);
      return isAsRecorded(setting, value, system, baseline) ? [] : [settingText(setting, value)];
    });
    const settings = [...switches, ...changed];
    if (settings.length === 0) return [];
    const sets = system.settings.map(
      ({ parameter }, n) => `speculation.${parameter}=${combination[n]}`,
    );
    return [{ trial: { policy: system.policy, sets }, settings }];
  });
}

/** Whether the job had this value, because it was set or by default. */
function isAsRecorded(
  { parameter }: Setting,
  value: number,
  system: System,
  baseline: Trial,
): boolean {
  const start = `speculation.${parameter}=`;
  const set = baseline.sets.find((each) => each.startsWith(start));
  if (set !== undefined) return Number(set.slice(start.length)) === value;
  return system.defaults.get(parameter) === value;
}

/** The best candidate by rounds: losers get few seeds. undefined if none saves anything. */
function choose(
  study: Study,
  candidates: readonly Candidate[],
  { half, responseMs }: { readonly half: number; readonly responseMs: number },
): Candidate | undefined {
  const ends = study.rhos.length;
  study.more(
    candidates.length * FIRST_SEEDS * ends + ((FINALISTS + 1) * half + 2 * study.seeds) * ends,
  );
  const scored = (of: readonly Candidate[], last: number) =>
    of
      .map((candidate) => ({ candidate, ...scoreOf(study, candidate, last) }))
      .filter(({ worstMs }) => worstMs <= LOSS_MAX * responseMs)
      .sort((a, b) => Math.sign(a.ms - b.ms));
  const first = scored(candidates, Math.min(FIRST_SEEDS, half));
  const finalists = first.slice(0, FINALISTS).map(({ candidate }) => candidate);
  const ranked = scored(finalists, half);
  const best = ranked[0];
  if (best === undefined || best.ms >= 0) return undefined;
  const close = ranked.filter(({ ms }) => ms <= best.ms + CLOSE * responseMs);
  return close.reduce((a, b) => (b.candidate.settings.length < a.candidate.settings.length ? b : a))
    .candidate;
}

function scoreOf(study: Study, { trial }: Candidate, last: number) {
  const changes: readonly Change[] = study.rhos.map((rho) =>
    study.changeOf(trial, "again", rho, { first: 1, last }),
  );
  // Without an estimate of rho, both of its ends count alike.
  const [, , atRho] = changes;
  const mean = changes.reduce((sum, { ms }) => sum + ms, 0) / changes.length;
  return { ms: atRho?.ms ?? mean, worstMs: Math.max(...changes.map(({ ms }) => ms)) };
}
