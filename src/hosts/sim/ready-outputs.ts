import { assert, defined } from "../../base/assert.ts";
import type { NodeId, TaskId } from "../../model/ids.ts";
import type { TaskList } from "../../model/job.ts";

/** Stands for "no entry" and "no place". */
export const NONE = -1;

/**
 * The outputs that the reduces of a phase may fetch, in columns, with an entry for each arrival of
 * an output at a node. Each reduce reads the entries in order, when it next has a lane free.
 */
export class ReadyOutputs<Output extends { readonly task: TaskId; readonly bytes: number }> {
  /** The first task of each phase that is read; the ids of a phase's tasks follow one another. */
  readonly #firsts: readonly number[];
  /** Where each phase's outputs begin among all places; the last item is the number of places. */
  readonly #offsets: readonly number[];
  /** By entry. */
  readonly outputs: Output[] = [];
  readonly bytes: number[] = [];
  readonly places: number[] = [];
  readonly sources: NodeId[] = [];
  /** By place: the last entry. */
  readonly #latest: Int32Array;

  constructor(upstream: readonly TaskList[]) {
    const lists = upstream.filter(({ length }) => length > 0);
    const offsets = [0];
    for (const { length } of lists) offsets.push((offsets.at(-1) ?? 0) + length);
    this.#firsts = lists.map(firstOf);
    this.#offsets = offsets;
    this.#latest = new Int32Array(offsets.at(-1) ?? 0).fill(NONE);
  }

  /** The number of outputs that a reduce reads. */
  get wanted(): number {
    return this.#latest.length;
  }

  get entries(): number {
    return this.places.length;
  }

  add(output: Output, source: NodeId): void {
    const place = this.placeOf(output.task);
    this.#latest[place] = this.entries;
    this.outputs.push(output);
    this.bytes.push(output.bytes);
    this.places.push(place);
    this.sources.push(source);
  }

  /** The output's last entry, `NONE` if it was never made. */
  latest(place: number): number {
    return this.#latest[place]!;
  }

  /** The task's place among the outputs that are read. */
  placeOf(task: TaskId): number {
    for (let phase = 0; phase < this.#firsts.length; phase += 1) {
      const offset = this.#offsets[phase]!;
      const place = task - this.#firsts[phase]! + offset;
      if (place >= offset && place < this.#offsets[phase + 1]!) return place;
    }
    return NONE;
  }
}

function firstOf(tasks: TaskList): TaskId {
  const first = defined(tasks.at(0), "a first task").id;
  const last = defined(tasks.at(tasks.length - 1), "a last task").id;
  assert(last - first === tasks.length - 1, "the ids of a phase's tasks follow one another");
  return first;
}
