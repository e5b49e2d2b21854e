import { NONE } from "../../base/columns.ts";
import { type AttemptId, type NodeId, nodeId, type TaskId, taskId } from "../../model/ids.ts";

/** Attempts of consecutive ids. */
interface Chunk {
  /** By attempt, in a row of four bytes each: the fields below. */
  readonly rows: Int32Array;
  /** The number of known attempts. */
  count: number;
}

const CHUNK = 4_096;

// The fields of a row.
const TASK = 0;
/** The attempt's place among the attempts of its task. */
const INDEX = 1;
const NODE = 2;
/** The attempt's place in the list of its node's open attempts; NONE once it has ended. */
const OPEN_PLACE = 3;
const BITS = 2;

/**
 * The data that attempts' names are made from, by id: 16 bytes each. Ids are added in their order,
 * and most attempts of a job are deleted at once, at its end.
 */
export class NamedAttempts {
  readonly #chunks: (Chunk | undefined)[] = [];
  /** The attempts of each node that have not ended. */
  readonly #open = new Map<NodeId, AttemptId[]>();

  /** Adds an open attempt. `index`: its place among the attempts of the task. */
  add(id: AttemptId, task: TaskId, index: number, node: NodeId): void {
    const n = Math.floor(id / CHUNK);
    while (this.#chunks.length < n) this.#chunks.push(undefined);
    const chunk = this.#chunks[n] ?? { rows: new Int32Array(CHUNK << BITS).fill(NONE), count: 0 };
    this.#chunks[n] = chunk;
    const open = this.#open.get(node) ?? [];
    if (open.length === 0) this.#open.set(node, open);
    const at = rowOf(id);
    chunk.rows[at + TASK] = task;
    chunk.rows[at + INDEX] = index;
    chunk.rows[at + NODE] = node;
    chunk.rows[at + OPEN_PLACE] = open.length;
    chunk.count += 1;
    open.push(id);
  }

  has(id: AttemptId): boolean {
    return this.#field(id, TASK) !== NONE;
  }

  task(id: AttemptId): TaskId | undefined {
    const task = this.#field(id, TASK);
    return task === NONE ? undefined : taskId(task);
  }

  /** The place of a known attempt among the attempts of its task. */
  index(id: AttemptId): number {
    return this.#field(id, INDEX);
  }

  isOpen(id: AttemptId): boolean {
    return this.#field(id, OPEN_PLACE) !== NONE;
  }

  /** The attempts on the node that have not ended. */
  openOn(node: NodeId): readonly AttemptId[] {
    return this.#open.get(node) ?? [];
  }

  /** The last of the node's open attempts takes the place of the one that ends. */
  end(id: AttemptId): void {
    const place = this.#field(id, OPEN_PLACE);
    const open = this.#open.get(nodeId(this.#field(id, NODE)));
    const last = place === NONE ? undefined : open?.pop();
    if (open === undefined || last === undefined) return;
    if (last !== id) {
      open[place] = last;
      this.#setOpenPlace(last, place);
    }
    this.#setOpenPlace(id, NONE);
  }

  delete(id: AttemptId): void {
    const n = Math.floor(id / CHUNK);
    const chunk = this.#chunks[n];
    if (chunk === undefined || !this.has(id)) return;
    this.end(id);
    chunk.rows[rowOf(id) + TASK] = NONE;
    chunk.count -= 1;
    if (chunk.count === 0) this.#chunks[n] = undefined;
  }

  /** NONE for the task and the place of an attempt that is not known. */
  #field(id: AttemptId, field: number): number {
    return this.#chunks[Math.floor(id / CHUNK)]?.rows[rowOf(id) + field] ?? NONE;
  }

  #setOpenPlace(id: AttemptId, place: number): void {
    const chunk = this.#chunks[Math.floor(id / CHUNK)];
    if (chunk !== undefined) chunk.rows[rowOf(id) + OPEN_PLACE] = place;
  }
}

const rowOf = (id: AttemptId): number => (id % CHUNK) << BITS;
