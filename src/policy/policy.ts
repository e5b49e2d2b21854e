import type { Distribution } from "../base/distribution.ts";
import type { Ask, Notice, Slot } from "../model/action.ts";
import type { Attempt } from "../model/attempt.ts";
import type { Capability, SlotCounts } from "../model/cluster.ts";
import type { ClusterEvent } from "../model/event.ts";
import type { AttemptId, Instant, JobId, NodeId, PhaseId, SlotKind, TaskId } from "../model/ids.ts";
import type { Locality } from "../model/job.ts";
import type { View } from "../model/view.ts";
import { type Declared, entriesOf } from "./params.ts";
import type {
  EstimatorShortcuts,
  OrderShortcuts,
  Sought,
  SpeculationShortcuts,
} from "./shortcuts.ts";

/** The context that a policy gets with each question. */
export interface Context<P, M> {
  readonly view: View;
  readonly params: P;
  /**
   * Plain data; survives `structuredClone`. `hears` and `scan` write it, the other hooks read it.
   */
  readonly memory: M;
  readonly estimate: Estimates;
  /**
   * Whether the host has the capability. For capabilities that the policy wants but does not need.
   */
  has(capability: Capability): boolean;
  /** Uniform in [0, 1), from the policy's own seeded stream. */
  random(): number;
  /** Whether anyone reads why something is refused; if not, a refusal must cost nothing. */
  readonly explains: boolean;
}

export interface Policy<P, M> {
  readonly name: string;
  /** Authors, title, year, section; or the source file of the system. */
  readonly source: string;
  /**
   * The parameters, as `params` makes them: each with its default, its bounds and a line for
   * tables.
   */
  readonly params: Declared<P>;
  readonly needs: readonly Capability[];
  readonly wants?: readonly Capability[];
  remember(): M;
  /** A handler for each kind of event and notice that the policy hears; it hears no others. */
  readonly hears?: Hears<P, M>;
}

/** The events and notices that a policy may hear. */
export type Heard = ClusterEvent | Notice;

export type HeardOf<K extends Heard["kind"]> = Extract<Heard, { readonly kind: K }>;

/**
 * A function for each kind that a policy hears, called after the event was applied. Must not count
 * reports: the view has them.
 */
export type Hears<P, M> = {
  readonly [K in Heard["kind"]]?: Hear<Context<P, M>, HeardOf<K>>;
};

/** The type of a method, so that a policy with any parameters and memory fits its seat. */
export type Hear<C, W> = { hear(ctx: C, what: W): void }["hear"];

/** Whose turn? */
export interface SharingPolicy<P = object, M = unknown> extends Policy<P, M> {
  /** Whether the job may have tasks launched yet. Asked at submission and after each job's end. */
  admit?(ctx: Context<P, M>, job: JobId): boolean;
  /** Which free slots of a node to fill in this offer, in order. */
  plan(ctx: Context<P, M>, node: NodeId, free: SlotCounts): SlotPlan;
  /**
   * The jobs in the order in which they get a turn at the slot; if `among` is "waiting", only jobs
   * with waiting tasks need be listed.
   */
  jobs(ctx: Context<P, M>, slot: Slot, among: "waiting" | "all"): Iterable<JobId>;
  /** How far from its data a task of the job may run now; "any" where the hook is missing. */
  allowedLocality?(ctx: Context<P, M>, job: JobId, slot: Slot): Locality;
  /** Called on the policy's own timer, for pre-emption. */
  scan?(ctx: Context<P, M>): readonly Ask[];
}

export interface SlotPlan {
  readonly slots: readonly SlotKind[];
  /**
   * After this many off-rack or speculative launches of a kind, the kind gets no further launch in
   * this offer.
   */
  readonly farMax: number;
  /** The most launches in this offer, of any kind; no limit if left out. */
  readonly launchesMax?: number;
}

/** Which task? */
export interface TaskOrder<P = object, M = unknown> extends Policy<P, M>, OrderShortcuts {
  /** Smallest first, ties by id. The key must not change while the task waits. */
  key(ctx: Context<P, M>, task: TaskId): number;
  eligible?(ctx: Context<P, M>, task: TaskId, slot: Slot): boolean;
  /**
   * When the clock alone makes a waiting task eligible next, later than now: held slots are asked
   * about then, and not only once more each `askAgainMs`. Asked at the end of each step.
   */
  eligibleFrom?(ctx: Context<P, M>): Instant | undefined;
  /** Whether the task is served first wherever the slot is. */
  ignoresLocality?(ctx: Context<P, M>, task: TaskId): boolean;
  /**
   * Whether the key comes before locality. A slot then goes to the first waiting task by key,
   * wherever its data are, unless that task has a better place: a free slot on a node or rack that
   * it prefers, or on a node with its data. Otherwise a slot goes first to tasks with data on the
   * node, then on the rack, then to the others.
   */
  readonly keyBeforeLocality?: boolean;
  /**
   * How many tasks of a phase may hold slots while a phase that it reads waits for slots of the
   * same kind; up to this number the reader comes first. 0 where the hook is missing, while the
   * waiting phase itself holds no slot, and where any of the phases takes slots of several kinds.
   */
  readersBeside?(ctx: Context<P, M>, phase: PhaseId): number;
  /**
   * Whether readers that were allowed to start remain so when outputs that they need are lost and
   * recomputed. Without this flag, readers wait until enough outputs exist again.
   */
  readonly readersStayReady?: boolean;
  /**
   * Called when tasks with replicas have begun to wait, and on the policy's own timer: for
   * pre-emption by a `kill` whose `for` names a waiting task.
   */
  scan?(ctx: Context<P, M>): readonly Ask[];
}

/** Another copy? */
export interface SpeculationPolicy<P = object, M = unknown>
  extends Policy<P, M>,
    SpeculationShortcuts {
  /** Asked before a waiting task of the job gets the slot. */
  onContendedSlot?(ctx: Context<P, M>, job: JobId, slot: Slot): readonly Ask[];
  /** Asked when the job has no waiting task for the slot. */
  onIdleSlot?(ctx: Context<P, M>, job: JobId, slot: Slot): readonly Ask[];
  /**
   * Asked when tasks of the phase begin to wait. A `wake` at `view.now` calls `scan` in this step.
   */
  onPhaseReady?(ctx: Context<P, M>, phase: PhaseId): readonly Ask[];
  /**
   * Asked when the last output that the phase reads is there, and each time lost outputs have been
   * made again. As in `onPhaseReady`, a `wake` at `view.now` calls `scan` in this step.
   */
  onInputWritten?(ctx: Context<P, M>, phase: PhaseId): readonly Ask[];
  /** Called on the policy's own timer; returns a `wake` for the next look. */
  scan?(ctx: Context<P, M>): readonly Ask[];
}

/** Where should data be? */
export interface DataPolicy<P = object, M = unknown> extends Policy<P, M> {
  /** Readers start no earlier than when this fraction of the phase they read is done. */
  slowstart?(ctx: Context<P, M>): number;
  onPhaseReady?(ctx: Context<P, M>, phase: PhaseId): readonly Ask[];
  onOutput?(ctx: Context<P, M>, task: TaskId): readonly Ask[];
  /** lost: the node is gone; missed: readers failed to fetch the output. */
  onOutputLost?(ctx: Context<P, M>, task: TaskId, how: "lost" | "missed"): readonly Ask[];
  scan?(ctx: Context<P, M>): readonly Ask[];
}

/** How long? Answers are in milliseconds. An estimator's own context has no `estimate`. */
export interface Estimator<P = object, M = unknown> extends Policy<P, M>, EstimatorShortcuts {
  /** May be negative or Infinity, never NaN. */
  timeLeft(ctx: EstimatorContext<P, M>, attempt: AttemptId): number;
  newCopy(ctx: EstimatorContext<P, M>, task: TaskId, node?: NodeId): Distribution;
  /**
   * Called when a scan has waited in vain for a report: the attempt counts as having made no
   * progress until now. Writes memory; called from `scan` only.
   */
  stall?(ctx: EstimatorContext<P, M>, attempt: AttemptId): void;
  /** Whether the estimator considers the attempt stalled; false where the hook is missing. */
  isStalled?(ctx: EstimatorContext<P, M>, attempt: AttemptId): boolean;
  /** Whether enough is known of the attempt to act on; true where the hook is missing. */
  mayJudge?(ctx: EstimatorContext<P, M>, attempt: AttemptId): boolean;
}

export type EstimatorContext<P, M> = Omit<Context<P, M>, "estimate">;

/** Who is dead? */
export interface DetectionPolicy<P = object, M = unknown> extends Policy<P, M> {
  /**
   * Milliseconds of silence until the node is lost. Asked at every step while the node is silent.
   */
  expiry(ctx: Context<P, M>, node: NodeId): number;
}

export interface Estimates {
  timeLeft(attempt: AttemptId): number;
  newCopy(task: TaskId, node?: NodeId): Distribution;
  /**
   * Running attempts of the phase, longest time left first, ties by id; lazy. Attempts that are not
   * sought may be left out.
   */
  longestFirst(phase: PhaseId, sought?: Sought): Iterable<Attempt>;
  /**
   * Reports to the estimator, from a `scan`, that no report of the attempt has come for too long.
   */
  stall(attempt: AttemptId): void;
  isStalled(attempt: AttemptId): boolean;
  mayJudge(attempt: AttemptId): boolean;
}

/** A policy in a seat, with its parameters. */
export interface Used<T> {
  readonly policy: T;
  readonly params: object;
}

/** One answer to each question; freely combined. */
export interface Discipline {
  readonly name: string;
  /** The files of the policies that a user has written: a replay needs the same files. */
  readonly files?: readonly string[];
  readonly sharing: Used<SharingPolicy>;
  readonly order: Used<TaskOrder>;
  readonly speculation: Used<SpeculationPolicy>;
  readonly data: readonly Used<DataPolicy>[];
  readonly estimator: Used<Estimator>;
  readonly detection: Used<DetectionPolicy>;
}

/** Puts a policy in a seat: its default parameters with the given changes. */
export function use<T extends Policy<object, unknown>>(
  policy: T,
  params: Partial<DefaultsOf<T>> = {},
): Used<T> {
  return { policy, params: { ...defaultsOf(policy), ...params } };
}

type DefaultsOf<T> = T extends Policy<infer P, unknown> ? P : never;

/** The default parameters of a policy. */
export function defaultsOf<P>(policy: Policy<P, unknown>): P {
  const values = entriesOf(policy.params).map(([name, param]) => [name, param.default]);
  return Object.fromEntries(values);
}

/** A discipline by the names and parameters of its policies, as in a journal's first line. */
export interface DisciplineDescription {
  readonly name: string;
  readonly files?: readonly string[];
  readonly sharing: PolicyDescription;
  readonly order: PolicyDescription;
  readonly speculation: PolicyDescription;
  readonly data: readonly PolicyDescription[];
  readonly estimator: PolicyDescription;
  readonly detection: PolicyDescription;
}

export interface PolicyDescription {
  readonly policy: string;
  readonly params: object;
}

export function describeDiscipline(discipline: Discipline): DisciplineDescription {
  const { files } = discipline;
  return {
    name: discipline.name,
    ...(files !== undefined && { files }),
    sharing: describe(discipline.sharing),
    order: describe(discipline.order),
    speculation: describe(discipline.speculation),
    data: discipline.data.map(describe),
    estimator: describe(discipline.estimator),
    detection: describe(discipline.detection),
  };
}

const describe = ({ policy, params }: Used<Policy<object, unknown>>): PolicyDescription => ({
  policy: policy.name,
  params: { ...params },
});
