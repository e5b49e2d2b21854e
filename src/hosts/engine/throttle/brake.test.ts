import { describe, expect, test } from "vitest";
import { Brake, PERIOD_MS } from "./brake.ts";

interface Process {
  /** CPU per ms that the process takes while it may run; it may take less. */
  readonly rate: number;
  readonly working: number;
  readonly peerRate: number | undefined;
}

/** Brakes a process for `periods`, and returns the share of the wall time that it got as CPU. */
function cpuShare(factor: number, process: Process, periods = 200): number {
  const brake = new Brake(factor);
  let allowedMs = PERIOD_MS / factor;
  let totalMs = 0;
  for (let period = 0; period < periods; period++) {
    const cpuMs = process.rate * allowedMs;
    const { working, peerRate } = process;
    allowedMs = brake.window({ elapsedMs: PERIOD_MS, cpuMs, allowedMs, working, peerRate });
    totalMs += cpuMs;
  }
  return totalMs / (periods * PERIOD_MS);
}

describe("a slowed process", () => {
  test.each([2, 4, 10])(
    "alone on the machine gets 1/%d of what it takes when let run",
    (factor) => {
      const share = cpuShare(factor, { rate: 1, working: 1, peerRate: undefined });
      expect(share).toBeCloseTo(1 / factor, 2);
    },
  );

  test.each([2, 4, 10])(
    "beside others gets 1/%d of what they get, though it runs faster when let run",
    (factor) => {
      const share = cpuShare(factor, { rate: 1, working: 1, peerRate: 0.6 });
      expect(share).toBeCloseTo(0.6 / factor, 2);
    },
  );

  test("also when it runs slower than its peers while it may run", () => {
    const share = cpuShare(4, { rate: 0.3, working: 1, peerRate: 0.6 });
    expect(share).toBeCloseTo(0.6 / 4, 2);
  });

  test("with two attempts gets twice the share of one", () => {
    const share = cpuShare(4, { rate: 1, working: 2, peerRate: 0.6 });
    expect(share).toBeCloseTo((2 * 0.6) / 4, 2);
  });

  test("accounts for the CPU time that it would have got and that it got", () => {
    const brake = new Brake(4);
    for (let period = 0; period < 10; period++) {
      brake.window({ elapsedMs: 100, cpuMs: 15, allowedMs: 20, working: 1, peerRate: 0.6 });
    }
    expect(brake.account.gotMs).toBe(150);
    expect(brake.account.unslowedMs).toBeCloseTo(600);
  });

  test("that waits may run 1/factor of the time, and saves up nothing", () => {
    const brake = new Brake(4);
    const idle = { elapsedMs: 100, cpuMs: 0, allowedMs: 25, working: 0, peerRate: 0.6 };
    for (let period = 0; period < 50; period++) expect(brake.window(idle)).toBe(25);
    expect(brake.account).toEqual({ unslowedMs: 0, gotMs: 0 });
    const first = brake.window({ ...idle, working: 1, cpuMs: 15 });
    expect(first).toBeLessThan(30);
  });

  test("runs and stops in every period", () => {
    const slow = new Brake(1000);
    const greedy = { elapsedMs: 100, cpuMs: 90, allowedMs: 95, working: 1, peerRate: 0.1 };
    expect(slow.window(greedy)).toBeGreaterThan(0);
    const light = new Brake(1.01);
    const starved = { elapsedMs: 100, cpuMs: 0, allowedMs: 95, working: 1, peerRate: 1 };
    expect(light.window(starved)).toBeLessThan(PERIOD_MS);
  });
});
