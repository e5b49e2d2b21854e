import { defined } from "../../../base/assert.ts";
import { partName } from "../../../data/index.ts";
import type { CourseJob, CoursePhase } from "../../../data/task/course.ts";
import { allowsCopies, type Program, type ProgramOutput } from "../../../job/program.ts";
import type { Speculates } from "../../../job/speculate.ts";

/**
 * One Hadoop job. A job of the course becomes several: one for each phase that reads a shuffle,
 * whose maps are the tasks that feed the shuffle, and one for tasks that feed none.
 */
export interface MapReduceJob {
  readonly name: string;
  readonly maps: readonly HadoopMapWork[];
  /** Undefined if the maps write parts. */
  readonly reduces?: CoursePhase;
  /** The part that the reduce writes, by partition. */
  readonly parts: readonly JobPart[];
}

/** A map: a task that reads no shuffle, or one that passes on what a reduce has stored. */
export interface HadoopMapWork {
  readonly kind: "narrow" | "pass-on";
  readonly phase: CoursePhase;
  /** The task's index in its phase. */
  readonly index: number;
  /** The part of a map that feeds no shuffle. */
  readonly part?: JobPart;
}

/** The part of an output or dataset of the program that a task writes. */
export interface JobPart {
  readonly kind: "output" | "dataset" | "run";
  /** The index of the program's output or dataset; for a run, of the phase. */
  readonly of: number;
  readonly index: number;
  /** The part's path within the output directory of the Hadoop job. */
  readonly name: string;
}

/** The Hadoop jobs, in an order in which they can run. */
export function mapReduceJobs(
  job: CourseJob,
  outputs: readonly ProgramOutput[],
): readonly MapReduceJob[] {
  const jobs: Omit<MapReduceJob, "name">[] = [];
  const isNarrow = ({ program }: CoursePhase): boolean => program.reads.kind !== "shuffle";
  const feedsNone = ({ program }: CoursePhase): boolean => program.writes.kind !== "shuffle";
  const mapOnly = job.phases.filter((phase) => isNarrow(phase) && feedsNone(phase));
  if (mapOnly.length > 0) {
    const maps = mapOnly.flatMap((phase) =>
      phase.tasks.map((_, index) => ({
        kind: "narrow" as const,
        phase,
        index,
        part: partOf(phase, index, outputs),
      })),
    );
    jobs.push({ maps, parts: [] });
  }
  for (const reduces of job.phases.filter((phase) => !isNarrow(phase))) {
    const { reads } = reduces.program;
    const feeders = reads.kind === "shuffle" ? reads.sides.flat() : [];
    const maps = feeders.flatMap((number) => {
      const phase = phaseOf(job, number);
      const kind = isNarrow(phase) ? ("narrow" as const) : ("pass-on" as const);
      return phase.tasks.map((_, index) => ({ kind, phase, index }));
    });
    const parts = reduces.tasks.map((_, index) => partOf(reduces, index, outputs));
    jobs.push({ maps, reduces, parts });
  }
  return jobs.map((each, index) => ({
    name: index === 0 ? job.name : `${job.name} ${each.reduces?.name ?? index + 1}`,
    ...each,
  }));
}

/** Which tasks of the job may be copied. A map that passes on stored records runs no user code. */
export function speculatesIn(program: Program, { maps, reduces }: MapReduceJob): Speculates {
  const own = maps.filter(({ kind }) => kind === "narrow").map(({ phase }) => phase.program);
  return {
    map: program.speculate.map && own.every((phase) => allowsCopies(program, phase)),
    reduce: reduces !== undefined && allowsCopies(program, reduces.program),
  };
}

export const runPart = (phase: number, index: number): JobPart => ({
  kind: "run",
  of: phase,
  index,
  name: `run-${phase}/${partName(index)}`,
});

function partOf(
  { phase, program: { writes }, firstPart }: CoursePhase,
  index: number,
  outputs: readonly ProgramOutput[],
): JobPart {
  if (writes.kind === "shuffle") return runPart(phase, index);
  const part = firstPart + index;
  if (writes.kind === "dataset") {
    const { dataset: of } = writes;
    return { kind: "dataset", of, index: part, name: `dataset-${of}/${partName(part)}` };
  }
  const { output } = defined(outputs[writes.output], `output ${writes.output}`);
  const name = `output-${writes.output}/${partName(part, output)}`;
  return { kind: "output", of: writes.output, index: part, name };
}

const phaseOf = ({ phases }: CourseJob, number: number): CoursePhase =>
  defined(
    phases.find(({ phase }) => phase === number),
    `phase ${number}`,
  );
