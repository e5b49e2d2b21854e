import { type AttemptId, type NodeId, nodeId, type TaskId, taskId } from "../../model/ids.ts";

export interface NamedAttempt {
  readonly task: TaskId;
  /** Its place among the attempts of the task. */
  readonly index: number;
  readonly node: NodeId;
}

const CHUNK = 4_096;
const NONE = -1;

/** Attempts of consecutive ids. */
interface Chunk {
  readonly tasks: Int32Array;
  readonly indexes: Int32Array;
  readonly nodes: Int32Array;
  /** How many of them are known. */
  count: number;
}

/**
 * What names say of attempts, by their ids: 12 bytes each. Ids are added in their order, and most
 * attempts of a job are deleted at once, at its end.
 */
export class NamedAttempts {
  readonly #chunks: (Chunk | undefined)[] = [];

  add(id: AttemptId, { task, index, node }: NamedAttempt): void {
    const n = Math.floor(id / CHUNK);
    while (this.#chunks.length < n) this.#chunks.push(undefined);
    const chunk = this.#chunks[n] ?? emptyChunk();
    this.#chunks[n] = chunk;
    const at = id % CHUNK;
    chunk.tasks[at] = task;
    chunk.indexes[at] = index;
    chunk.nodes[at] = node;
    chunk.count += 1;
  }

  find(id: AttemptId): NamedAttempt | undefined {
    const chunk = this.#chunks[Math.floor(id / CHUNK)];
    const at = id % CHUNK;
    const task = chunk?.tasks[at] ?? NONE;
    if (chunk === undefined || task === NONE) return undefined;
    return {
      task: taskId(task),
      index: chunk.indexes[at] ?? 0,
      node: nodeId(chunk.nodes[at] ?? 0),
    };
  }

  delete(id: AttemptId): void {
    const n = Math.floor(id / CHUNK);
    const chunk = this.#chunks[n];
    const at = id % CHUNK;
    if (chunk === undefined || chunk.tasks[at] === NONE) return;
    chunk.tasks[at] = NONE;
    chunk.count -= 1;
    if (chunk.count === 0) this.#chunks[n] = undefined;
  }
}

const emptyChunk = (): Chunk => ({
  tasks: new Int32Array(CHUNK).fill(NONE),
  indexes: new Int32Array(CHUNK),
  nodes: new Int32Array(CHUNK),
  count: 0,
});
