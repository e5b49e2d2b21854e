import {
  atLeast0,
  list,
  number,
  object,
  Place,
  positive,
  required,
  type Shape,
  text,
  whole,
} from "../../../base/shape.ts";
import type { Calibration } from "../../calibration.ts";

/** What the job logs of Mantri §2 to §4 are drawn from; every number stands in calibration.json. */
export interface LogModel {
  readonly dates: readonly DateTotals[];
  readonly jobs: JobModel;
  readonly phases: PhaseModel;
  readonly outliers: OutlierModel;
  readonly sizes: SizeModel;
  readonly contention: ContentionModel;
  readonly traffic: TrafficModel;
  readonly times: TimeModel;
  readonly losses: LossModel;
}

/** A line of Table 2. */
export interface DateTotals {
  readonly dates: string;
  readonly phases: number;
  readonly jobs: number;
  readonly computeYears: number;
  readonly dataPB: number;
  readonly networkPB: number;
}

/** The shape of a workflow. */
export interface JobModel {
  /** §3.2. */
  readonly phasesMedian: number;
  /** That a phase reads two others, and three; else one. */
  readonly twoParents: number;
  readonly threeParents: number;
  /** That an edge is a barrier. §3.2. */
  readonly barriers: number;
  /** That a phase that reads several others is a join, rather than an extract. */
  readonly joins: number;
  /** Of the slots of a run, the share that other jobs leave idle: from none to this. §4.3. */
  readonly idleSlotsMost: number;
}

export interface PhaseModel {
  /** Slots, which are the job's share of the cluster and know nothing of the phase: lognormal. */
  readonly slotsMedian: number;
  readonly slotsSigma: number;
  readonly tasksMost: number;
  /** Tasks over slots: lognormal. §3.1. */
  readonly wavesMedian: number;
  readonly wavesSigma: number;
  /** Spread of the time of a phase's usual task: lognormal. */
  readonly taskSigma: number;
  /** Usual task of a reduce, over that of the others. §4.2. */
  readonly reduceTime: number;
  /** Mean compute time of a phase whose usual task has a median of 1 ms, in ms. */
  readonly computePerTaskMs: number;
}

export interface OutlierModel {
  /** Share of outliers among the tasks of a phase: lognormal, cut off at `shareMost`. */
  readonly shareMedian: number;
  readonly shareSigma: number;
  readonly shareMost: number;
  /** Of the outliers, over the median: §4.1. */
  readonly mild: { readonly share: number; readonly from: number; readonly to: number };
  readonly extreme: {
    readonly share: number;
    readonly from: number;
    readonly shape: number;
    readonly to: number;
  };
  /** Share of phases whose outliers are all due to data, and of those where none is. */
  readonly allByData: number;
  readonly noneByData: number;
}

/** How much data tasks have. */
export interface SizeModel {
  /** Of tasks that are no outliers by data: half the width around the usual size. */
  readonly halfWidthMost: number;
  /** Share of a usual task's time that its data has no part in; in some phases it is most of it. */
  readonly fixedMost: number;
  readonly indifferent: {
    readonly phases: number;
    readonly from: number;
    readonly to: number;
  };
}

/** How much longer an attempt takes where it runs; drawn anew for each attempt. */
export interface ContentionModel {
  /** Half the width of what is always there. */
  readonly noise: number;
  /** Share of tasks that are slowed without being outliers: where that is common, and elsewhere. */
  readonly commonly: number;
  readonly commonMost: number;
  readonly rareMost: number;
  readonly slowedFrom: number;
  readonly slowedTo: number;
}

export interface TrafficModel {
  /** Data of a join's tasks, relative to a reduce's. */
  readonly joinBytes: number;
  /** Spread of the mean data of a phase's tasks: lognormal. */
  readonly bytesSigma: number;
  /** Share of the data that is read from other racks; all or nothing of an extract's task. */
  readonly crossRack: Roles;
  /** Of an extract's tasks that read from another rack: how much longer they take. */
  readonly remoteFrom: number;
  readonly remoteTo: number;
  /** Mean data of a phase, over all roles, if an extract's tasks read 1 byte at its median. */
  readonly bytesPerTask: number;
  /** Mean traffic across racks of a phase if a reduce's tasks read 1 byte at its median. */
  readonly farBytesPerTask: number;
}

export interface Roles {
  readonly extract: number;
  readonly join: number;
  readonly reduce: number;
}

/** §4.2, Figure 7: at some times jobs contend for the cluster's resources, at others not. */
export interface TimeModel {
  /** What the logs of a line of Table 2 span. */
  readonly dateMs: number;
  /** For how long the cluster is as busy as it is. */
  readonly spellMs: number;
  /** Of the variance of the logarithm of a phase's share of outliers, what is due to the time. */
  readonly varianceShare: number;
}

/** Lost outputs that somebody waits for. */
export interface LossModel {
  readonly machines: number;
  readonly perRack: number;
  /** Losses of a machine in an hour of usual load, while outputs on it are yet to be read. */
  readonly perMachineHour: number;
  /** Share of the losses for which over half of the readers' tasks wait. */
  readonly widespread: number;
  /** Half of them are on this share of the machines. */
  readonly flaky: number;
  readonly onFlaky: number;
  /** Outputs that a machine loses at once, mean. */
  readonly together: number;
  /** §4.1: about the median task, and over 10 times longer. */
  readonly normal: number;
  readonly extreme: number;
}

const share = number({ min: 0, max: 1 });

const roles = object<Roles>("a number for each role", {
  extract: required(atLeast0),
  join: required(atLeast0),
  reduce: required(atLeast0),
});

const SHAPES: { readonly [K in keyof LogModel]: Shape<LogModel[K]> } = {
  dates: list(
    object<DateTotals>("a line of Table 2", {
      dates: required(text),
      phases: required(whole({ min: 1 })),
      jobs: required(whole({ min: 1 })),
      computeYears: required(positive),
      dataPB: required(positive),
      networkPB: required(positive),
    }),
    { min: 1 },
  ),
  jobs: object<JobModel>("how jobs are drawn", {
    phasesMedian: required(number({ min: 1 })),
    twoParents: required(share),
    threeParents: required(share),
    barriers: required(share),
    joins: required(share),
    idleSlotsMost: required(number({ min: 0, max: 0.99 })),
  }),
  phases: object<PhaseModel>("how phases are drawn", {
    slotsMedian: required(number({ min: 1 })),
    slotsSigma: required(atLeast0),
    tasksMost: required(whole({ min: 1 })),
    wavesMedian: required(positive),
    wavesSigma: required(atLeast0),
    taskSigma: required(atLeast0),
    reduceTime: required(positive),
    computePerTaskMs: required(positive),
  }),
  outliers: object<OutlierModel>("how outliers are drawn", {
    shareMedian: required(share),
    shareSigma: required(atLeast0),
    shareMost: required(number({ min: 0, max: 0.5 })),
    mild: required(
      object<OutlierModel["mild"]>("the mild ones", {
        share: required(share),
        from: required(positive),
        to: required(positive),
      }),
    ),
    extreme: required(
      object<OutlierModel["extreme"]>("the extreme ones", {
        share: required(share),
        from: required(positive),
        shape: required(positive),
        to: required(positive),
      }),
    ),
    allByData: required(share),
    noneByData: required(share),
  }),
  sizes: object<SizeModel>("how data sizes are drawn", {
    halfWidthMost: required(share),
    fixedMost: required(number({ min: 0, max: 0.99 })),
    indifferent: required(
      object<SizeModel["indifferent"]>("phases whose time is mostly fixed", {
        phases: required(share),
        from: required(number({ min: 0, max: 0.99 })),
        to: required(number({ min: 0, max: 0.99 })),
      }),
    ),
  }),
  contention: object<ContentionModel>("how contention is drawn", {
    noise: required(share),
    commonly: required(share),
    commonMost: required(share),
    rareMost: required(share),
    slowedFrom: required(positive),
    slowedTo: required(positive),
  }),
  traffic: object<TrafficModel>("how data and traffic are drawn", {
    joinBytes: required(positive),
    bytesSigma: required(atLeast0),
    crossRack: required(roles),
    remoteFrom: required(positive),
    remoteTo: required(positive),
    bytesPerTask: required(positive),
    farBytesPerTask: required(positive),
  }),
  times: object<TimeModel>("how busy times are drawn", {
    dateMs: required(positive),
    spellMs: required(positive),
    varianceShare: required(share),
  }),
  losses: object<LossModel>("how outputs are lost", {
    machines: required(whole({ min: 1 })),
    perRack: required(whole({ min: 1 })),
    perMachineHour: required(atLeast0),
    widespread: required(share),
    flaky: required(share),
    onFlaky: required(share),
    together: required(number({ min: 1 })),
    normal: required(share),
    extreme: required(share),
  }),
};

/** The constants `mantri.logs.*`. */
export function logModel({ constants }: Calibration): LogModel {
  const read = <K extends keyof LogModel>(key: K): LogModel[K] => {
    const name = `mantri.logs.${key}`;
    return SHAPES[key].read(
      constants[name]?.value,
      new Place("bad-experiment", "calibration.json", name),
    );
  };
  return {
    dates: read("dates"),
    jobs: read("jobs"),
    phases: read("phases"),
    outliers: read("outliers"),
    sizes: read("sizes"),
    contention: read("contention"),
    traffic: read("traffic"),
    times: read("times"),
    losses: read("losses"),
  };
}
