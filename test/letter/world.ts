import { type Form, type JobBook, MAP, type NodeBook, type PhaseBook, REDUCE } from "./books.ts";
import type { Dice } from "./dice.ts";

/** The plan of a world: everything that is drawn before it begins. */
export interface Plan {
  readonly form: Form;
  /** The chance that a host reports an attempt at a moment. */
  readonly reporting: number;
  readonly statisticsEvery: number;
  /** Milliseconds between two moments at which something may happen. */
  readonly tick: readonly [number, number];
  readonly racks: number;
  readonly nodes: readonly NodeBook[];
  readonly jobs: readonly JobBook[];
  /** Of a usual attempt of a job, by its number. */
  readonly usualMs: readonly number[];
  /** Per moment. */
  readonly chances: Chances;
  /**
   * Whether products of rates and milliseconds are exact in a double. In the other worlds, numbers
   * that are equal on paper may differ in their last bits.
   */
  readonly isExact: boolean;
  /**
   * Tasks, phases and nodes are alike, so that many figures are equal. If there are many of them,
   * one of 21 to 24 maps may be the only one that is done.
   */
  readonly isOnTheEdge: boolean;
  /** Without reasons the scheduler takes shortcuts, which must not change a decision. */
  readonly explains: boolean;
  /** Progress at one rate from the start on is told as a line, the other curves as they are. */
  readonly tellsLines: boolean;
}

export interface Chances {
  readonly failure: number;
  readonly speedChange: number;
  /** The chance that a node is lost, and that it joins again without having been lost. */
  readonly nodeLost: number;
  /** The chance that a lost node joins again. */
  readonly nodeBack: number;
  readonly nodeSilent: number;
  readonly outputLost: number;
  /** The chance that an attempt is several times as slow as usual. */
  readonly straggler: number;
  /** The chance that a free slot is offered. */
  readonly offer: number;
  /** The same, of a slot that a requested copy could take. */
  readonly bind: number;
  /** The chance that the host confirms a kill at a moment. */
  readonly killTold: number;
}

const CLOCKS: readonly (readonly [number, number])[] = [
  [200, 4_000],
  [3_000, 3_000],
  [1_000, 1_000],
  [2_000, 8_000],
];

export interface Wishes {
  /** The world's own t_rem and t_new sit in the estimator's seat. */
  readonly ownEstimates?: boolean;
  readonly form?: Form;
  /** Everything happens at moments of reports, and every attempt reports. */
  readonly onTheBeat?: boolean;
  /** Several users share the cluster; the pools, or queues, that their jobs name. */
  readonly pools?: readonly string[];
  /** Either all maps of a job have a data location, or none has. */
  readonly unmixed?: boolean;
  /**
   * Maps tell how much they write for each reduce. Half of the clusters have one rack; in the
   * others reduces wait for all maps, so that they can be placed (Mantri 5.2).
   */
  readonly partitions?: boolean;
  /** Half of the worlds have 24 slots for maps, and at most as many maps a job. */
  readonly wide?: boolean;
  /** Attempts go through stages at different rates. */
  readonly stages?: boolean;
  /** In a third of the worlds tasks last for seconds, and little time passes between moments. */
  readonly brisk?: boolean;
  /** In half of the worlds jobs are small and have copies, and kills are confirmed late. */
  readonly sparse?: boolean;
  /** In half of the worlds requested copies wait long for a slot, and few nodes are stragglers. */
  readonly patient?: boolean;
  /** The policy reads how many records an attempt has read, which a line does not tell. */
  readonly records?: boolean;
}

const BEAT = [3_000, 3_000] as const;
const BRISK = [100, 800] as const;

export function drawPlan(dice: Dice, wishes: Wishes): Plan {
  const drawn = dice.pick(CLOCKS);
  const isBrisk = wishes.brisk === true && dice.chance(0.35);
  const tick = wishes.onTheBeat ? BEAT : isBrisk ? BRISK : drawn;
  const isShared = wishes.pools !== undefined;
  const isOnTheEdge = wishes.pools === undefined && dice.chance(0.3);
  const racks = wishes.partitions && dice.chance(0.5) ? 1 : 2;
  const isWide = isOnTheEdge ? dice.chance(0.4) : wishes.wide === true && dice.chance(0.5);
  const barrier = wishes.partitions && racks === 2;
  // Reduces that wait while the maps write are ordered anew when all is written.
  const scarce = wishes.partitions && !barrier ? 0.7 : 0.15;
  const isScarce = !isShared && !isWide && dice.chance(scarce);
  const mapsMax = isShared ? 4 : 3;
  const isPatient = wishes.patient === true && dice.chance(0.5);
  const isEven = isOnTheEdge || isPatient;
  const nodes = drawNodes(dice, { mapsMax, racks, isEven, isScarce, isWide });
  // Long jobs of few tasks are copied, and lose their copies when another job begins.
  const isSparse = wishes.sparse === true && dice.chance(0.5);
  const jobs = drawJobs(dice, nodes, { ...wishes, barrier, isOnTheEdge, isBrisk, isSparse });
  const usual = isSparse ? [30, 90] : isShared ? [4, 60] : isBrisk ? [6, 20] : [40, 160];
  const form = dice.pick<Form>(["reported", "curve-3s", "curve-fresh"]);
  const calm = !isScarce && dice.chance(0.3);
  const offer = isSparse ? 1 : dice.pick(isOnTheEdge ? [1, 1, 0.6, 0.3] : [1, 0.6, 0.3]);
  return {
    form: wishes.form ?? form,
    reporting: wishes.onTheBeat ? 1 : 0.7,
    statisticsEvery: isShared ? 0 : dice.pick([0, 0, 1_000]),
    tick,
    racks,
    nodes,
    jobs,
    usualMs: jobs.map(() => dice.whole(usual[0] ?? 0, usual[1] ?? 0) * 1_000),
    chances: {
      failure: calm ? 0 : dice.pick(isShared ? [0.002, 0.01] : [0.005, 0.02, 0.05]),
      speedChange: dice.pick([0, 0.01, 0.05]),
      nodeLost: isPatient ? 0.02 : calm ? 0 : dice.pick([0, 0.004]),
      nodeBack: 0.05,
      nodeSilent: calm ? 0 : dice.pick([0, 0.02]),
      outputLost: calm ? 0 : dice.pick([0, 0.02, 0.05]),
      straggler: isPatient ? 0.05 : dice.pick([0.15, 0.25, 0.4]),
      offer,
      bind: isPatient ? 0.05 : offer,
      killTold: isSparse ? 0.1 : 0.7,
    },
    isExact: dice.chance(0.5),
    isOnTheEdge,
    explains: dice.chance(0.5),
    tellsLines: dice.chance(0.5) && wishes.records !== true,
  };
}

interface Cluster {
  /** The most map slots of a node. */
  readonly mapsMax: number;
  readonly racks: number;
  /** No node is slow. */
  readonly isEven: boolean;
  /** One node alone has slots for reduces: no number of failures closes it to a job. */
  readonly isScarce: boolean;
  readonly isWide: boolean;
}

function drawNodes(dice: Dice, cluster: Cluster): NodeBook[] {
  const { isEven, isScarce, isWide, mapsMax, racks } = cluster;
  const count = isWide ? 8 : dice.whole(isScarce ? 5 : 2, 8);
  const uneven = !isEven && dice.chance(0.6);
  return Array.from({ length: count }, (_, id) => ({
    id,
    name: `n${id}`,
    rack: id % racks,
    slots: [
      isWide ? mapsMax : dice.whole(1, mapsMax),
      isScarce && id > 0 ? 0 : dice.whole(1, mapsMax - 1),
    ] as const,
    speed: uneven ? dice.pick([1, 1, 1, 0.7, 0.4, 0.15]) : 1,
    joined: true,
    joins: 1,
    silentSince: undefined,
    succeeded: 0,
  }));
}

/** Tasks and phases are numbered as they come, over all jobs. */
function drawJobs(
  dice: Dice,
  nodes: readonly NodeBook[],
  wishes: Wishes &
    Pick<Plan, "isOnTheEdge"> & {
      readonly barrier: boolean | undefined;
      readonly isBrisk: boolean;
      readonly isSparse: boolean;
    },
): JobBook[] {
  const { isBrisk, isOnTheEdge, isSparse } = wishes;
  const { barrier = false, partitions = false, pools, stages = false, unmixed = false } = wishes;
  const jobs: JobBook[] = [];
  const next = { phase: 0, task: 0 };
  const isShared = pools !== undefined;
  const count = isShared ? dice.whole(2, 7) : dice.whole(1, 3);
  // Half of the shared clusters are quiet: no task is copied.
  const copies = !isShared || isSparse || dice.chance(0.5);
  let at = 0;
  for (let id = 0; id < count; id++) {
    const job: JobBook = {
      id,
      speculate: !dice.chance(0.1) && copies,
      priority: dice.pick(isShared ? [2, 2, 2, 1, 3, 0, 4] : [2, 2, 2, 1, 3]),
      submittedAt: at,
      ...(isShared
        ? { user: dice.pick(["u", "u", "v", "w"]), pool: dice.pick(pools), admittedAt: undefined }
        : { user: "u", pool: "p", admittedAt: at }),
      phases: [],
      failuresOn: new Map(),
      nodesKnown: 0,
      submitted: false,
      ended: false,
    };
    at += dice.whole(0, isShared ? 15 : isBrisk ? 10 : 40) * 3_000;
    drawPhases(dice, {
      job,
      nodes,
      next,
      barrier,
      isShared,
      isOnTheEdge,
      isSparse,
      partitions,
      stages,
      unmixed,
    });
    jobs.push(job);
  }
  return jobs;
}

interface Draft {
  readonly job: JobBook;
  readonly nodes: readonly NodeBook[];
  readonly next: { phase: number; task: number };
  /** Whether phases start only when everything that they read is done. */
  readonly barrier: boolean;
  /** Jobs are Hadoop's then: maps, and reduces that read them. */
  readonly isShared: boolean;
  readonly isOnTheEdge: boolean;
  readonly isSparse: boolean;
  readonly partitions: boolean;
  readonly stages: boolean;
  readonly unmixed: boolean;
}

function drawPhases(dice: Dice, { nodes: all, ...rest }: Draft): void {
  // The input of some jobs is on few nodes.
  const isNarrow = rest.isShared && dice.chance(0.5);
  const nodes = isNarrow ? dice.shuffled(all).slice(0, dice.whole(1, 3)) : all;
  const draft: Draft = { ...rest, nodes };
  const { isShared } = draft;
  const replicas = dice.pick(isShared ? [0, 1, 1, 1, 2, 3] : [0, 1, 2, 3]);
  // A job may be a graph: two phases side by side on one kind of slot.
  const graph = !isShared && dice.chance(draft.isOnTheEdge ? 0.5 : 0.2);
  const mixed = !graph && !draft.unmixed && (!isShared || dice.chance(0.3));
  const maps = { kind: MAP, reads: [], replicas, mixed };
  // One of 21 to 24 maps is less than 5 % of them.
  const isWide = all.every(({ slots }) => slots[MAP] === 3) && all.length === 8;
  const few = isWide && !isShared ? 21 : 2;
  const most = draft.isSparse ? 8 : isShared ? 40 : 24;
  // Twins fill the slots together: attempts of both begin at once, and have equal times left.
  const areTwins = graph && draft.isOnTheEdge && dice.chance(0.5);
  const slots = all.reduce((total, node) => total + node.slots[MAP], 0);
  const half = Math.max(2, Math.floor(slots / 2));
  const sizes = areTwins ? [half, half] : [dice.whole(few, most), dice.whole(2, 10)];
  const sources = sizes
    .slice(0, graph ? 2 : 1)
    .map((tasks) => drawPhase(dice, draft, { ...maps, tasks }));
  if (!dice.chance(0.75)) return;
  const reduces = drawReaders(dice, draft, { reads: sources, kind: REDUCE });
  // A graph may be a chain: the outputs of its reduces are read in their turn.
  if (graph && dice.chance(0.5)) drawReaders(dice, draft, { reads: [reduces], kind: MAP });
}

function drawReaders(dice: Dice, draft: Draft, what: Pick<PhaseBook, "kind" | "reads">): PhaseBook {
  const tasks = dice.whole(draft.partitions ? 4 : 1, 8);
  const readers = drawPhase(dice, draft, { ...what, tasks, replicas: 0, mixed: false });
  if (draft.partitions) drawParts(dice, readers);
  return readers;
}

/** In a quarter of the jobs all maps divide their output alike: equal sums differ in a last bit. */
function drawParts(dice: Dice, { reads, tasks }: PhaseBook): void {
  const alike = dice.chance(0.25);
  const draw = () => tasks.map(() => dice.pick([1, 2, 2, 3, 7]));
  const weights = draw();
  for (const map of reads.flatMap((read) => read.tasks)) {
    const own = alike ? weights : draw();
    const all = own.reduce((total, weight) => total + weight, 0);
    map.parts = own.map((weight) => (map.bytes * weight) / all);
  }
}

const ONE_STAGE = [1];
const STAGES = [
  [1 / 3, 1 / 3, 1 / 3],
  [0.25, 0.75],
  [0.5, 0.25, 0.25],
];

function drawPhase(
  dice: Dice,
  { job, nodes, next, barrier, isOnTheEdge, isShared, partitions, stages }: Draft,
  what: Pick<PhaseBook, "kind" | "reads"> & {
    readonly tasks: number;
    readonly replicas: number;
    /** Some tasks have no replicas. */
    readonly mixed: boolean;
  },
): PhaseBook {
  const { kind, reads } = what;
  const share = dice.pick(partitions ? [1, 0.05, 0.05, 0.5] : [1, 1, 0.05, 0.5]);
  const slowstart = reads.length === 0 ? 0 : barrier ? 1 : share;
  const shares = stages ? dice.pick(STAGES) : ONE_STAGE;
  const phase: PhaseBook = {
    ...{ id: next.phase++, job, kind, reads, shares, slowstart, tasks: [] },
    speculate: isShared || !dice.chance(0.1),
    factors: stages ? shares.map(() => dice.pick([0.4, 1, 1, 2.5])) : ONE_STAGE,
    ready: reads.length === 0,
  };
  const even = isOnTheEdge || dice.chance(0.5);
  for (let index = 0; index < what.tasks; index++) {
    phase.tasks.push({
      ...{ id: next.task++, index, phase, attempts: [], failures: 0, restarts: 0 },
      records: dice.pick([1_000, 1_000, 4_000]),
      bytes: (even ? 64 : dice.whole(1, 128)) * 1_048_576,
      replicas: dice
        .shuffled(nodes.map((node) => node.id))
        .slice(0, what.mixed && dice.chance(0.1) ? 0 : what.replicas),
      done: false,
      everDone: false,
      unheard: false,
      workFrom: -1,
      outputs: new Set(),
      parts: [],
    });
  }
  job.phases.push(phase);
  return phase;
}
