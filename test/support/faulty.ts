import { parseScenario } from "../../src/hosts/sim/parse-scenario.ts";
import { simulateOnce } from "../../src/hosts/sim/simulate-once.ts";
import type { ClusterEvent } from "../../src/model/event.ts";
import { parseDiscipline } from "../../src/policy/discipline.ts";
import type { Discipline } from "../../src/policy/policy.ts";

/** One core processes 10 MB/s; the disk gives 60 MB/s for any number of streams. */
export const MACHINE = { cores: 2, disk: 60_000, upBytesPerMs: 60_000, downBytesPerMs: 60_000 };
export const BLOCK = 60_000_000;
export const READ_MS = 1_000;
export const COMPUTE_MS = 6_000;

export interface Parts {
  readonly cluster?: object;
  readonly node?: object;
  readonly count?: number;
  readonly jobs?: readonly object[];
  readonly faults?: readonly object[];
  readonly maps?: number;
  readonly map?: object;
  readonly reduce?: object;
  /** When the reduce may start. */
  readonly start?: unknown;
  readonly data?: Discipline["data"];
  readonly seed?: number;
}

/** Nodes with one slot of each kind; maps that read a block for 1 s and compute for 6 s. */
export function run({ cluster, node, count = 1, maps = 1, map, reduce, ...parts }: Parts) {
  const work = { kind: "map", inputBytes: BLOCK, replicas: 1, cpuBytesPerMs: 10_000 };
  const phases: object[] = [
    { name: "map", slots: ["map"], tasks: maps, work: { ...work, outputPerInput: 0, ...map } },
  ];
  if (reduce !== undefined) {
    phases.push({
      name: "reduce",
      slots: ["reduce"],
      tasks: 1,
      after: [{ phase: "map", start: parts.start ?? { fraction: 0 } }],
      work: { kind: "reduce", sortPasses: 0, ...reduce },
    });
  }
  const scenario = parseScenario(
    {
      name: "test",
      cluster: {
        nodes: [{ name: "node", count, slots: { map: 1, reduce: 1 }, host: "machine", ...node }],
        hosts: { machine: MACHINE },
        heartbeatMs: 0,
        reportEveryMs: 0,
        ...cluster,
      },
      jobs: parts.jobs ?? [{ name: "job", phases }],
      faults: parts.faults ?? [],
      study: { disciplines: [{ discipline: "none" }] },
    },
    "test",
  );
  const events: ClusterEvent[] = [];
  const result = simulateOnce(scenario, {
    seed: parts.seed ?? 1,
    discipline: {
      ...parseDiscipline("none,sharing=fifo-plain", ["detection.expiryMs=30000"]),
      ...(parts.data === undefined ? {} : { data: parts.data }),
    },
    onStep: (event) => events.push(event),
  });
  const of = <K extends ClusterEvent["kind"]>(kind: K) =>
    events.filter((event): event is Extract<ClusterEvent, { kind: K }> => event.kind === kind);
  return { result, of, responseMs: result.jobs[0]?.responseMs ?? Number.NaN };
}

/** Tasks of a fixed time, on nodes without machines. */
export const FIXED = { kind: "fixed", durationMs: 10_000 };
export const fixed = (tasks: number, work: object = {}) => [
  { name: "job", phases: [{ name: "map", slots: ["map"], tasks, work: { ...FIXED, ...work } }] },
];
export const HOSTLESS = { nodes: [{ name: "node", count: 2, slots: { map: 1 } }], hosts: {} };
