import { expect, test } from "vitest";
import type { FlowOwner } from "./flow-owner.ts";
import { Fluid } from "./fluid/fluid.ts";
import { PageCache } from "./page-cache.ts";

/** A disk of 50 bytes a millisecond behind memory for 1,000. */
function cacheOverDisk() {
  const fluid = new Fluid<FlowOwner>();
  const disk = fluid.addResource("disk", 50);
  const cache = new PageCache(fluid, disk, { unwrittenBytesMax: 1_000, bytesPerMs: 1_000 });
  /** Lets time pass and due writes end. Returns the times of the ends. */
  let now = 0;
  const until = (time: number): readonly number[] => {
    const ends: number[] = [];
    for (;;) {
      const next = fluid.nextCompletion(now);
      if (next > time) {
        now = time;
        return ends;
      }
      now = next;
      for (const flow of fluid.takeCompleted(now)) fluid.ownerOf(flow).flowEnded(flow);
      ends.push(now);
    }
  };
  return { fluid, disk, cache, until };
}

test("written data frees its room at the pace of the disk", () => {
  const { cache, until } = cacheOverDisk();
  cache.take(600, 0);
  until(4);
  expect(cache.room(0)).toBe(400);
  expect(cache.room(4)).toBe(600);
  expect(until(100)).toEqual([12]);
  expect(cache.room(12)).toBe(1_000);
});

test("its writes share the disk with readers, as one stream", () => {
  const { fluid, disk, cache, until } = cacheOverDisk();
  const reader = { flowEnded: () => {}, rateChanged: () => {} };
  fluid.start(0, { tag: reader, uses: [disk], size: 200 });
  cache.take(300, 0);
  cache.take(300, 0);
  // 25 each until the reader has its 200, then 50.
  expect(until(100)).toEqual([8, 16]);
});

test("the oldest data is written first, and deleted data never reaches the disk", () => {
  const { cache, until } = cacheOverDisk();
  const spill = {};
  const output = {};
  cache.take(600, 0, spill);
  cache.take(300, 0, output);
  until(4);
  // 200 of the spill are on the disk.
  cache.forget(spill, 4);
  expect(cache.room(4)).toBe(700);
  cache.forget(spill, 4);
  expect(until(100)).toEqual([10]);
});

test("deleting partly written data saves only the rest", () => {
  const { cache, until } = cacheOverDisk();
  const first = {};
  const second = {};
  cache.take(100, 0, first);
  cache.take(300, 0, second);
  until(4);
  // The first 100 bytes and 100 of the others are on the disk.
  cache.forget(first, 4);
  expect(cache.room(4)).toBe(800);
  cache.take(50, 4);
  cache.forget(second, 4);
  expect(cache.room(4)).toBe(950);
  expect(until(100)).toEqual([5]);
});

test("no byte is written twice", () => {
  const { cache, until } = cacheOverDisk();
  cache.take(100, 0);
  expect(until(10)).toEqual([2]);
  cache.take(100, 10);
  expect(until(100)).toEqual([12]);
});

test("data that is not deleted stays", () => {
  const { cache, until } = cacheOverDisk();
  cache.take(100, 0);
  cache.forget({}, 0);
  expect(until(100)).toEqual([2]);
});

test("a program that writes without end leaves no room; when it stops, memory is full", () => {
  const { cache, until } = cacheOverDisk();
  cache.take(300, 0);
  cache.crowd(1);
  until(2);
  expect(cache.room(2)).toBe(0);
  cache.uncrowd(1, 2);
  expect(cache.room(2)).toBe(0);
  until(6);
  expect(cache.room(6)).toBe(200);
});
