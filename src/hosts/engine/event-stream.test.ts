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

  test("forgets a reader that has stopped", async () => {
    const stream = new EventStream<{ n: number }>();
    const reader = stream.read();
    stream.add(item(1));
    for await (const { n } of reader) if (n === 1) break;
    stream.add(item(2));
    expect(await all(reader)).toEqual([]);
  });
});
