import type { FurtherAttempt, RecordedAttempt, RecordedRun } from "../hosts/sim/index.ts";
import { runRecorded } from "../hosts/sim/index.ts";
import { parseDiscipline } from "../policy/discipline.ts";
import { knownSets } from "../policy/known-sets.ts";
import type { Discipline } from "../policy/policy.ts";
import type { Registry } from "../policy/registry.ts";
import { none } from "../policy/speculation/none.ts";
import type { Fitted } from "./fitted.ts";
import { type Question, toRecorded } from "./to-recorded.ts";

/** A trial on a job: a discipline, and settings that differ from its defaults. */
export interface Trial {
  readonly policy: string;
  /** As for `--set`: `speculation.multiplier=1.3`. */
  readonly sets: readonly string[];
}

/** For instance `late (runtimeMsMin=10000)`. */
export function nameOf({ policy, sets }: Trial): string {
  const short = sets.map((set) => set.replace("speculation.", ""));
  return short.length === 0 ? policy : `${policy} (${short.join(", ")})`;
}

/** The kept figures of a run. */
export interface Outcome extends Pick<RecordedRun, "responseMs" | "slotMs" | "copies" | "wins"> {
  /** Whether the run had attempts that the record does not have. */
  readonly hasFurther: boolean;
  /** Of a sample: the part of the response that stands for the tasks that were not simulated. */
  readonly addedMs?: number;
}

/**
 * The disciplines as trials, each with those settings that it knows. InputError if a name is
 * unknown, or if no discipline knows a setting.
 */
export function trialsOf(
  policies: readonly string[],
  sets: readonly string[],
  registry?: Registry,
): readonly Trial[] {
  const known = knownSets(policies, sets, registry);
  const trials = policies.map((policy, n) => ({ policy, sets: known[n] ?? [] }));
  for (const trial of trials) disciplineOf(trial, registry);
  return trials;
}

/** The trial's discipline as asked for. InputError if the policy or a setting is unknown. */
export const askedDiscipline = ({ policy, sets }: Trial, registry?: Registry): Discipline =>
  parseDiscipline(policy, sets, registry);

/** The trial's discipline as it is simulated. InputError if the policy or a setting is unknown. */
export function disciplineOf({ policy, sets }: Trial, registry?: Registry): Discipline {
  // One job has the cluster alone: Hadoop 1's FIFO would hold slots back for others.
  const alone = policy.includes("sharing=") ? policy : `${policy},sharing=fifo-plain`;
  const discipline = parseDiscipline(alone, sets, registry);
  // The simulation has no links: reduces would wait for all maps, and gain nothing by their place.
  const data = discipline.data.filter(({ policy: { name } }) => name !== "mantri-placement");
  return { ...discipline, data };
}

/** Runs the job once. COST: one simulation. */
export function outcomeOf(of: Fitted, discipline: Discipline, question: Question): Outcome {
  const { sample } = of;
  const fitted =
    sample === undefined ? of : { ...of, shape: sample.shapeOf(of.shape, question.seed) };
  const job = toRecorded(fitted, question);
  let hasFurther = false;
  const phases = job.phases.map((phase) => ({
    ...phase,
    further(attempt: FurtherAttempt): RecordedAttempt {
      hasFurther = true;
      return phase.further(attempt);
    },
  }));
  const ran = runRecorded(
    { ...job, phases },
    { seed: question.seed, discipline, nodeOrder: "drawn" },
  );
  if (sample !== undefined) return { ...sample.wholeOf(fitted.shape, ran), hasFurther };
  const { responseMs, slotMs, copies, wins } = ran;
  return { responseMs, slotMs, copies, wins, hasFurther };
}

/** The same discipline, without the policy that makes its copies. */
export function withoutCopies(trial: Trial, registry?: Registry): Trial {
  if (disciplineOf(trial, registry).speculation.policy === none) return trial;
  const others = trial.policy.replaceAll(" ", "").split(",").filter(isOther);
  return {
    policy: [...others, "speculation=none"].join(","),
    sets: trial.sets.filter(isOther),
  };
}

const isOther = (part: string): boolean => !/^speculation[=.]/.test(part);

/**
 * Whether two trials differ in nothing but their copies. Estimates are for these alone, except in
 * policies of users, which may do anything.
 */
export function differInCopiesAlone(a: Trial, b: Trial, registry?: Registry): boolean {
  const [one, other] = [a, b].map((trial) => {
    const { data, files = [], ...seats } = disciplineOf(trial, registry);
    const used = [seats.sharing, seats.order, seats.detection, ...data];
    const others = used.map(({ policy, params }) => ({ policy: policy.name, params }));
    return files.length === 0 ? JSON.stringify(others) : undefined;
  });
  return one !== undefined && one === other;
}

/** Policies that learn from where attempts run, or that keep copies from some nodes. */
const JUDGES = /^(late|esplash|mantri|flink)/;
/** Built-in policies that judge only attempts. */
const JUDGE_NOT = /^(none|hadoop|mapreduce|dryad|yarn|spark)/;

/** A user's policy is unknown, and counts as one that judges nodes. */
export function judgesNodes(trial: Trial, registry?: Registry): boolean {
  const { speculation, data } = disciplineOf(trial, registry);
  const names = [speculation.policy.name, ...data.map(({ policy }) => policy.name)];
  return names.some((name) => JUDGES.test(name) || !JUDGE_NOT.test(name));
}
