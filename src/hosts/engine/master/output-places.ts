import { defined } from "../../../base/assert.ts";
import type { JobId, TaskId } from "../../../model/ids.ts";
import type { KeptOutput, OutputLocation } from "../messages.ts";
import type { EngineNode } from "./engine-node.ts";

/** The places of the outputs that other tasks of the job read. */
export class OutputPlaces {
  readonly #job: JobId;
  /** The places of each output, by task number; the newest is last. */
  readonly #outputs = new Map<number, OutputPlace[]>();
  /** The last place of each output that no node holds now, by task number. */
  readonly #nowhere = new Map<number, OutputPlace>();

  constructor(job: JobId) {
    this.#job = job;
  }

  add(place: OutputPlace): void {
    this.#lieAt(place.source, [...this.of(place.source), place]);
  }

  /** The places of the output of the task with this number, the newest last. */
  of(source: number): readonly OutputPlace[] {
    return this.#outputs.get(source) ?? [];
  }

  /** Removes outputs of a node, all or those of some attempts. Returns the news for readers. */
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

  /** The place at which the reader looked; undefined if the output is no longer recorded there. */
  place(source: number, path: string): OutputPlace | undefined {
    return this.#outputs.get(source)?.find((place) => place.path === path);
  }

  /** The locations from which the node should read these outputs. */
  locate(sources: readonly number[], reader: EngineNode): readonly OutputLocation[] {
    return sources.map((source) => this.#location(source, reader));
  }

  /** The last place of each output that was made and that no node has now. */
  get nowhere(): readonly OutputPlace[] {
    return [...this.#nowhere.values()];
  }

  /** The last place of the output if no node has it now. */
  lastPlace(source: number): OutputPlace | undefined {
    return this.#nowhere.get(source);
  }

  /** Stops sending readers to this copy, because others have missed it. */
  giveUp(place: OutputPlace): void {
    const places = this.#outputs.get(place.source) ?? [];
    this.#lieAt(
      place.source,
      places.filter((one) => one !== place),
    );
  }

  /** Adds the copy's place; undefined if no reader needs the output any more. */
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
    // Readers without a nearer copy keep reading the newest original output.
    places.unshift(copy);
    return copy;
  }

  /** Forgets all outputs: the job is over, and the nodes remove them. */
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

  /** The nearest copy of the newest output: on the node itself, else in its rack, else any. */
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

/** A place of a task's output. */
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
  /** The tasks whose output the node no longer has. */
  readonly tasks: readonly TaskId[];
  readonly moved: readonly number[];
}
