import type { TraceJob, TraceSource } from "../history/model.ts";
import type { Registry } from "../policy/registry.ts";
import { advise } from "./advise.ts";
import { assumedOf, cannotOf, nothingToTry } from "./cannot.ts";
import type { WhatIf, WhatIfRow } from "./document.ts";
import { type Fitted, fitted } from "./fitted.ts";
import { gateOf } from "./gate.ts";
import { idleParts } from "./idle-parts.ts";
import { inWords } from "./in-words.ts";
import { lossOf } from "./loss.ts";
import { type ClusterSize, resized, sizeText } from "./resize.ts";
import { fixedRho, type Rho, rhoOfLog, rhoOfRuns, UNKNOWN_RHO } from "./rho.ts";
import type { Sampler } from "./sample.ts";
import { Study } from "./study.ts";
import { recordedTrial, systemOf } from "./system.ts";
import { judgesNodes, nameOf, type Trial } from "./trial.ts";

export interface TryPoliciesOptions {
  /** Disciplines to try, as for `--discipline`, or with settings of their own. */
  readonly policies: readonly (string | Trial)[];
  /** Paired runs. Default: 20, or 10 for a job of more than 5,000 attempts. */
  readonly seeds?: number;
  /** Fixes the part of bad luck that comes back in copies. */
  readonly rho?: number;
  /** A second run of the job, which determines that part. */
  readonly again?: TraceJob;
  /** Another cluster. */
  readonly size?: ClusterSize;
  /** Whether settings of the recorded system are tried. */
  readonly advise?: boolean;
  /** What wrote the history. */
  readonly source?: Pick<TraceSource, "format" | "version">;
  /** Whether to answer although the simulator does not reproduce the record. */
  readonly anyway?: boolean;
  /** false: only the question about another run of the job. Default: true. */
  readonly thatRun?: boolean;
  /** Samples large jobs. All jobs are simulated whole if left out. */
  readonly sampler?: Sampler;
  readonly registry?: Registry;
  /** Called after each run, with the runs so far and an estimate of all. */
  readonly onRun?: (done: number, all: number) => void;
}

const SEEDS = 20;
/** A large job gets fewer runs: 10,000 attempts under five policies take less than a minute. */
const SEEDS_OF_LARGE = 10;
const LARGE = 5_000;
/** A policy without its copies that changes more than this does something else, too. */
const PLACEBO_MAX = 0.005;
const PLACEBO_SEEDS = 5;

/** COST: about 5 x (policies + 1) x seeds simulations of the job, and some hundred for advice. */
export function tryPolicies(job: TraceJob, options: TryPoliciesOptions): WhatIf {
  const { registry, policies, anyway = false } = options;
  const system = systemOf(job, options.source);
  const baseline = recordedTrial(job, system);
  const trials = policies.map((each) =>
    typeof each === "string" ? { policy: each, sets: [] } : each,
  );
  const fit = fitted(job, options.sampler);
  const seeds = options.seeds ?? (fit.plan.count > LARGE ? SEEDS_OF_LARGE : SEEDS);
  const rho = rhoOf(fit, options);
  const gate = gateOf(fit, baseline, registry);
  const loss = lossOf(fit);
  const head = {
    job: job.id,
    responseMs: job.endedAt - job.submittedAt,
    cannot: cannotOf(fit),
    assumed: [
      ...assumedOf(fit),
      ...assumedOfSize(options.size),
      ...idleParts(fit, trials, registry),
    ],
    ...(loss !== undefined && { loss }),
    gate,
    baseline: baseline.policy,
    baselineSettings: baseline.sets,
    seeds,
    rho,
    ...(options.size !== undefined && { size: options.size }),
    isNothingToTry: false,
  };
  const nothing = nothingToTry(fit);
  if (nothing !== undefined) {
    return { ...inWords({ ...head, isNothingToTry: true, rows: [] }), verdict: [nothing] };
  }
  for (const trial of trials) judgesNodes(trial, registry);
  if (gate.verdict === "bad" && !anyway) {
    return inWords({ ...head, rows: [] });
  }
  const study = new Study(fit, { rho, seeds, baseline, registry, onRun: options.onRun });
  const rows = rowsOf(study, trials, options);
  const advice = options.advise === true ? advise(study, { system, job, gate }) : undefined;
  return inWords({ ...head, rows, ...(advice !== undefined && { advice }) });
}

function rhoOf(fit: Fitted, { rho, again }: TryPoliciesOptions): Rho {
  if (rho !== undefined) return fixedRho(rho);
  const ofRuns = again === undefined ? undefined : rhoOfRuns(fit, fitted(again));
  return ofRuns ?? rhoOfLog(fit) ?? UNKNOWN_RHO;
}

function assumedOfSize(size: ClusterSize | undefined): readonly string[] {
  if (size === undefined) return [];
  return [
    `${sizeText(size)}: slow nodes stay, nodes that are added are of usual speed, and tasks ` +
      "take as long as they took, whatever more or fewer of them do to disks and network.",
  ];
}

function rowsOf(
  study: Study,
  trials: readonly Trial[],
  { size, registry, thatRun = true }: TryPoliciesOptions,
): readonly WhatIfRow[] {
  const { fitted: fit, seeds } = study;
  const isThatRun = thatRun && size === undefined;
  const on = size === undefined ? fit : resized(fit, size);
  study.expect(trials, { isThatRun, placeboSeeds: PLACEBO_SEEDS });
  const { baseline } = study;
  // On another cluster the record's own policy changes something, too.
  const own = nameOf(baseline);
  const all =
    size === undefined ? trials : [baseline, ...trials.filter((trial) => nameOf(trial) !== own)];
  return all.map((trial) => {
    const placebo = study.placeboOf(trial, Math.min(seeds, PLACEBO_SEEDS));
    return {
      policy: nameOf(trial),
      ...study.answerOf(trial, "again", on),
      ...(isThatRun && {
        thatRun: {
          ...study.answerOf(trial, "that-run"),
          isRough: !study.isPinned && judgesNodes(trial, registry),
        },
      }),
      placebo,
      isMarked: Math.abs(placebo) > PLACEBO_MAX,
    };
  });
}
