import { describe, expect, test } from "vitest";
import { FetchError, type PhaseResult, type Reduction } from "../../../data/index.ts";
import { CopyStage } from "./copy.ts";
import { newProgressMemory, ProgressCell } from "./progress-cell.ts";

/** A reduction over outputs in memory: a path exists or does not. */
class Shelf implements Reduction {
  readonly missing: Set<number>;
  readonly tried: string[] = [];
  readonly #there: Set<string>;

  constructor(there: readonly string[], sources: number) {
    this.#there = new Set(there);
    this.missing = new Set(Array.from({ length: sources }, (_, source) => source));
  }

  async fetch({ source, path }: { readonly source: number; readonly path: string }): Promise<void> {
    this.tried.push(path);
    if (!this.#there.has(path)) throw new FetchError(source, path, "missing");
    this.missing.delete(source);
  }

  finish(): Promise<PhaseResult> {
    return Promise.reject(new Error("a copy stage does not finish the reduce"));
  }

  close(): void {}
}

function copyFrom(shelf: Shelf) {
  const progress = new ProgressCell(newProgressMemory());
  const told: string[] = [];
  let onTold: () => void = () => {};
  const firstTold = new Promise<void>((resolve) => {
    onTold = resolve;
  });
  const copy = new CopyStage({
    reduction: shelf,
    progress,
    report: ({ path }) => {
      told.push(path);
      onTold();
    },
  });
  return { copy, progress, told, firstTold };
}

describe("the copy stage of a reduce", () => {
  test("fetches the first outputs, and later ones while it waits", async () => {
    const shelf = new Shelf(["a", "b"], 2);
    const { copy, told } = copyFrom(shelf);
    copy.found([{ source: 0, path: "a" }]);
    const done = copy.run();
    setTimeout(() => copy.found([{ source: 1, path: "b" }]), 20);
    await done;
    expect(shelf.tried).toEqual(["a", "b"]);
    expect(told).toEqual([]);
  });

  test("lists outputs without a known place as missed, until it has them", async () => {
    const shelf = new Shelf(["a", "b"], 3);
    const { copy } = copyFrom(shelf);
    copy.found([{ source: 0, path: "a" }, { source: 1, path: "b" }, { source: 2 }]);
    expect(copy.missing([0, 1, 2])).toEqual([2]);
    copy.found([{ source: 1 }]);
    expect(copy.missing([0, 1])).toEqual([1]);
    shelf.missing.delete(1);
    expect(copy.missing([1])).toEqual([]);
  });

  test("reports an output after three tries, and fetches it from its new place", async () => {
    const shelf = new Shelf(["new"], 1);
    const { copy, told, firstTold } = copyFrom(shelf);
    copy.found([{ source: 0, path: "old" }]);
    const done = copy.run();
    await firstTold;
    copy.found([{ source: 0, path: "new" }]);
    await done;
    expect(told).toEqual(["old"]);
    expect(shelf.tried).toEqual(["old", "old", "old", "new"]);
  });

  test("does not fetch an output again, wherever it is now", async () => {
    const shelf = new Shelf(["a", "moved", "b"], 2);
    const { copy } = copyFrom(shelf);
    copy.found([{ source: 0, path: "a" }]);
    const done = copy.run();
    await new Promise((resolve) => setTimeout(resolve, 20));
    copy.found([
      { source: 0, path: "moved" },
      { source: 1, path: "b" },
    ]);
    await done;
    expect(shelf.tried).toEqual(["a", "b"]);
  });

  test("stops looking for an output that is nowhere", async () => {
    const shelf = new Shelf(["a", "new"], 2);
    const { copy } = copyFrom(shelf);
    copy.found([
      { source: 0, path: "a" },
      { source: 1, path: "old" },
    ]);
    copy.found([{ source: 1 }]);
    const done = copy.run();
    setTimeout(() => copy.found([{ source: 1, path: "new" }]), 20);
    await done;
    expect(shelf.tried).toEqual(["a", "new"]);
  });

  test("reports that it is alive but idle while it waits", async () => {
    const shelf = new Shelf(["a"], 1);
    const { copy, progress } = copyFrom(shelf);
    const done = copy.run();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = progress.read();
    expect(before.working).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(progress.read().beats).toBeGreaterThan(before.beats);
    copy.found([{ source: 0, path: "a" }]);
    await done;
    expect(progress.read().working).toBe(true);
  });

  test("ends with an error that is not about an output: the attempt has failed", async () => {
    const shelf = new Shelf(["a"], 1);
    shelf.fetch = () => Promise.reject(new Error("ENOSPC: no space left on device, write"));
    const { copy } = copyFrom(shelf);
    copy.found([{ source: 0, path: "a" }]);
    await expect(copy.run()).rejects.toThrow("ENOSPC");
  });
});
