import { defined } from "../../../base/assert.ts";
import type { Json } from "../../../core/journal/json.ts";
import type { Output } from "../../../model/attempt.ts";
import type { JobId, PhaseId, TaskId } from "../../../model/ids.ts";
import type { Job } from "../../../model/job.ts";
import { partName } from "../data/index.ts";
import type { JobPlan, PhaseName } from "../job-plan.ts";
import type {
  AttemptFailure,
  JobForNodes,
  KeptOutput,
  MapLocation,
  Work,
  WorkResult,
} from "../messages.ts";
import type { OutputDirectory } from "../output-directory.ts";
import type { Failure, Part, PhaseFacts } from "../run-result.ts";
import type { EngineTask, LiveAttempt } from "./attempts.ts";
import type { EngineNode } from "./engine-node.ts";

/** One job while it runs: what its tasks are to do, where their outputs are, what they come to. */
export class JobRun {
  readonly id: JobId;
  readonly name: string;
  readonly plan: JobPlan;
  readonly output: OutputDirectory;
  readonly phaseIds: readonly PhaseId[];
  readonly #tasks: ReadonlyMap<TaskId, EngineTask>;
  /** Where the outputs of each map are, the newest last. */
  readonly #outputs = new Map<number, MapOutputPlace[]>();
  /** The newest failure of each task, the task that failed last at the end. */
  readonly #failures = new Map<TaskId, AttemptFailure>();

  constructor(job: Job, plan: JobPlan, output: OutputDirectory) {
    this.id = job.id;
    this.name = job.name;
    this.plan = plan;
    this.output = output;
    this.phaseIds = job.phases.map(({ id }) => id);
    const tasks = new Map<TaskId, EngineTask>();
    for (const phase of job.phases) {
      for (const { id, index } of phase.tasks) {
        const name = `${job.name}/${phase.name}/${index}`;
        const kind: PhaseName = phase.name === "map" ? "map" : "reduce";
        tasks.set(id, { id, name, phase: kind, index, begun: 0, suspect: false });
      }
    }
    this.#tasks = tasks;
  }

  get forNodes(): JobForNodes {
    const { file, params, input, reduces } = this.plan;
    return { job: this.id, file, params, maps: input.splits.length, reduces };
  }

  has(task: TaskId): boolean {
    return this.#tasks.has(task);
  }

  task(id: TaskId): EngineTask {
    return defined(this.#tasks.get(id), `task ${id}`);
  }

  /** What the attempt is to do; makes the place for what it writes. */
  work({ id, task }: LiveAttempt): Work {
    const begun = task.begun - 1;
    if (task.phase === "reduce") {
      const part = this.output.partOf(id, partName(task.index));
      return {
        kind: "reduce",
        job: this.id,
        partition: task.index,
        begun,
        part,
        found: this.#found(),
      };
    }
    const split = defined(this.plan.input.splits[task.index], `split ${task.index}`);
    if (!this.#onlyMaps) return { kind: "map", job: this.id, split, begun };
    const part = this.output.partOf(id, partName(task.index));
    return { kind: "map", job: this.id, split, begun, part };
  }

  /** Takes what an attempt has made: the first part wins; a map's output is where it is. */
  tryAccept(attempt: LiveAttempt, result: WorkResult): Accepted | Refused {
    try {
      return this.#accept(attempt, result);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { kind: "refused", message: `its output could not be committed: ${message}` };
    }
  }

  failed(task: EngineTask, failure: AttemptFailure): void {
    this.#failures.delete(task.id);
    this.#failures.set(task.id, failure);
  }

  /** Of the task that failed last. */
  get failure(): Failure | undefined {
    const [task, failure] = [...this.#failures].at(-1) ?? [];
    if (task === undefined || failure === undefined) return undefined;
    const { cause: _, ...what } = failure;
    return { task: this.task(task).name, ...what };
  }

  #accept({ id, task, node }: LiveAttempt, result: WorkResult): Accepted {
    if (result.kind === "part") {
      const { bytes, records, checksum } = result.part;
      const part = partName(task.index);
      this.output.accept(id, part);
      task.result = result;
      return {
        kind: "accepted",
        output: { bytes, records },
        part,
        moved: [],
        journal: { part, bytes, records, checksum },
      };
    }
    task.result = result;
    const { path, bytes, records, checksum, byPartition } = result.output;
    const places = this.#places(task.index);
    places.push({ task: task.id, attempt: id, map: task.index, node, path, checksum });
    const moved = [{ map: task.index, path }];
    return {
      kind: "accepted",
      output: { bytes, records, byPartition },
      moved,
      journal: { path, bytes, records, checksum },
    };
  }

  /**
   * Outputs on a node that are gone, all or those of some attempts; where readers look from now on.
   */
  lose(node: EngineNode, attempts?: readonly number[]): LostOutputs {
    const tasks: EngineTask[] = [];
    const moved: MapLocation[] = [];
    for (const [map, places] of this.#outputs) {
      const left = places.filter(
        (place) =>
          place.node !== node || (attempts !== undefined && !attempts.includes(place.attempt)),
      );
      if (left.length === places.length) continue;
      const task = defined(places[0], "a place").task;
      if (!left.some((place) => place.node === node)) tasks.push(this.task(task));
      this.#outputs.set(map, left);
      moved.push(this.#location(map));
    }
    return { tasks, moved };
  }

  on(node: EngineNode): readonly KeptOutput[] {
    return [...this.#outputs.values()]
      .flat()
      .filter((place) => place.node === node)
      .map(({ attempt, path, checksum }) => ({ attempt, path, checksum, job: this.id }));
  }

  /**
   * Where a reader that names the path has looked; undefined if nobody says any more that it is
   * there.
   */
  place(map: number, path: string): MapOutputPlace | undefined {
    return this.#outputs.get(map)?.find((place) => place.path === path);
  }

  get counters(): Record<string, number> {
    const counters: Record<string, number> = {};
    for (const name of this.plan.job.counters) counters[name] = 0;
    for (const { result } of this.#tasks.values()) {
      for (const [name, by] of Object.entries(result === undefined ? {} : made(result).counters)) {
        counters[name] = (counters[name] ?? 0) + by;
      }
    }
    return counters;
  }

  /** The committed files; there are none before the commit. */
  get parts(): readonly Part[] {
    return [...this.#tasks.values()].flatMap(({ index, result }) => {
      if (result?.kind !== "part") return [];
      const { bytes, records, checksum } = result.part;
      return [{ path: `${this.output.path}/${partName(index)}`, bytes, records, checksum }];
    });
  }

  get phases(): readonly PhaseFacts[] {
    const names: readonly PhaseName[] = this.#onlyMaps ? ["map"] : ["map", "reduce"];
    return names.map((name) => {
      const tasks = [...this.#tasks.values()].filter(({ phase }) => phase === name);
      const results = tasks.flatMap(({ result }) => (result === undefined ? [] : [made(result)]));
      const sum = (of: (result: Made) => number): number =>
        results.reduce((so, result) => so + of(result), 0);
      return {
        name,
        tasks: tasks.length,
        inputBytes: sum((result) => result.inputBytes),
        inputRecords: sum((result) => result.inputRecords),
        outputBytes: sum((result) => result.bytes),
        outputRecords: sum((result) => result.records),
      };
    });
  }

  get #onlyMaps(): boolean {
    return this.plan.reduces === 0;
  }

  #found(): MapLocation[] {
    return [...this.#outputs.keys()]
      .map((map) => this.#location(map))
      .filter(({ path }) => path !== undefined);
  }

  #location(map: number): MapLocation {
    const path = this.#outputs.get(map)?.at(-1)?.path;
    return path === undefined ? { map } : { map, path };
  }

  #places(map: number): MapOutputPlace[] {
    const known = this.#outputs.get(map) ?? [];
    this.#outputs.set(map, known);
    return known;
  }
}

/** Where an output of a map lies. */
export interface MapOutputPlace {
  readonly task: TaskId;
  readonly attempt: number;
  readonly map: number;
  readonly node: EngineNode;
  readonly path: string;
  readonly checksum: string;
}

export interface Accepted {
  readonly kind: "accepted";
  readonly output: Output;
  readonly part?: string;
  /** What readers must be told. */
  readonly moved: readonly MapLocation[];
  readonly journal: { readonly [name: string]: Json };
}

export interface Refused {
  readonly kind: "refused";
  readonly message: string;
}

export interface LostOutputs {
  /** The node has no output of them any more. */
  readonly tasks: readonly EngineTask[];
  readonly moved: readonly MapLocation[];
}

type Made = Pick<PhaseFacts, "inputBytes" | "inputRecords"> & {
  readonly bytes: number;
  readonly records: number;
  readonly counters: Readonly<Record<string, number>>;
};

const made = (result: WorkResult): Made => (result.kind === "part" ? result.part : result.output);
