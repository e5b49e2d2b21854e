import { InputError } from "../../base/input-error.ts";
import type { TraceJob, TraceSource } from "../../history/model.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { findParam } from "../../policy/params.ts";
import { type Discipline, describeDiscipline } from "../../policy/policy.ts";
import { REGISTRY } from "../../policy/registry.ts";
import { recordedTrial, systemOf } from "../../whatif/system.ts";
import type { Trial } from "../../whatif/trial.ts";
import type { Offered } from "./messages.ts";

/** The policy that is tried first on a job whose log names none. */
const FIRST = "late";

/** What a reader may try on a job: each discipline, the recorded one with its settings. */
export class Offers {
  readonly all: readonly Offered[];
  /** The recorded discipline, with the settings that are not its defaults. */
  readonly #recorded: Trial | undefined;

  constructor(job: TraceJob, source: Pick<TraceSource, "format"> | undefined) {
    const { discipline } = job.settings;
    const first = discipline ?? FIRST;
    const recorded = recordedTrial(job, systemOf(job, source));
    this.#recorded = discipline === undefined ? undefined : changedOnly(recorded);
    const others = REGISTRY.disciplines.map(({ name }) => name).filter((name) => name !== first);
    const of = this.#recorded ?? { policy: first, sets: [] };
    this.all = [
      ...offer(of, this.#recorded === undefined ? first : `${first}, as recorded`),
      ...others.flatMap((policy) => offer({ policy, sets: [] }, policy)),
    ];
  }

  /** `changes`: differences from the settings that were offered with the policy. */
  trial(policy: string, changes: readonly string[]): Trial {
    if (policy !== this.#recorded?.policy) return { policy, sets: changes };
    const values = new Map([...this.#recorded.sets, ...changes].map(nameAndValue));
    return { policy, sets: Array.from(values, ([name, value]) => `${name}=${value}`) };
  }
}

function changedOnly({ policy, sets }: Trial): Trial {
  const values = paramsOf(read({ policy, sets: [] }));
  const isChanged = (set: string): boolean => {
    const [name, value] = nameAndValue(set);
    return String(values[name.replace("speculation.", "")]) !== value;
  };
  return { policy, sets: sets.filter(isChanged) };
}

function nameAndValue(set: string): [name: string, value: string] {
  const [name = "", ...value] = set.split("=");
  return [name, value.join("=")];
}

/** The discipline with the numbers of its speculation; empty if no policy has its name. */
function offer(trial: Trial, told: string): readonly Offered[] {
  const discipline = read(trial);
  if (discipline === undefined) return [];
  const { policy } = discipline.speculation;
  const params = Object.entries(paramsOf(discipline)).flatMap(([name, value]) =>
    typeof value === "number" && Number.isFinite(value)
      ? [{ name, value, about: findParam(policy, name)?.about ?? "" }]
      : [],
  );
  return [{ policy: trial.policy, told, params }];
}

const paramsOf = (discipline: Discipline | undefined): Readonly<Record<string, unknown>> =>
  discipline === undefined ? {} : { ...describeDiscipline(discipline).speculation.params };

/** Undefined if a policy is not built in. */
function read({ policy, sets }: Trial): Discipline | undefined {
  try {
    return parseDiscipline(policy, sets);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
