import { describe, expect, test } from "vitest";
import { COMPUTE_MS, MACHINE, READ_MS, run } from "../../../test/support/faulty.ts";

describe("load", () => {
  const load = { kind: "load", at: 0, node: "node" };

  test("of processes leaves each program an equal part of the cores", () => {
    // Two cores for one task and three processes: half a core each.
    const { responseMs } = run({ faults: [{ ...load, processes: 3 }] });
    expect(responseMs).toBeCloseTo(READ_MS + 2 * COMPUTE_MS, 6);
  });

  test("of a process for each core that is left over costs nothing", () => {
    expect(run({ faults: [{ ...load, processes: 1 }] }).responseMs).toBe(READ_MS + COMPUTE_MS);
  });

  test("of writers leaves each stream an equal part of the disk, and the cores alone", () => {
    const { responseMs } = run({ faults: [{ ...load, writers: 3 }] });
    expect(responseMs).toBeCloseTo(4 * READ_MS + COMPUTE_MS, 6);
  });

  test("makes the arm of a disk move: too many streams slow all of them", () => {
    const disk = [
      { streams: 1, bytesPerMs: 60_000 },
      { streams: 2, bytesPerMs: 40_000 },
    ];
    const cluster = { hosts: { machine: { ...MACHINE, disk } } };
    const { responseMs } = run({ cluster, faults: [{ ...load, writers: 1 }] });
    expect(responseMs).toBeCloseTo(3 * READ_MS + COMPUTE_MS, 6);
  });

  test("ends after its time, and gives its share back", () => {
    // 3 s at half a core are 1.5 s of computing; the other 4.5 s are unchanged.
    const faults = [{ ...load, processes: 3, at: READ_MS, forMs: 3_000 }];
    expect(run({ faults }).responseMs).toBeCloseTo(READ_MS + 3_000 + 4_500, 6);
  });

  test("comes and goes: 1 s on, 1 s off", () => {
    const faults = [{ ...load, processes: 3, at: READ_MS, forMs: 1_000, everyMs: 2_000 }];
    // Two seconds bring 1.5 s of computing.
    expect(run({ faults }).responseMs).toBeCloseTo(READ_MS + 8_000, 6);
  });

  test("of processes and of writers may take turns, as two faults", () => {
    const turn = { forMs: 1_000, everyMs: 2_000 };
    const faults = [
      { ...load, processes: 3, at: READ_MS, ...turn },
      { ...load, writers: 3, at: 2_000 + READ_MS, ...turn },
    ];
    // Writers do not disturb computing.
    expect(run({ faults }).responseMs).toBeCloseTo(READ_MS + 8_000, 6);
  });

  test("several add up", () => {
    const faults = [
      { ...load, processes: 1 },
      { ...load, processes: 2 },
    ];
    expect(run({ faults }).responseMs).toBeCloseTo(READ_MS + 2 * COMPUTE_MS, 6);
  });

  test("on one node of a host takes from the others on it", () => {
    const node = { vmsPerHost: 2 };
    const faults = [{ ...load, node: "node-1", processes: 3 }];
    const { of } = run({ count: 2, node, maps: 1, map: { replicas: 2 }, faults });
    const [started] = of("attempt-started");
    expect(started?.node).toBe(0);
    expect(of("attempt-succeeded")[0]?.at).toBeCloseTo(READ_MS + 2 * COMPUTE_MS, 6);
  });

  test("on a slow node runs at the pace of its cores", () => {
    // At half speed the task would use half a core, three processes as much each: all fit.
    const node = { factor: 2 };
    expect(run({ node, faults: [{ ...load, processes: 3 }] }).responseMs).toBeCloseTo(
      2 * (READ_MS + COMPUTE_MS),
      6,
    );
  });

  test.each([
    ["before", 0, 1],
    ["after", 1, 0],
  ])("on a node slowed %s takes less of its host", (_, slowAt, loadAt) => {
    const faults = [
      { kind: "slow", at: slowAt, node: "node-1", factor: 4 },
      { ...load, at: loadAt, node: "node-1", processes: 3 },
    ];
    // Three quarters of a core: the task of the other node keeps one whole.
    const { of } = run({ count: 2, node: { vmsPerHost: 2 }, map: { replicas: 2 }, faults });
    expect(of("attempt-succeeded")[0]?.at).toBeCloseTo(READ_MS + COMPUTE_MS, 6);
  });

  test("of writers shares what the node may take of the disk", () => {
    const cluster = { hosts: { machine: { ...MACHINE, diskBytesPerMsPerVm: 30_000 } } };
    const { responseMs } = run({ cluster, faults: [{ ...load, writers: 1 }] });
    expect(responseMs).toBeCloseTo(4 * READ_MS + COMPUTE_MS, 6);
  });

  test("that begins again before its end replaces itself", () => {
    const faults = [{ ...load, processes: 3, everyMs: 1_000 }];
    expect(run({ faults }).responseMs).toBeCloseTo(READ_MS + 2 * COMPUTE_MS, 6);
  });

  test("does not begin on a machine that is down", () => {
    const reboot = { kind: "kill", what: "reboot", at: 2_000, node: "node", backAfterMs: 1_000 };
    const { responseMs } = run({ faults: [{ ...load, at: 2_500, processes: 3 }, reboot] });
    expect(responseMs).toBeCloseTo(3_000 + READ_MS + COMPUTE_MS, 6);
  });

  test("dies with its machine", () => {
    const reboot = { kind: "kill", what: "reboot", at: 2_000, node: "node", backAfterMs: 1_000 };
    const { responseMs } = run({ faults: [{ ...load, processes: 3 }, reboot] });
    expect(responseMs).toBeCloseTo(3_000 + READ_MS + COMPUTE_MS, 6);
  });
});
