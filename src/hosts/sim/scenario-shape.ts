import {
  atLeast0,
  dictionary,
  either,
  flag,
  list,
  mapped,
  number,
  object,
  oneOf,
  optional,
  positive,
  required,
  type Shape,
  standard,
  text,
  whole,
} from "../../base/shape.ts";
import { chance, positiveChance } from "../../model/chance-shape.ts";
import { fault } from "../../model/fault-shape.ts";
import { type EdgeStart, PRIORITIES } from "../../model/job.ts";
import type { CapacityPoint } from "./fluid/capacity.ts";
import {
  type ArrivalSpec,
  type ClusterSpec,
  type DisciplineSpec,
  type EdgeSpec,
  type HostSpec,
  type NodeGroup,
  ORACLES,
  type PageCacheSpec,
  type PhaseSpec,
  type Published,
  type Scenario,
  type ScenarioJob,
  SEEDS_MAX,
  type StudySpec,
  type SweepSpec,
} from "./scenario.ts";
import { work } from "./work-shape.ts";

const UNLIMITED = Number.POSITIVE_INFINITY;
const count = whole({ min: 1 });
const nodeCount = whole({ min: 1, max: 1_000_000 });
/** The most jobs, and the most tasks of a phase. */
const manyCount = whole({ min: 1, max: 10_000_000 });
/** Below 2^53, so that every seed of a study has a next one. */
const FIRST_SEED_MAX = 4_503_599_627_370_496;

interface DiskPoint {
  readonly streams: number;
  readonly bytesPerMs: number;
}

const diskPoint = object<DiskPoint>("a point of the disk's rate", {
  streams: required(positive),
  bytesPerMs: required(positive),
});

/** One rate, or the rate by the number of streams. */
const disk: Shape<readonly CapacityPoint[]> = mapped(
  either((json) => typeof json === "number", positive, list(diskPoint, { min: 1 })),
  (rate, place) => {
    if (typeof rate === "number") return [{ streams: 1, perMs: rate }];
    for (const [i, { streams }] of rate.entries()) {
      const before = rate[i - 1];
      if (before !== undefined && before.streams >= streams) {
        place.index(i).key("streams").refuse(`more than ${before.streams}`, streams);
      }
    }
    return rate.map(({ streams, bytesPerMs }) => ({ streams, perMs: bytesPerMs }));
  },
);

const pageCache = object<PageCacheSpec>("a page cache", {
  unwrittenBytesMax: required(positive),
  bytesPerMs: required(positive),
});

const host = object<HostSpec>("a machine", {
  cores: required(positive),
  coresPerVm: standard(positive, UNLIMITED),
  disk: required(disk),
  diskBytesPerMsPerVm: standard(positive, UNLIMITED),
  upBytesPerMs: standard(positive, UNLIMITED),
  downBytesPerMs: standard(positive, UNLIMITED),
  pageCache: optional(pageCache),
});

const group = object<NodeGroup>("a group of nodes", {
  name: required(text),
  count: standard(nodeCount, 1),
  factor: standard(positiveChance, 1),
  slots: required(dictionary(whole({ min: 0 }))),
  rack: optional(text),
  host: optional(text),
  vmsPerHost: standard(count, 1),
});

const cluster = object<ClusterSpec>("a cluster", {
  slotKinds: standard(list(text, { min: 1 }), ["map", "reduce"]),
  racks: standard(list(text, { min: 1 }), ["rack"]),
  nodes: required(list(group, { min: 1 })),
  hosts: standard(dictionary(host), {}),
  rackUpBytesPerMs: standard(positive, UNLIMITED),
  rackDownBytesPerMs: standard(positive, UNLIMITED),
  oversubscription: optional(number({ min: 1 })),
  linkSampleMs: standard(atLeast0, 0),
  heartbeatMs: standard(atLeast0, 3_000),
  outOfBandHeartbeat: standard(flag, false),
  reportEveryMs: standard(atLeast0, 3_000),
  shareEveryMs: standard(atLeast0, 0),
  statisticsEveryMs: standard(atLeast0, 0),
  askAgainMs: standard(positive, 3_000),
  attemptsMax: standard(count, 4),
});

const edgeStart: Shape<EdgeStart> = either(
  (json) => typeof json === "string",
  mapped(oneOf<"done" | "pipelined">(["done", "pipelined"]), (when): EdgeStart => ({ when })),
  mapped(
    object<{ readonly fraction: number }>("a fraction", {
      fraction: required(number({ min: 0, max: 1 })),
    }),
    ({ fraction }): EdgeStart => ({ when: "fraction", of: fraction }),
  ),
);

const edge = object<EdgeSpec>("an edge", {
  phase: required(text),
  start: standard(edgeStart, { when: "done" }),
});

const phase = object<PhaseSpec>("a phase", {
  name: required(text),
  slots: required(list(text, { min: 1 })),
  tasks: required(manyCount),
  after: standard(list(edge), []),
  work: required(work),
  failureProbability: standard(number({ min: 0, max: 1 }), 0),
  speculate: standard(flag, true),
});

const arrival = object<ArrivalSpec>("when jobs arrive", {
  atMs: standard(atLeast0, 0),
  gapMs: standard(chance, 0),
});

const job = object<ScenarioJob>("a job", {
  name: required(text),
  count: standard(manyCount, 1),
  arrival: standard(arrival, { atMs: 0, gapMs: 0 }),
  user: standard(text, "user"),
  pool: standard(text, "default"),
  priority: standard(oneOf(PRIORITIES), "normal"),
  speculate: standard(flag, true),
  phases: required(list(phase, { min: 1 })),
});

const setting: Shape<number | string | boolean> = {
  expected: "a number, a text, true or false",
  read(json, place) {
    if (typeof json === "number" || typeof json === "string" || typeof json === "boolean")
      return json;
    return place.refuse(this.expected, json);
  },
  schema: () => ({ type: ["number", "string", "boolean"] }),
};

const sweep = object<SweepSpec>("a sweep", {
  parameter: required(text),
  values: required(list(setting, { min: 1 })),
});

const published = object<Published>("what was published", {
  responseMs: optional(positive),
  wastedMsPerNode: optional(atLeast0),
  note: optional(text),
});

type DisciplineInput = Omit<DisciplineSpec, "label"> & { readonly label?: string };

const labelOf = ({ discipline, noCopies, oracle }: DisciplineInput): string =>
  [
    discipline,
    ...(oracle === undefined ? [] : [oracle]),
    ...(noCopies ?? []).map((kind) => `no ${kind} copies`),
  ].join(", ");

/** A discipline without a label is labelled by its name. */
const discipline: Shape<DisciplineSpec> = mapped(
  object<DisciplineInput>("a discipline", {
    discipline: required(text),
    label: optional(text),
    set: standard(dictionary(setting), {}),
    oracle: optional(oneOf(ORACLES)),
    noCopies: optional(list(text, { min: 1 })),
    sweep: optional(sweep),
    published: optional(published),
  }),
  (input) => ({ ...input, label: input.label ?? labelOf(input) }),
);

const study = object<StudySpec>("a study", {
  seeds: standard(whole({ min: 1, max: SEEDS_MAX }), 1),
  firstSeed: standard(whole({ max: FIRST_SEED_MAX }), 1),
  disciplines: required(list(discipline, { min: 1 })),
});

/** `$schema` lets editors check and complete the file as it is written. */
type ScenarioFile = Scenario & { readonly $schema?: string };

const scenarioFile = object<ScenarioFile>("a scenario", {
  name: required(text),
  about: standard(text, "-"),
  cluster: required(cluster),
  jobs: required(list(job, { min: 1 })),
  faults: standard(list(fault), []),
  study: required(study),
  $schema: optional(text),
});

export const scenario: Shape<Scenario> = mapped(
  scenarioFile,
  ({ $schema: _, ...scenario }) => scenario,
);
