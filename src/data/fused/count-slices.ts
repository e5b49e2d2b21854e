import type { MapBytes } from "../../job/step.ts";
import { ENTRY_BYTES } from "../kernel/kernel.ts";
import { keyBytesOf, keyOf } from "../memory/entries.ts";
import { type Drain, RunFiles } from "../memory/run-files.ts";
import type { Workspace } from "../memory/workspace.ts";
import { BATCH, CellCounts } from "./cell-counts.ts";
import type { OfLines } from "./fuse-narrow.ts";
import { type FusedMap, type FusedResult, report } from "./fused-map.ts";
import { type LineBlock, LineBlocks } from "./line-blocks.ts";
import { LineFinder } from "./line-finder.ts";
import type { LineRange } from "./line-range.ts";

export interface CountSlices extends OfLines {
  readonly mapBytes: MapBytes;
}

/** Counts how often each slice occurs; the user's own code names slices of the lines' bytes. */
export function countSlices(
  task: FusedMap,
  space: Workspace,
  range: LineRange,
  { mapBytes, where }: CountSlices,
): FusedResult | undefined {
  const { partitions } = task;
  const files = new RunFiles({ ...task, space, numbers: "count" });
  const blocks = new LineBlocks(space, range);
  const slices = new SliceCounts(space, { mapBytes, where }, () => files.spill(drain));
  const drain: Drain = (writer, order) => {
    slices.counts.drainTo(writer, partitions, order);
  };
  let records = 0;
  for (let block = blocks.next(); block !== undefined; block = blocks.next()) {
    if (!slices.tryTake(block)) return undefined;
    records += space.kernel.countLines(block.at, block.end);
    report(task, { records, bytesRead: range.bytesRead, bytesWritten: files.bytesSpilled });
  }
  if (!blocks.isAtEnd) return undefined;
  const result = files.finish(drain, slices.counts.size === 0);
  return { ...result, inputRecords: records, inputBytes: range.bytesRead };
}

class SliceCounts {
  readonly counts: CellCounts;
  readonly #space: Workspace;
  readonly #mapBytes: MapBytes;
  readonly #finder: LineFinder;
  /**
   * Places and bytes of waiting slices: outside the kernels' memory, which may grow, and so move,
   * only while the user's code is not looking at a line.
   */
  #waiting = new Uint32Array(2 * BATCH);
  #count = 0;
  #isRegular = true;
  /** The line's start in memory, and its bytes. */
  #line = 0;
  #bytes = 0;

  constructor(space: Workspace, { mapBytes, where }: CountSlices, spill: () => void) {
    this.#space = space;
    this.#mapBytes = mapBytes;
    this.#finder = new LineFinder(space, where);
    this.counts = new CellCounts(space, spill);
  }

  /**
   * Returns false to give up; the general path then continues, and finds the error if there is one.
   */
  tryTake(block: LineBlock): boolean {
    const finder = this.#finder;
    finder.each(block, (count) => {
      for (let i = 0; i < count; i++) this.#takeLine(finder.entries + i * ENTRY_BYTES);
    });
    this.#flush();
    return this.#isRegular;
  }

  #takeLine(entry: number): void {
    if (!this.#isRegular) return;
    this.#line = keyOf(this.#space, entry);
    this.#bytes = keyBytesOf(this.#space, entry);
    const line = this.#space.memory.bytes.subarray(this.#line, this.#line + this.#bytes);
    try {
      this.#mapBytes(line, 0, this.#bytes, this.#slice);
    } catch {
      // The general path calls the user's code again, where the place of the line is known.
      this.#isRegular = false;
    }
    if (this.#count >= BATCH) this.#flush();
  }

  readonly #slice = (start: number, end: number): void => {
    const isWithin = start >= 0 && start <= end && end <= this.#bytes;
    if (!isWithin || !this.#isCharacter(start) || !this.#isCharacter(end)) {
      this.#isRegular = false;
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

  /** Whether a character, not the rest of one, begins there, or the line ends. */
  #isCharacter(at: number): boolean {
    if (at === this.#bytes) return true;
    return ((this.#space.memory.bytes[this.#line + at] ?? 0) & 0xc0) !== 0x80;
  }

  #flush(): void {
    for (let done = 0; done < this.#count; done += BATCH) {
      const some = this.#waiting.subarray(2 * done, 2 * Math.min(this.#count, done + BATCH));
      this.counts.cells.set(some);
      if (!this.counts.tryAdd(some.length / 2)) this.#isRegular = false;
    }
    this.#count = 0;
  }
}
