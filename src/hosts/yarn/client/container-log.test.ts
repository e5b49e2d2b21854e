import { expect, test } from "vitest";
import { LogFollower, logEndOf } from "./container-log.ts";

/** As NodeManagers of Hadoop 3.5 answer. */
function answer(file: Buffer, bytes: number): Buffer {
  const about = `Container: container_1_0001_01_000001 on n2:45454
LogAggregationType: LOCAL
=============================================================
LogType:broomwagon-decisions.ndjson
LogLastModifiedTime:Sun Nov 22 01:13:36 +0000 2026
LogLength:${file.length}
LogContents:
`;
  const remark = `End of LogType:broomwagon-decisions.ndjson. This log file belongs to a running (c)
***
`;
  const end = file.subarray(Math.max(0, file.length - bytes));
  return Buffer.concat([Buffer.from(about), end, Buffer.from(remark)]);
}

/** A log, and the number of bytes that were requested. */
class GrowingLog {
  file = Buffer.alloc(0);
  readonly asked: number[] = [];

  add(text: string): void {
    this.file = Buffer.concat([this.file, Buffer.from(text)]);
  }

  readonly read = async (bytes: number) => {
    this.asked.push(bytes);
    return logEndOf(answer(this.file, bytes), bytes);
  };
}

test("a log's end is as long as the answer says, whatever it contains", () => {
  const file = Buffer.from("é\nLogContents:\nEnd of LogType:\n");
  expect(logEndOf(answer(file, 100), 100)).toEqual({ fileBytes: file.length, contents: file });
  expect(logEndOf(answer(file, 3), 3)?.contents.toString()).toBe("e:\n");
  expect(logEndOf(Buffer.from("Can not find logs for container:c"), 9)).toBeUndefined();
});

test("each line of a growing log is read once and whole, the last line at once", async () => {
  const log = new GrowingLog();
  const follower = new LogFollower();
  expect(await follower.newLines(log.read)).toEqual({ lines: [], passedOverBytes: 0 });
  log.add("one\ntwö\nthr");
  expect((await follower.newLines(log.read)).lines).toEqual(["one", "twö"]);
  expect((await follower.newLines(log.read)).lines).toEqual([]);
  log.add("ee\n");
  expect((await follower.newLines(log.read)).lines).toEqual(["three"]);
});

test("the requested bytes do not grow with the log", async () => {
  const log = new GrowingLog();
  const follower = new LogFollower();
  const line = (index: number): string => `${String(index).padStart(99, "0")}\n`;
  const all: string[] = [];
  for (let index = 0; index < 2_000; index++) {
    log.add(line(index));
    all.push(...(await follower.newLines(log.read)).lines);
  }
  expect(all).toEqual(Array.from({ length: 2_000 }, (_, index) => line(index).slice(0, -1)));
  expect(Math.max(...log.asked)).toBe(16 * 1024);
  log.add(Array.from({ length: 1_000 }, (_, index) => line(index)).join(""));
  expect((await follower.newLines(log.read)).lines).toHaveLength(1_000);
  expect(log.asked.at(-1)).toBe(100_000 + 16 * 1024);
});

test("if there is more than can be read at once, older lines are skipped and counted", async () => {
  const log = new GrowingLog();
  const follower = new LogFollower();
  log.add("first\n");
  await follower.newLines(log.read);
  const line = `${"x".repeat(999)}\n`;
  log.add(line.repeat(9_000));
  const { lines, passedOverBytes } = await follower.newLines(log.read);
  expect(lines.every((each) => each.length === 999)).toBe(true);
  expect(passedOverBytes + lines.length * 1_000).toBe(9_000_000);
  expect(passedOverBytes).toBeGreaterThan(0);
  log.add("last\n");
  expect(await follower.newLines(log.read)).toEqual({ lines: ["last"], passedOverBytes: 0 });
});
