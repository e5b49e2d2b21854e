import type { Distribution } from "../../base/distribution.ts";
import { InputError } from "../../base/input-error.ts";
import { nextFloat, type RandomState, randomState } from "../../base/random.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { Capability } from "../../model/cluster.ts";
import type { AttemptId, NodeId, PhaseId, TaskId } from "../../model/ids.ts";
import { findParam } from "../../policy/params.ts";
import type {
  Context,
  DataPolicy,
  DetectionPolicy,
  Estimates,
  Estimator,
  Hear,
  Heard,
  Policy,
  SharingPolicy,
  SpeculationPolicy,
  TaskOrder,
  Used,
} from "../../policy/policy.ts";
import type { Sought } from "../../policy/shortcuts.ts";
import type { Setup } from "../state/setup.ts";
import type { CoreView } from "../state/view.ts";
import { type Judge, longestFirst } from "./longest-first.ts";
import { fitted } from "./pull.ts";

/** A policy, its name in wakes, and the context of its calls. */
export interface SeatedPolicy<T extends Policy<object, unknown>> {
  /** The policy's name in wakes and in its random seed. */
  readonly owner: string;
  readonly policy: T;
  readonly ctx: SeatContext;
}

/** One context serves all questions of a seat. */
export class SeatContext implements Context<object, unknown> {
  readonly view: CoreView;
  params: object;
  memory: unknown;
  readonly estimate: Estimates;
  readonly explains: boolean;
  readonly #capabilities: ReadonlySet<Capability>;
  readonly #chance: RandomState;

  constructor(
    used: Used<Policy<object, unknown>>,
    owner: string,
    host: { view: CoreView; setup: Setup; estimate: Estimates; explains: boolean },
  ) {
    this.view = host.view;
    this.params = used.params;
    this.memory = used.policy.remember();
    this.estimate = host.estimate;
    this.explains = host.explains;
    this.#capabilities = new Set(host.setup.capabilities);
    this.#chance = randomState(host.setup.seed, owner);
  }

  has(capability: Capability): boolean {
    return this.#capabilities.has(capability);
  }

  random(): number {
    return nextFloat(this.#chance);
  }
}

/** The six seats of a discipline. */
export class Seats {
  readonly sharing: SeatedPolicy<SharingPolicy>;
  readonly order: SeatedPolicy<TaskOrder>;
  readonly speculation: SeatedPolicy<SpeculationPolicy>;
  readonly data: readonly SeatedPolicy<DataPolicy>[];
  readonly estimator: SeatedPolicy<Estimator>;
  readonly detection: SeatedPolicy<DetectionPolicy>;
  readonly all: readonly SeatedPolicy<Policy<object, unknown>>[];
  /** Whether speculation is asked about slots for which no task of a job waits. */
  readonly askIdle: boolean;
  /** Whether any policy may look at rates and estimates. */
  readonly anyoneJudges: boolean;
  /** The hearers of each kind of event or notice, in the order of `all`; undefined for none. */
  readonly hearers: { readonly [K in Heard["kind"]]?: readonly Hearer[] };

  constructor(setup: Setup, view: CoreView, explains: boolean) {
    const discipline = fitted(setup);
    const estimate = new SeatEstimates(view, () => this.estimator);
    const sit = <T extends Policy<object, unknown>>(
      used: Used<T>,
      owner: string,
    ): SeatedPolicy<T> => {
      for (const need of used.policy.needs) {
        if (setup.capabilities.includes(need)) continue;
        const text = `needs ${need}, which this host does not have`;
        throw new InputError("missing-capability", `${owner} ${used.policy.name}`, text);
      }
      const host = { view, setup, estimate, explains };
      return { owner, policy: used.policy, ctx: new SeatContext(used, owner, host) };
    };
    this.sharing = sit(discipline.sharing, "sharing");
    this.order = sit(discipline.order, "order");
    this.speculation = sit(discipline.speculation, "speculation");
    this.data = discipline.data.map((used, index) => sit(used, `data-${index}`));
    this.estimator = sit(discipline.estimator, "estimator");
    this.detection = sit(discipline.detection, "detection");
    // The estimator comes first: its estimates are up to date before another policy uses them.
    this.all = [
      this.estimator,
      this.detection,
      this.order,
      ...this.data,
      this.sharing,
      this.speculation,
    ];
    this.askIdle = this.speculation.policy.onIdleSlot !== undefined;
    this.anyoneJudges = this.#hasJudges();
    // If no policy asks for estimates, the estimator need not hear anything.
    this.hearers = hearersAmong(
      this.all.filter((seat) => seat !== this.estimator || this.anyoneJudges),
    );
  }

  #hasJudges(): boolean {
    const { onContendedSlot, onIdleSlot, scan } = this.speculation.policy;
    const scans = [scan, this.sharing.policy.scan, this.order.policy.scan];
    const hooks = [onContendedSlot, onIdleSlot, ...scans];
    return this.data.length > 0 || hooks.some((hook) => hook !== undefined);
  }

  /** The fault of a new value of a text parameter; undefined if it has none. */
  sharingFault(parameter: string, value: string): string | undefined {
    const { policy } = this.sharing;
    const param = findParam(policy, parameter);
    if (typeof param?.default !== "string" || typeof value !== "string") {
      return `a text for a text parameter of ${policy.name}`;
    }
    return param.fault?.(value);
  }

  /** Call only with a value that `sharingFault` accepts. */
  tuneSharing(parameter: string, value: string): void {
    const { ctx } = this.sharing;
    ctx.params = { ...ctx.params, [parameter]: value };
  }

  /** Tells the policies that hear the kind. */
  tell(what: Heard): void {
    tell(this.hearers[what.kind], what);
  }
}

function hearersAmong(
  seats: readonly SeatedPolicy<Policy<object, unknown>>[],
): Record<string, Hearer[]> {
  const hearers: Record<string, Hearer[]> = {};
  for (const { policy, ctx } of seats) {
    for (const [kind, hear] of Object.entries(policy.hears ?? {})) {
      if (hear === undefined) continue;
      hearers[kind] ??= [];
      hearers[kind].push({ ctx, hear });
    }
  }
  return hearers;
}

/** Tells the hearers of the event's or notice's kind. */
export function tell(hearers: readonly Hearer[] | undefined, what: Heard): void {
  if (hearers === undefined) return;
  for (const { ctx, hear } of hearers) hear(ctx, what);
}

interface Hearer {
  readonly ctx: SeatContext;
  readonly hear: Hear<SeatContext, Heard>;
}

/** The estimates of the estimator in its seat. */
class SeatEstimates implements Estimates {
  readonly #view: CoreView;
  readonly #seat: () => SeatedPolicy<Estimator>;

  constructor(view: CoreView, seat: () => SeatedPolicy<Estimator>) {
    this.#view = view;
    this.#seat = seat;
  }

  timeLeft(attempt: AttemptId): number {
    const { policy, ctx } = this.#seat();
    return policy.timeLeft(ctx, attempt);
  }

  newCopy(task: TaskId, node?: NodeId): Distribution {
    const { policy, ctx } = this.#seat();
    return policy.newCopy(ctx, task, node);
  }

  stall(attempt: AttemptId): void {
    const { policy, ctx } = this.#seat();
    policy.stall?.(ctx, attempt);
  }

  isStalled(attempt: AttemptId): boolean {
    const { policy, ctx } = this.#seat();
    return policy.isStalled?.(ctx, attempt) ?? false;
  }

  mayJudge(attempt: AttemptId): boolean {
    const { policy, ctx } = this.#seat();
    return policy.mayJudge?.(ctx, attempt) ?? true;
  }

  longestFirst(phase: PhaseId, sought?: Sought): Iterable<Attempt> {
    const rates = this.#view.ratesOf(this.#view.phaseRecord(phase));
    const { policy, ctx } = this.#seat();
    const judge: Judge = {
      steady: policy.steady,
      timeLeft: ({ id }) => policy.timeLeft(ctx, id),
      timeLeftBy: policy.timeLeftBy?.bind(policy),
    };
    return longestFirst(rates, judge, this.#view.now, sought);
  }
}
