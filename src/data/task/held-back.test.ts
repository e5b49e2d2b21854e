import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../../test/support/data-path.ts";
import { runFlow } from "../../../test/support/run-flow.ts";
import { type Call, count, defineFlow, text, tsv } from "../../job/index.ts";
import type { ProgressListener, TaskProgress } from "./progress.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

const into = (reports: TaskProgress[]): ProgressListener => ({
  progressed: (now) => void reports.push(now),
});

describe("a step that waits for calls", () => {
  /** A gate for all calls but the first `free`. */
  function gated(free: number) {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const call = async (line: string, { index }: Call): Promise<string> => {
      if (index >= free) await opened;
      return line;
    };
    return { call, open };
  }

  /** Nothing more happens: everything that can be done without the calls is done. */
  async function quiet(look: () => number): Promise<number> {
    for (let before = -1, now = look(); ; now = look()) {
      if (now === before) return now;
      before = now;
      for (let turns = 0; turns < 50; turns++) await turn();
    }
  }

  test("holds back the steps before it, however many records there are", async () => {
    const { call, open } = gated(100);
    let mapped = 0;
    const flow = defineFlow("held", (f) => {
      f.read("lines", text())
        .map((line) => {
          mapped++;
          return line;
        })
        .mapAsync(call, { concurrency: 4 })
        .write(text());
    });
    const ended = runFlow(bench, flow, { "a.txt": "line\n".repeat(5_000) });
    // Of 100 free calls and 4 that wait, results may wait too: eight records for each call.
    expect(await quiet(() => mapped)).toBeLessThanOrEqual(100 + 8 * 4 + 1);
    open();
    await ended;
    expect(mapped).toBe(5_000);
  });

  test("holds back a generator within one record", async () => {
    const { call, open } = gated(10);
    let made = 0;
    const flow = defineFlow("generated", (f) => {
      f.read("lines", text())
        .flatMap(function* (line) {
          for (; made < 2_000; made++) yield `${line} ${made}`;
        })
        .mapAsync(call, { concurrency: 2 })
        .write(text());
    });
    const ended = runFlow(bench, flow, { "a.txt": "one\n" });
    expect(await quiet(() => made)).toBeLessThanOrEqual(10 + 8 * 2 + 1);
    open();
    await ended;
    expect(made).toBe(2_000);
  });

  test("holds back the calls of a step before it", async () => {
    const { call, open } = gated(10);
    let first = 0;
    const flow = defineFlow("two", (f) => {
      f.read("lines", text())
        .mapAsync(
          async (line) => {
            first++;
            return line;
          },
          { concurrency: 3 },
        )
        .mapAsync(call, { concurrency: 2 })
        .write(text());
    });
    const ended = runFlow(bench, flow, { "a.txt": "line\n".repeat(5_000) });
    expect(await quiet(() => first)).toBeLessThanOrEqual(10 + 8 * 2 + 8 * 3 + 2);
    open();
    await ended;
    expect(first).toBe(5_000);
  });

  test("reports the records that have passed, and their share of the input", async () => {
    const reports: TaskProgress[] = [];
    const flow = defineFlow("reports", (f) => {
      f.read("lines", text())
        .mapAsync(async (line) => {
          // Longer than the time between two reports.
          await sleep(25);
          return line;
        })
        .write(text());
    });
    await runFlow(bench, flow, { "a.txt": "line\n".repeat(10) }, { progress: into(reports) });
    const seen = reports.filter(({ records }) => records > 0 && records < 10);
    expect(seen.length).toBeGreaterThan(3);
    for (const { records, score, bytesRead } of seen) {
      expect(score).toBeCloseTo(records / 10);
      expect(bytesRead).toBe(5 * records);
    }
    expect(reports.at(-1)).toMatchObject({ records: 10, score: 1, bytesRead: 50 });
  });

  test("reports the share of kept records, too", async () => {
    const reports: TaskProgress[] = [];
    const flow = defineFlow("kept", (f) => {
      f.read("lines", text())
        .keyBy()
        .fold("counts", count())
        .mapAsync(async (pair) => {
          await sleep(25);
          return pair;
        })
        .write(tsv());
    });
    const ten = Array.from({ length: 10 }, (_, i) => `line ${i}\n`).join("");
    await runFlow(bench, flow, { "a.txt": ten }, { progress: into(reports) });
    const calls = reports.slice(reports.findIndex(({ stage }) => stage === 2));
    const shares = calls.filter(({ stage, score }) => stage === 0 && score > 0 && score < 1);
    expect(shares.length).toBeGreaterThan(3);
    for (const { records, score } of shares) expect(score).toBeCloseTo(records / 10);
  });
});
