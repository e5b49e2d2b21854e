import { describe, expect, test } from "vitest";
import { FetchError, type PartFile, type Reduction } from "../data/index.ts";
import { CopyStage } from "./copy.ts";
import { newProgressMemory, ProgressCell } from "./progress-cell.ts";

/** A reduction over outputs that are in memory: a path is there or is not. */
class Shelf implements Reduction {
  readonly fetched = new Set<number>();
  readonly tried: string[] = [];
  readonly #there: Set<string>;

  constructor(there: readonly string[]) {
    this.#there = new Set(there);
  }

  async fetch({ map, path }: { readonly map: number; readonly path: string }): Promise<void> {
    this.tried.push(path);
    if (!this.#there.has(path)) throw new FetchError(map, path, "missing");
    this.fetched.add(map);
  }

  finish(): Promise<PartFile> {
    return Promise.reject(new Error("a copy stage does not finish the reduce"));
  }
}

function copyFrom(shelf: Shelf, maps: number) {
  const progress = new ProgressCell(newProgressMemory());
  const told: string[] = [];
  let onTold: () => void = () => {};
  const firstTold = new Promise<void>((resolve) => {
    onTold = resolve;
  });
  const copy = new CopyStage({
    reduction: shelf,
    maps,
    progress,
    tell: ({ path }) => {
      told.push(path);
      onTold();
    },
  });
  return { copy, progress, told, firstTold };
}

describe("the copy stage of a reduce", () => {
  test("fetches what is there at first, and what comes while it waits", async () => {
    const shelf = new Shelf(["a", "b"]);
    const { copy, told } = copyFrom(shelf, 2);
    copy.found([{ map: 0, path: "a" }]);
    const done = copy.run();
    setTimeout(() => copy.found([{ map: 1, path: "b" }]), 20);
    await done;
    expect(shelf.tried).toEqual(["a", "b"]);
    expect(told).toEqual([]);
  });

  test("tells of an output after three tries, and takes it from where it is then", async () => {
    const shelf = new Shelf(["new"]);
    const { copy, told, firstTold } = copyFrom(shelf, 1);
    copy.found([{ map: 0, path: "old" }]);
    const done = copy.run();
    await firstTold;
    copy.found([{ map: 0, path: "new" }]);
    await done;
    expect(told).toEqual(["old"]);
    expect(shelf.tried).toEqual(["old", "old", "old", "new"]);
  });

  test("does not fetch again what it has, wherever that is now", async () => {
    const shelf = new Shelf(["a", "moved", "b"]);
    const { copy } = copyFrom(shelf, 2);
    copy.found([{ map: 0, path: "a" }]);
    const done = copy.run();
    await new Promise((resolve) => setTimeout(resolve, 20));
    copy.found([
      { map: 0, path: "moved" },
      { map: 1, path: "b" },
    ]);
    await done;
    expect(shelf.tried).toEqual(["a", "b"]);
  });

  test("does not look any more for what is nowhere", async () => {
    const shelf = new Shelf(["a", "new"]);
    const { copy } = copyFrom(shelf, 2);
    copy.found([
      { map: 0, path: "a" },
      { map: 1, path: "old" },
    ]);
    copy.found([{ map: 1 }]);
    const done = copy.run();
    setTimeout(() => copy.found([{ map: 1, path: "new" }]), 20);
    await done;
    expect(shelf.tried).toEqual(["a", "new"]);
  });

  test("shows that it lives, and that it does not work, while it waits", async () => {
    const shelf = new Shelf(["a"]);
    const { copy, progress } = copyFrom(shelf, 1);
    const done = copy.run();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = progress.read();
    expect(before.working).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(progress.read().beats).toBeGreaterThan(before.beats);
    copy.found([{ map: 0, path: "a" }]);
    await done;
    expect(progress.read().working).toBe(true);
  });

  test("ends with an error that is not about an output: the attempt has failed", async () => {
    const shelf = new Shelf(["a"]);
    shelf.fetch = () => Promise.reject(new Error("ENOSPC: no space left on device, write"));
    const { copy } = copyFrom(shelf, 1);
    copy.found([{ map: 0, path: "a" }]);
    await expect(copy.run()).rejects.toThrow("ENOSPC");
  });
});
