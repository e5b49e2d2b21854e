import { defined } from "../../../base/assert.ts";
import type { PlanNames } from "../policy/plan-names.ts";
import type { PlannedMap } from "./job-files.ts";
import type { MapReduceJob } from "./map-reduce-jobs.ts";

/** A task of the program that Hadoop runs as one of its own. */
export interface NamedTask {
  /** `job/phase/index`, as in journals and events of the embedded engine. */
  readonly name: string;
  readonly phase: string;
  /** Its number in the phase. */
  readonly index: number;
}

export const PASS_ON = "pass-on";

/** Maps Hadoop's task names of one job to the program's. */
export class TaskNames {
  /** For the policies' journal, which uses Hadoop's task names. */
  readonly plan: PlanNames;
  readonly #tasks = new Map<string, NamedTask>();

  constructor(job: MapReduceJob, maps: readonly PlannedMap[]) {
    const named: string[] = [];
    let passed = 0;
    for (const [number, { work }] of maps.entries()) {
      const isOwn = work.kind === "narrow";
      const phase = isOwn ? work.phase.name : PASS_ON;
      const index = isOwn ? work.index : passed++;
      named.push(`${phase}/${index}`);
      this.#add(`m_${padded(number)}`, job.name, phase, index);
    }
    const { reduces } = job;
    for (const [index] of reduces?.tasks.entries() ?? []) {
      this.#add(`r_${padded(index)}`, job.name, reduces?.name ?? "", index);
    }
    const ofMaps = { job: job.name, maps: named };
    this.plan = reduces === undefined ? ofMaps : { ...ofMaps, reduces: reduces.name };
  }

  /** The phases in the order in which they run, each with its number of tasks. */
  get phases(): readonly { readonly name: string; readonly tasks: number }[] {
    const phases = new Map<string, number>();
    for (const { phase } of this.#tasks.values()) phases.set(phase, (phases.get(phase) ?? 0) + 1);
    return Array.from(phases, ([name, tasks]) => ({ name, tasks }));
  }

  /** The task of a Hadoop name such as `m_000003`. */
  task(id: string): NamedTask {
    return defined(this.#tasks.get(id), `task ${id}`);
  }

  /** The name `job/phase/index#1` of a Hadoop attempt such as `m_000003_1`. */
  attempt(id: string): string {
    return `${this.task(taskOf(id)).name}#${id.slice(id.lastIndexOf("_") + 1)}`;
  }

  #add(id: string, job: string, phase: string, index: number): void {
    this.#tasks.set(id, { name: `${job}/${phase}/${index}`, phase, index });
  }
}

/** The task's name in an attempt's name such as `m_000003_1`. */
export const taskOf = (attempt: string): string => attempt.slice(0, attempt.lastIndexOf("_"));

const padded = (number: number): string => String(number).padStart(6, "0");
