import { describe, expect, test } from "vitest";
import { EventStream } from "./event-stream.ts";

const item = (n: number) => ({ n });

async function all(reader: AsyncIterable<{ n: number }>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { n } of reader) seen.push(n);
  return seen;
}

describe("a stream of events", () => {
  test("gives each reader all events since it began, in order", async () => {
    const stream = new EventStream<{ n: number }>();
    stream.add(item(0));
    const early = stream.read();
    stream.add(item(1));
    const late = stream.read();
    stream.add(item(2));
    stream.end();
    expect(await all(early)).toEqual([1, 2]);
    expect(await all(late)).toEqual([2]);
  });

  test("wakes waiting readers, and ends for them", async () => {
    const stream = new EventStream<{ n: number }>();
    const seen = all(stream.read());
    await Promise.resolve();
    stream.add(item(1));
    await Promise.resolve();
    stream.add(item(2));
    stream.end();
    expect(await seen).toEqual([1, 2]);
  });

  test("is over for readers that begin after its end", async () => {
    const stream = new EventStream<{ n: number }>();
    stream.end();
    expect(await all(stream.read())).toEqual([]);
  });

  test("says what happened at its end to each reader, once", async () => {
    let ends = 0;
    const stream = new EventStream<{ n: number }>(() => {
      ends += 1;
      throw new Error("failed");
    });
    const [waits, lags] = [stream.read(), stream.read()];
    const waiting = waits.next();
    expect(stream.isRead).toBe(true);
    stream.add(item(1));
    stream.end();
    expect(stream.isRead).toBe(false);
    expect(await waiting).toEqual({ value: item(1), done: false });
    await expect(all(lags)).rejects.toThrow("failed");
    await expect(waits.next()).rejects.toThrow("failed");
    expect(await waits.next()).toEqual({ value: undefined, done: true });
    expect(ends).toBe(2);
    await expect(all(stream.read())).rejects.toThrow("failed");
  });

  test("says it to a reader that leaves after the end, not to one that left before", async () => {
    const stream = new EventStream<{ n: number }>(() => {
      throw new Error("failed");
    });
    const [left, late] = [stream.read(), stream.read()];
    await left.return?.();
    expect(stream.isRead).toBe(true);
    stream.add(item(1));
    stream.end();
    expect(await left.next()).toEqual({ value: undefined, done: true });
    await expect(late.return?.()).rejects.toThrow("failed");
  });

  test("forgets a reader that has stopped", async () => {
    const stream = new EventStream<{ n: number }>();
    const reader = stream.read();
    stream.add(item(1));
    for await (const { n } of reader) if (n === 1) break;
    stream.add(item(2));
    expect(await all(reader)).toEqual([]);
  });
});
