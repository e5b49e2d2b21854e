import { expect } from "vitest";
import type { Why } from "../../../src/diagnose/document.ts";
import type { TraceJob } from "../../../src/history/model.ts";

/** A plain count of the job's time in which no attempt ran, apart from the fetching of results. */
export function idleMs({ phases, submittedAt, endedAt }: TraceJob): number {
  const changes: [at: number, by: number][] = [];
  for (const { attempts } of phases) {
    for (let row = 0; row < attempts.length; row++) {
      const result = attempts.resultAt[row] ?? Number.NaN;
      const until = Number.isNaN(result) ? (attempts.endedAt[row] ?? 0) : result;
      changes.push([attempts.startedAt[row] ?? 0, 1], [until, -1]);
    }
  }
  changes.sort(([a], [b]) => a - b);
  let [running, before, idle] = [0, submittedAt, 0];
  for (const [at, by] of [...changes, [endedAt, 0] as const]) {
    const now = Math.min(Math.max(at, submittedAt), endedAt);
    if (running === 0) idle += now - before;
    before = now;
    running += by;
  }
  return idle;
}

/** Parts and causes are the response, to the millisecond; idle time is that of a plain count. */
export function adds(why: Why, job: TraceJob, name: string): void {
  const sum = [...why.parts, ...why.causes].reduce((total, { ms }) => total + ms, 0);
  expect(Math.abs(sum - why.responseMs), `${name}: parts less response, ms`).toBeLessThan(0.01);
  const { ms, driverMs, noSlotMs, launchingMs } = why.idle;
  expect(Math.abs(ms - idleMs(job)), `${name}: idle time, ms`).toBeLessThan(0.01);
  const parts = driverMs + noSlotMs + launchingMs;
  expect(Math.abs(parts - ms), `${name}: parts of the idle time, ms`).toBeLessThan(0.01);
  for (const { part, ms } of why.parts) expect(ms, `${name}: ${part}`).toBeGreaterThan(-0.01);
}
