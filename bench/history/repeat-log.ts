import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";

type Event = Record<string, unknown>;

/** How far the numbers and times of one repetition lie behind those of the one before it. */
interface Stride {
  readonly ms: number;
  readonly jobs: number;
  readonly stages: number;
  readonly tasks: number;
}

const IDS: ReadonlyMap<string, keyof Stride> = new Map([
  ["Job ID", "jobs"],
  ["Stage ID", "stages"],
  ["Stage IDs", "stages"],
  ["Parent IDs", "stages"],
  ["Task ID", "tasks"],
]);
const TIMES: ReadonlySet<string> = new Set([
  "Launch Time",
  "Finish Time",
  "Getting Result Time",
  "Submission Time",
  "Completion Time",
]);
const REPEATED = /^SparkListener(Job|Stage|Task)/;

/**
 * Writes an event log of Spark whose jobs are those of `from`, one series after another, until the
 * file has `bytes` bytes. Returns the number of attempts.
 */
export async function repeatLog(from: string, to: string, bytes: number): Promise<number> {
  const lines = readFileSync(from, "utf8").split("\n").filter(Boolean);
  const events = lines.map((line): Event => JSON.parse(line));
  const kind = (event: Event): string => String(event.Event);
  const series = lines.filter((_, n) => REPEATED.test(kind(events[n] ?? {})));
  const isEnd = (event: Event) => kind(event) === "SparkListenerApplicationEnd";
  const others = lines.filter((_, n) => {
    const event = events[n] ?? {};
    return !REPEATED.test(kind(event)) && !isEnd(event);
  });
  const stride = strideOf(series);
  const ends = series.filter((line) => line.includes("SparkListenerTaskEnd")).length;
  const out = createWriteStream(to);
  const write = async (line: string): Promise<number> => {
    if (!out.write(`${line}\n`)) await once(out, "drain");
    return line.length + 1;
  };
  let size = 0;
  let attempts = 0;
  for (const line of others) size += await write(line);
  for (let n = 0; size < bytes; n++) {
    for (const line of series) size += await write(moved(line, stride, n));
    attempts += ends;
  }
  out.end();
  await once(out, "finish");
  return attempts;
}

function strideOf(series: readonly string[]): Stride {
  const most = { ms: 0, jobs: 0, stages: 0, tasks: 0 };
  let first = Number.POSITIVE_INFINITY;
  for (const line of series) {
    JSON.parse(line, (key, value: unknown) => {
      if (typeof value === "number" && TIMES.has(key) && value > 0) {
        first = Math.min(first, value);
        most.ms = Math.max(most.ms, value);
      }
      const id = IDS.get(key);
      if (id !== undefined && typeof value === "number") most[id] = Math.max(most[id], value + 1);
      return value;
    });
  }
  return { ...most, ms: most.ms - first + 100 };
}

/** The line in repetition n; the first one is as it was, to the byte. */
function moved(line: string, stride: Stride, n: number): string {
  if (n === 0) return line;
  const event: unknown = JSON.parse(line, (key, value: unknown) => {
    const id = IDS.get(key);
    const by = TIMES.has(key) ? "ms" : id;
    if (by === undefined) return value;
    const move = (one: unknown) =>
      typeof one === "number" && one >= 0 && (by !== "ms" || one > 0) ? one + n * stride[by] : one;
    return Array.isArray(value) ? value.map(move) : move(value);
  });
  return JSON.stringify(event);
}
