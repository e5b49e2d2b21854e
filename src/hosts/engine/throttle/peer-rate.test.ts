import { describe, expect, test } from "vitest";
import { PeerRate } from "./peer-rate.ts";

/** A process that takes CPU at a rate, sampled every 100 ms from `from` to `to`. */
function watch(
  peers: PeerRate,
  query: { pid: number; rate: number; working: number; from: number; to: number },
): void {
  for (let at = query.from; at <= query.to; at += 100) {
    peers.add(query.pid, { at, cpuMs: query.rate * at, working: query.working });
  }
}

describe("the CPU rate of a working attempt on unslowed nodes", () => {
  test("is unknown until enough work was measured", () => {
    const peers = new PeerRate();
    watch(peers, { pid: 1, rate: 0.5, working: 1, from: 0, to: 100 });
    expect(peers.at(100)).toBeUndefined();
  });

  test("is a mean over the attempts of all nodes", () => {
    const peers = new PeerRate();
    watch(peers, { pid: 1, rate: 0.5, working: 1, from: 0, to: 900 });
    watch(peers, { pid: 2, rate: 1.4, working: 2, from: 0, to: 900 });
    expect(peers.at(900)).toBeCloseTo((0.5 + 1.4) / 3);
  });

  test("leaves out idle nodes", () => {
    const peers = new PeerRate();
    watch(peers, { pid: 1, rate: 0.5, working: 1, from: 0, to: 900 });
    watch(peers, { pid: 2, rate: 0.01, working: 0, from: 0, to: 900 });
    expect(peers.at(900)).toBeCloseTo(0.5);
  });

  test("forgets samples older than a second", () => {
    const peers = new PeerRate();
    watch(peers, { pid: 1, rate: 0.2, working: 1, from: 0, to: 2000 });
    watch(peers, { pid: 2, rate: 0.8, working: 1, from: 2500, to: 3500 });
    expect(peers.at(3500)).toBeCloseTo(0.8);
    expect(peers.at(5000)).toBeUndefined();
  });

  test("leaves out a process's work while it was slowed", () => {
    const peers = new PeerRate();
    watch(peers, { pid: 1, rate: 1, working: 1, from: 0, to: 100 });
    peers.forget(1);
    peers.add(1, { at: 900, cpuMs: 110, working: 1 });
    peers.add(1, { at: 1200, cpuMs: 410, working: 1 });
    expect(peers.at(1200)).toBeCloseTo(1);
  });
});
