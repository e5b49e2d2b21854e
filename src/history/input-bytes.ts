import { cell } from "../base/rows.ts";
import type { Job } from "../model/job.ts";

/**
 * The bytes that the tasks of a job read, as far as is known: those of their splits, or what tasks
 * before them wrote for them. 8 bytes a task of a phase of which something is known.
 */
export class InputBytes {
  readonly #job: Pick<Job, "phases">;
  /** By phase and index; NaN where unknown. */
  readonly #phases: (Float64Array | undefined)[];

  constructor(job: Pick<Job, "phases">) {
    this.#job = job;
    this.#phases = job.phases.map(({ tasks }) => {
      const bytes = Float64Array.from(tasks, (task) => task.inputBytes ?? Number.NaN);
      return bytes.every(Number.isNaN) ? undefined : bytes;
    });
  }

  /** NaN if unknown. */
  of(phase: number, index: number): number {
    const bytes = this.#phases[phase];
    return bytes === undefined ? Number.NaN : cell(bytes[index]);
  }

  /** What a task of the phase wrote for each partition is the input of the phases that read it. */
  wrote(phase: number, byPartition: readonly number[]): void {
    const { phases } = this.#job;
    const writer = cell(phases[phase]);
    for (const [n, { after, tasks }] of phases.entries()) {
      if (!after.some((edge) => edge.phase === writer.id)) continue;
      const bytes = this.#phases[n] ?? new Float64Array(tasks.length).fill(Number.NaN);
      this.#phases[n] = bytes;
      for (const [reader, more] of byPartition.entries()) {
        const before = bytes[reader];
        if (before !== undefined) bytes[reader] = (Number.isNaN(before) ? 0 : before) + more;
      }
    }
  }
}
