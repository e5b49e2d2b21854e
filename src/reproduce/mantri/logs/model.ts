import {
  atLeast0,
  type Infer,
  list,
  number,
  Place,
  positive,
  record,
  required,
  text,
  whole,
} from "../../../base/shape.ts";
import type { Calibration } from "../../calibration.ts";

const share = required(number({ min: 0, max: 1 }));
const mostly = required(number({ min: 0, max: 0.99 }));
const above0 = required(positive);
const zeroOrMore = required(atLeast0);
const oneOrMore = required(number({ min: 1 }));
const count = required(whole({ min: 1 }));

const date = record("a line of Table 2", {
  dates: required(text),
  phases: count,
  jobs: count,
  computeYears: above0,
  dataPB: above0,
  networkPB: above0,
});

/** The shape of a job. */
const jobs = record("how jobs are drawn", {
  /** §3.2. */
  phasesMedian: oneOrMore,
  /** The probability that a phase reads two others, and three; the rest read one. */
  twoParents: share,
  threeParents: share,
  /** The probability that an edge is a barrier. §3.2. */
  barriers: share,
  /** The probability that a phase that reads several others is a join, rather than an extract. */
  joins: share,
  /** The share of a run's slots that other jobs leave idle: from none to this. §4.3. */
  idleSlotsMost: mostly,
});

const phases = record("how phases are drawn", {
  /** Slots are the job's share of the cluster, and independent of the phase: lognormal. */
  slotsMedian: oneOrMore,
  slotsSigma: zeroOrMore,
  tasksMost: count,
  /** Tasks divided by slots: lognormal. §3.1. */
  wavesMedian: above0,
  wavesSigma: zeroOrMore,
  /** Spread of the time of a phase's usual task: lognormal. */
  taskSigma: zeroOrMore,
  /** Usual task of a reduce, over that of the others. §4.2. */
  reduceTime: above0,
  /** Mean compute time of a phase whose usual task has a median of 1 ms, in ms. */
  computePerTaskMs: above0,
});

const outliers = record("how outliers are drawn", {
  /** Share of outliers among the tasks of a phase: lognormal, cut off at `shareMost`. */
  shareMedian: share,
  shareSigma: zeroOrMore,
  shareMost: required(number({ min: 0, max: 0.5 })),
  /** The outliers' times over the median: §4.1. */
  mild: required(record("the mild ones", { share, from: above0, to: above0 })),
  extreme: required(record("the extreme ones", { share, from: above0, shape: above0, to: above0 })),
  /** Share of phases whose outliers are all due to data, and share where none is. */
  allByData: share,
  noneByData: share,
});

/** The data of tasks. */
const sizes = record("how data sizes are drawn", {
  /** Half the width around the usual size, for tasks that are no outliers by data. */
  halfWidthMost: share,
  /**
   * The share of a usual task's time that does not depend on its data; most of it in some phases.
   */
  fixedMost: mostly,
  indifferent: required(
    record("phases whose time is mostly fixed", { phases: share, from: mostly, to: mostly }),
  ),
});

/** How much longer an attempt takes because of its machine; drawn for each attempt. */
const contention = record("how contention is drawn", {
  /** Half the width of the noise that is always present. */
  noise: share,
  /** Share of tasks that are slowed without being outliers: where that is common, and elsewhere. */
  commonly: share,
  commonMost: share,
  rareMost: share,
  slowedFrom: above0,
  slowedTo: above0,
});

const roles = record("a number for each role", {
  extract: zeroOrMore,
  join: zeroOrMore,
  reduce: zeroOrMore,
});

const traffic = record("how data and traffic are drawn", {
  /** Data of a join's tasks, relative to a reduce's. */
  joinBytes: above0,
  /** Spread of the mean data of a phase's tasks: lognormal. */
  bytesSigma: zeroOrMore,
  /** Share of the data that is read from other racks; all or nothing for an extract's task. */
  crossRack: required(roles),
  /** How much longer an extract's tasks take that read from another rack. */
  remoteFrom: above0,
  remoteTo: above0,
  /** Mean data of a phase, over all roles, if an extract's tasks read 1 byte at its median. */
  bytesPerTask: above0,
  /** Mean traffic across racks of a phase if a reduce's tasks read 1 byte at its median. */
  farBytesPerTask: above0,
});

/** §4.2, Figure 7: at some times jobs contend for the cluster's resources, at others not. */
const times = record("how busy times are drawn", {
  /** The time that the logs of a line of Table 2 span. */
  dateMs: above0,
  /** How long the cluster's busyness stays the same. */
  spellMs: above0,
  /**
   * The part that time explains of the variance of the logarithm of a phase's share of outliers.
   */
  varianceShare: share,
});

/** Lost outputs that tasks wait for. */
const losses = record("how outputs are lost", {
  machines: count,
  perRack: count,
  /** Losses of a machine in an hour of usual load, while outputs on it have yet to be read. */
  perMachineHour: zeroOrMore,
  /** Share of the losses for which over half of the readers' tasks wait. */
  widespread: share,
  /** The share of machines on which half of the losses happen. */
  flaky: share,
  onFlaky: share,
  /** The mean number of outputs that a machine loses at once. */
  together: oneOrMore,
  /** §4.1: the shares of about the median time, and of over 10 times longer. */
  normal: share,
  extreme: share,
});

const MODEL = {
  dates: required(list(date, { min: 1 })),
  jobs: required(jobs),
  phases: required(phases),
  outliers: required(outliers),
  sizes: required(sizes),
  contention: required(contention),
  traffic: required(traffic),
  times: required(times),
  losses: required(losses),
};
const model = record("the constants mantri.logs.*", MODEL);

/**
 * The model from which the job logs of Mantri §2 to §4 are drawn; every number is in
 * calibration.json.
 */
export type LogModel = Infer<typeof model>;
export type DateTotals = Infer<typeof date>;
export type JobModel = Infer<typeof jobs>;
export type PhaseModel = Infer<typeof phases>;
export type OutlierModel = Infer<typeof outliers>;
export type SizeModel = Infer<typeof sizes>;
export type TrafficModel = Infer<typeof traffic>;
export type LossModel = Infer<typeof losses>;
export type Roles = Infer<typeof roles>;

/** The constants `mantri.logs.*`. */
export function logModel({ constants }: Calibration): LogModel {
  const values = Object.keys(MODEL).map((key) => [key, constants[`mantri.logs.${key}`]?.value]);
  const place = new Place("bad-experiment", "calibration.json", "mantri.logs");
  return model.read(Object.fromEntries(values), place);
}
