import { defined } from "../../../base/assert.ts";
import type { JobId, TaskId } from "../../../model/ids.ts";
import type { KeptOutput, OutputLocation } from "../messages.ts";
import type { EngineNode } from "./engine-node.ts";

/** Where outputs that other tasks of the job read lie. */
export class OutputPlaces {
  readonly #job: JobId;
  /** By a task's number: where its outputs are, the newest last. */
  readonly #outputs = new Map<number, OutputPlace[]>();
  /** By a task's number: where its output was last, if no node holds it now. */
  readonly #nowhere = new Map<number, OutputPlace>();

  constructor(job: JobId) {
    this.#job = job;
  }

  add(place: OutputPlace): void {
    this.#lieAt(place.source, [...this.of(place.source), place]);
  }

  /** Places of the output of the task with this number, the newest last. */
  of(source: number): readonly OutputPlace[] {
    return this.#outputs.get(source) ?? [];
  }

  /**
   * Outputs on a node that are gone, all or those of some attempts; where readers look from now on.
   */
  lose(node: EngineNode, attempts?: readonly number[]): LostOutputs {
    const tasks: TaskId[] = [];
    const moved: number[] = [];
    for (const [source, places] of this.#outputs) {
      const left = places.filter(
        (place) =>
          place.node !== node || (attempts !== undefined && !attempts.includes(place.attempt)),
      );
      if (left.length === places.length) continue;
      const { task } = defined(places[0], "a place");
      if (!left.some((place) => place.node === node)) tasks.push(task);
      this.#lieAt(source, left);
      moved.push(source);
    }
    return { tasks, moved };
  }

  on(node: EngineNode): readonly KeptOutput[] {
    return [...this.#outputs.values()]
      .flat()
      .filter((place) => place.node === node)
      .map(({ attempt, path, checksum }) => ({ attempt, path, checksum, job: this.#job }));
  }

  /**
   * Where a reader that names the path has looked; undefined if nobody says any more that it is
   * there.
   */
  place(source: number, path: string): OutputPlace | undefined {
    return this.#outputs.get(source)?.find((place) => place.path === path);
  }

  /** From where the node is to read these outputs. */
  locate(sources: readonly number[], reader: EngineNode): readonly OutputLocation[] {
    return sources.map((source) => this.#location(source, reader));
  }

  /** Outputs that were made and are nowhere now: where each of them was last. */
  get nowhere(): readonly OutputPlace[] {
    return [...this.#nowhere.values()];
  }

  /** Where the output was last, if it was made and is nowhere now. */
  lastPlace(source: number): OutputPlace | undefined {
    return this.#nowhere.get(source);
  }

  /** No reader is sent to this copy any more: others have missed it. */
  giveUp(place: OutputPlace): void {
    const places = this.#outputs.get(place.source) ?? [];
    this.#lieAt(
      place.source,
      places.filter((one) => one !== place),
    );
  }

  /** The attempt's output is there too; undefined if no reader needs it any more. */
  copied(
    attempt: number,
    { node, path }: { readonly node: EngineNode; readonly path: string },
  ): OutputPlace | undefined {
    const places = [...this.#outputs.values()].find((one) =>
      one.some((place) => place.attempt === attempt),
    );
    const original = places?.find((place) => place.attempt === attempt);
    if (places === undefined || original === undefined) return undefined;
    const copy = { ...original, node, path };
    // Readers that have no nearer one go on reading the newest that was made.
    places.unshift(copy);
    return copy;
  }

  /** The job is over: the nodes remove its outputs. */
  forget(): void {
    this.#outputs.clear();
    this.#nowhere.clear();
  }

  #lieAt(source: number, places: OutputPlace[]): void {
    const last = this.#outputs.get(source)?.at(-1);
    this.#outputs.set(source, places);
    if (places.length > 0) this.#nowhere.delete(source);
    else if (last !== undefined) this.#nowhere.set(source, last);
  }

  /** Of the newest output the nearest copy: on the node itself, else in its rack, else any. */
  #location(source: number, reader: EngineNode): OutputLocation {
    const all = this.#outputs.get(source) ?? [];
    const places = all.filter(({ attempt }) => attempt === all.at(-1)?.attempt);
    const place =
      places.find(({ node }) => node === reader) ??
      places.findLast(({ node }) => node.rack === reader.rack) ??
      places.at(-1);
    return place === undefined ? { source } : { source, path: place.path };
  }
}

/** Where an output of a task lies. */
export interface OutputPlace {
  readonly task: TaskId;
  readonly attempt: number;
  /** The task's number in its job. */
  readonly source: number;
  readonly node: EngineNode;
  readonly path: string;
  readonly checksum: string;
}

export interface LostOutputs {
  /** The node has no output of them any more. */
  readonly tasks: readonly TaskId[];
  readonly moved: readonly number[];
}
