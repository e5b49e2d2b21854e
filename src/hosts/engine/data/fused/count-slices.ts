import type { MapBytes } from "../../../../job/step.ts";
import { Groups } from "../../../../kernel/groups.ts";
import { CELL_BYTES, ENTRY_BYTES, KEYS, VALUES } from "../../../../kernel/kernel.ts";
import { keyBytesOf, keyOf } from "../memory/entries.ts";
import { putPartitions } from "../memory/put-run.ts";
import { RunFiles } from "../memory/run-files.ts";
import type { Workspace } from "../memory/workspace.ts";
import type { RunWriter } from "../run-writer.ts";
import { type FusedMap, type FusedResult, report } from "./fused-map.ts";
import { type LineBlock, LineBlocks } from "./line-blocks.ts";
import type { LineRange } from "./line-range.ts";

const BATCH = 1024;
const STRIDE = 8;
const SEED = Math.trunc(Math.random() * 2 ** 32);

/** How often each slice occurs that the user's own code names of the lines' bytes. */
export function countSlices(
  task: FusedMap,
  space: Workspace,
  range: LineRange,
  mapBytes: MapBytes,
): FusedResult | undefined {
  const { partitions } = task;
  const files = new RunFiles({ ...task, space, numbers: "count" });
  const blocks = new LineBlocks(space, range);
  const slices = new SliceCounts(space, mapBytes, () => files.spill(drain));
  const drain = (writer: RunWriter): void => slices.drainTo(writer, partitions);
  let records = 0;
  for (let block = blocks.next(); block !== undefined; block = blocks.next()) {
    const lines = slices.tryTake(block);
    if (lines === undefined) return undefined;
    records += lines;
    report(task, { records, bytesRead: range.bytesRead, bytesWritten: files.bytesSpilled });
  }
  if (!blocks.isAtEnd) return undefined;
  const result = files.finish(drain, slices.isEmpty);
  return { ...result, inputRecords: records, inputBytes: range.bytesRead };
}

class SliceCounts {
  readonly #space: Workspace;
  readonly #mapBytes: MapBytes;
  readonly #spill: () => void;
  readonly #groups: Groups;
  readonly #lines: number;
  readonly #cells: number;
  readonly #ids: number;
  /**
   * Places and bytes of slices that wait: outside of the memory, which may not grow, and so move,
   * while the user's code looks at a line.
   */
  #waiting = new Uint32Array(2 * BATCH);
  #count = 0;
  #isFit = true;
  /** Where the line starts in memory, and its bytes. */
  #line = 0;
  #bytes = 0;

  constructor(space: Workspace, mapBytes: MapBytes, spill: () => void) {
    const { kernel, memory } = space;
    this.#space = space;
    this.#mapBytes = mapBytes;
    this.#spill = spill;
    this.#lines = space.take(BATCH * ENTRY_BYTES);
    this.#cells = space.take(BATCH * CELL_BYTES);
    this.#ids = space.take(BATCH * 4);
    const options = { keys: "plain", seed: SEED, stride: STRIDE } as const;
    this.#groups = Groups.ofBytes(kernel, memory, options);
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  /** How many lines. Undefined: it gives up, and whoever goes on says what was wrong, if it was. */
  tryTake({ at, end }: LineBlock): number | undefined {
    const space = this.#space;
    let lines = 0;
    for (let from = at; from < end; ) {
      const count = space.kernel.lineEntries(from, end, this.#lines, BATCH, space.result);
      from = space.reached;
      for (let i = 0; i < count; i++) this.#takeLine(this.#lines + i * ENTRY_BYTES);
      lines += count;
    }
    this.#flush();
    return this.#isFit ? lines : undefined;
  }

  drainTo(writer: RunWriter, partitions: number): void {
    const entries = this.#groups.sorted(partitions > 1 ? partitions : undefined);
    const base = this.#groups.accumulators;
    const shape = { keys: KEYS.plain, values: VALUES.count, base, stride: STRIDE };
    putPartitions({ space: this.#space, entries, partitions, shape, writer });
    this.#groups.clear();
  }

  #takeLine(entry: number): void {
    if (!this.#isFit) return;
    this.#line = keyOf(this.#space, entry);
    this.#bytes = keyBytesOf(this.#space, entry);
    const line = this.#space.memory.bytes.subarray(this.#line, this.#line + this.#bytes);
    try {
      this.#mapBytes(line, 0, this.#bytes, this.#slice);
    } catch {
      // It is run again where the place of the line is known.
      this.#isFit = false;
    }
    if (this.#count >= BATCH) this.#flush();
  }

  readonly #slice = (start: number, end: number): void => {
    const isWithin = start >= 0 && start <= end && end <= this.#bytes;
    if (!isWithin || !this.#isCharacter(start) || !this.#isCharacter(end)) {
      this.#isFit = false;
      return;
    }
    if (2 * this.#count === this.#waiting.length) {
      const grown = new Uint32Array(2 * this.#waiting.length);
      grown.set(this.#waiting);
      this.#waiting = grown;
    }
    const cell = 2 * this.#count++;
    this.#waiting[cell] = this.#line + start;
    this.#waiting[cell + 1] = end - start;
  };

  /** Whether a character, and not a rest of one, begins there, or the line ends. */
  #isCharacter(at: number): boolean {
    if (at === this.#bytes) return true;
    return ((this.#space.memory.bytes[this.#line + at] ?? 0) & 0xc0) !== 0x80;
  }

  #flush(): void {
    for (let done = 0; done < this.#count; done += BATCH) {
      const some = this.#waiting.subarray(2 * done, 2 * Math.min(this.#count, done + BATCH));
      new Uint32Array(this.#space.memory.bytes.buffer, this.#cells, some.length).set(some);
      this.#add(some.length / 2);
    }
    this.#count = 0;
  }

  #add(count: number): void {
    const { kernel } = this.#space;
    for (let done = 0; done < count && this.#isFit; ) {
      const isFresh = this.#groups.size === 0;
      const ids = this.#ids + done * 4;
      const some = this.#groups.group(this.#cells + done * CELL_BYTES, count - done, ids);
      kernel.countIds(this.#groups.accumulators, STRIDE, ids, some);
      done += some;
      if (done === count) break;
      // A slice that an empty table has no room for.
      if (some === 0 && isFresh) this.#isFit = false;
      else this.#spill();
    }
  }
}
