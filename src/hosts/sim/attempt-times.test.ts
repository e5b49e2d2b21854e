import { describe, expect, test } from "vitest";
import type { ClusterEvent } from "../../model/event.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { parseScenario } from "./parse-scenario.ts";
import { simulateOnce } from "./simulate-once.ts";

const MB = 1_000_000;
/** Memory a hundred times as fast as the disk. */
const PAGE_CACHE = { unwrittenBytesMax: 100 * MB, bytesPerMs: 6_000_000 };

/** One node with a slot of each kind, a disk of 60 MB/s and cores that process 10 MB/s. */
function attempts(parts: {
  readonly host?: object;
  readonly map?: object;
  readonly maps?: number;
  readonly reduce?: object;
  readonly reduces?: number;
  readonly faults?: readonly object[];
}) {
  const map = {
    kind: "map",
    inputBytes: 60 * MB,
    replicas: 1,
    cpuBytesPerMs: 10_000,
    outputPerInput: 0,
    ...parts.map,
  };
  const phases: object[] = [{ name: "map", slots: ["map"], tasks: parts.maps ?? 1, work: map }];
  if (parts.reduce !== undefined) {
    const work = { kind: "reduce", sortPasses: 0, outputPerInput: 0, ...parts.reduce };
    phases.push({
      name: "reduce",
      slots: ["reduce"],
      tasks: parts.reduces ?? 1,
      after: [{ phase: "map" }],
      work,
    });
  }
  const scenario = parseScenario(
    {
      name: "test",
      cluster: {
        nodes: [{ name: "node", slots: { map: 1, reduce: 1 }, host: "machine" }],
        hosts: { machine: { cores: 4, disk: 60_000, ...parts.host } },
        heartbeatMs: 0,
        reportEveryMs: 0,
      },
      jobs: [{ name: "job", phases }],
      faults: parts.faults ?? [],
      study: { disciplines: [{ discipline: "none" }] },
    },
    "test",
  );
  const startedAt = new Map<number, number>();
  const times: number[] = [];
  const onStep = (event: ClusterEvent): void => {
    if (event.kind === "attempt-started") startedAt.set(event.attempt, event.at);
    if (event.kind !== "attempt-succeeded") return;
    times.push(Math.round(event.at - (startedAt.get(event.attempt) ?? Number.NaN)));
  };
  simulateOnce(scenario, { seed: 1, discipline: parseDiscipline("none"), onStep });
  return times;
}

describe("the process of an attempt", () => {
  test("takes time to start before a map does anything", () => {
    expect(attempts({})).toEqual([7_000]);
    expect(attempts({ map: { startMs: 1_500 } })).toEqual([8_500]);
  });

  test("and before a reduce fetches", () => {
    const reduce = { cpuBytesPerMs: 10_000, startMs: 1_500 };
    const map = { outputPerInput: 1 };
    const [, plain = 0] = attempts({ map, reduce: { ...reduce, startMs: 0 } });
    expect(attempts({ map, reduce })[1]).toBe(plain + 1_500);
  });
});

test("a finished reduce waits for permission to commit its output", () => {
  const map = { outputPerInput: 1 };
  const [, plain = 0] = attempts({ map, reduce: {} });
  expect(attempts({ map, reduce: { commitMs: 1_000 } })[1]).toBe(plain + 1_000);
});

describe("a map that reads ahead", () => {
  test("takes as long as the slower of reading and computing", () => {
    const readsAhead = true;
    expect(attempts({ map: { readsAhead } })).toEqual([6_000]);
    expect(attempts({ map: { readsAhead, cpuBytesPerMs: 100_000 } })).toEqual([1_000]);
  });

  test("waits for cores that other attempts use", () => {
    const faults = [{ kind: "load", node: "node", processes: 4, at: 0 }];
    // Five attempts on four cores.
    expect(attempts({ map: { readsAhead: true }, faults })).toEqual([7_500]);
  });
});

test("a map that merges its spills writes and reads its output once more per pass", () => {
  const map = { outputPerInput: 1 };
  expect(attempts({ map })).toEqual([8_000]);
  expect(attempts({ map: { ...map, sortPasses: 2 } })).toEqual([12_000]);
});

test("a reduce may write its fetched data before it continues", () => {
  const map = { outputPerInput: 1 };
  const [, plain = 0] = attempts({ map, reduce: {} });
  expect(attempts({ map, reduce: { copiesToDisk: true } })[1]).toBe(plain + 1_000);
});

describe("memory before the disk", () => {
  test("takes writes at the speed of memory", () => {
    const map = { outputPerInput: 1 };
    expect(attempts({ map })).toEqual([8_000]);
    expect(attempts({ map, host: { pageCache: PAGE_CACHE } })).toEqual([7_010]);
  });

  test("a write that does not fit in memory waits for the disk", () => {
    const pageCache = { ...PAGE_CACHE, unwrittenBytesMax: 30 * MB };
    // The other 30 MB share the disk with the bytes that are being written from memory.
    expect(attempts({ map: { outputPerInput: 1 }, host: { pageCache } })).toEqual([8_000]);
  });

  test("serves reads of outputs and of data written for sorting", () => {
    const map = { outputPerInput: 1 };
    const reduce = { sortPasses: 1, cpuBytesPerMs: 60_000 };
    // Fetched, written, read, read again: a second each, and one to compute.
    expect(attempts({ map, reduce })[1]).toBe(5_000);
    const host = { pageCache: { ...PAGE_CACHE, unwrittenBytesMax: 200 * MB } };
    expect(attempts({ map, reduce, host })[1]).toBe(1_040);
  });

  test("forgets an attempt's scratch data when the attempt ends", () => {
    const map = { outputPerInput: 1 };
    const reduce = { sortPasses: 1, cpuBytesPerMs: 600_000 };
    const host = { pageCache: PAGE_CACHE };
    // With 60 MB of the map and 30 of the first reduce, 30 more would find no room.
    const [, first, second] = attempts({ map, reduce, reduces: 2, host });
    expect(first).toBe(70);
    expect(second).toBe(70);
  });

  test("is full while a program writes without end", () => {
    const faults = [{ kind: "load", node: "node", writers: 1, at: 6_500 }];
    const host = { pageCache: PAGE_CACHE };
    // The last half second of computing, and 60 MB at half the disk's rate.
    expect(attempts({ map: { outputPerInput: 1 }, host, faults })).toEqual([9_000]);
  });
});

describe("a reduce with nothing to fetch", () => {
  const map = { outputPerInput: 1 };
  const plain = attempts({ map, reduce: {} })[1] ?? 0;

  test("learns of outputs at once where that takes no time", () => {
    expect(attempts({ map, reduce: { fetch: { idleMs: 0 } } })[1]).toBe(plain);
  });

  test("looks again after a while, also at its beginning", () => {
    expect(attempts({ map, reduce: { fetch: { idleMs: 5_000 } } })[1]).toBe(plain + 5_000);
  });
});
