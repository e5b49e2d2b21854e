import { assert, never } from "../../base/assert.ts";
import { InputError } from "../../base/input-error.ts";
import type { Action, Ask } from "../../model/action.ts";
import type { ClusterEvent } from "../../model/event.ts";
import type { Fact } from "../../model/fact.ts";
import type { JobId, TaskId } from "../../model/ids.ts";
import { apply } from "../loop/apply.ts";
import { perform } from "../loop/asks.ts";
import { launch } from "../loop/attempts.ts";
import { Core } from "../loop/core.ts";
import { admitJobs, beginAfterGaps, forgetEnded, shedTouched } from "../loop/jobs.ts";
import { loseNode } from "../loop/recover.ts";
import { dropRequest } from "../loop/requests.ts";
import { Seats } from "../loop/seats.ts";
import { Wakes } from "../loop/wakes.ts";
import { State } from "../state/state.ts";
import { CoreView } from "../state/view.ts";
import { checkEvent } from "../validate/check-event.ts";
import { PutAway } from "./put-away.ts";
import { type Script, scripted } from "./scripted.ts";
import type { SetupDescription } from "./setup-line.ts";

/** The actions that change the state. The others leave no trace in the facts. */
type Deed = Exclude<Action, { readonly kind: "pass" | "wake" | "replicate" | "prefer" }>;

/** Facts that no recorded action reveals: only the policy knows when a job is admitted. */
type Unrecorded = "job-begun";
export type RecordedFact = Exclude<Fact, { readonly kind: Unrecorded }>;

const RECORDED: ReadonlySet<Fact["kind"]> = new Set<RecordedFact["kind"]>([
  "node-joined",
  "node-silent",
  "node-heard",
  "node-lost",
  "job-submitted",
  "job-ended",
  "attempt-launched",
  "attempt-started",
  "attempt-dying",
  "attempt-ended",
  "output-made",
  "output-copied",
  "output-lost",
  "task-reopened",
  "request-made",
  "request-ended",
]);

/**
 * The core, driven by recorded events and recorded actions: no policy is asked. Consequences of an
 * event under the core's own rules happen by these rules, and must be among the recorded actions;
 * the other recorded actions are then carried out. The facts are those of a full replay, but for
 * `job-begun`; within a step their order may differ.
 */
export class Recorded {
  readonly #core: RecordedCore;
  readonly #putAway: PutAway;

  constructor(setup: SetupDescription) {
    this.#core = recordedCore(setup);
    this.#putAway = new PutAway(this.#core.state);
  }

  /** Throws an InputError with the `place` if the actions do not follow. */
  step(event: ClusterEvent, actions: readonly Action[], place: string): readonly Fact[] {
    const core = this.#core;
    const { state } = core;
    // The recorded policy is absent, so it cannot judge its new parameters.
    if (event.kind !== "sharing-tuned") checkEvent(core.state, core.seats, event);
    core.recorded = actions.filter((action): action is Deed => isDeed(action));
    core.place = place;
    if (state.touched.length > 0 || state.undone.length > 0) shedTouched(core);
    if (state.ended.size > 0) forgetEnded(core);
    this.#putAway.beginStep(event, actions);
    state.now = event.at;
    state.steps++;
    core.beginStep();
    if (event.kind !== "sharing-tuned") apply(core, event);
    if (state.inGap.size > 0) beginAfterGaps(core);
    if (state.outside.size > 0) admitJobs(core);
    for (let deed = core.recorded[0]; deed !== undefined; deed = core.recorded[0]) this.#do(deed);
    const { facts } = core.result();
    this.#putAway.endStep(facts);
    return facts;
  }

  #do(deed: Deed): void {
    const core = this.#core;
    const { state, view } = core;
    const before = core.recorded.length;
    switch (deed.kind) {
      case "launch": {
        const request = deed.request === undefined ? undefined : state.requests.get(deed.request);
        const [task, node] = [view.taskRecord(deed.task), view.nodeRecord(deed.node)];
        const isFree = node.usable && node.free(deed.slot) > 0;
        if (!isFree || !task.needed || deed.attempt !== state.nextAttempt) core.contradict(deed);
        if (request !== undefined) dropRequest(core, request, "bound");
        const { slot: kind, as, why } = deed;
        const bound = request === undefined ? {} : { request: request.id };
        launch(core, { task, node, kind, as, why, ...bound });
        break;
      }
      case "declare-lost":
        core.emit(deed);
        loseNode(core, view.nodeRecord(deed.node), deed.why);
        break;
      case "end-job":
        // Jobs end by the core's rules alone.
        core.contradict(deed);
        break;
      case "request":
      case "withdraw":
      case "kill":
      case "recompute":
        perform(core, core.seats.speculation, [deed]);
        break;
      default:
        never(deed);
    }
    // All actions that were carried out have been emitted.
    if (core.recorded.length === before) core.contradict(deed);
  }
}

const isDeed = ({ kind }: Action): boolean =>
  kind !== "pass" && kind !== "wake" && kind !== "replicate" && kind !== "prefer";

function recordedCore(setup: SetupDescription): RecordedCore {
  let core: RecordedCore | undefined;
  const of = (): RecordedCore => {
    assert(core !== undefined, "a script is read in a step");
    return core;
  };
  const script: Script = {
    recomputes: (task, how) => of().recomputes(task, how),
    ends: (job) => of().ends(job),
  };
  const discipline = scripted(script);
  const state = new State({ ...setup, discipline });
  const view = new CoreView(state);
  const seats = new Seats({ ...setup, discipline }, view, setup.explain);
  const wakes = new Wakes();
  core = new RecordedCore({ state, view, seats, wakes, explains: setup.explain, facts: RECORDED });
  return core;
}

/** Takes each action that the core emits from those that are recorded. */
class RecordedCore extends Core {
  /** The recorded actions of the present step that have not happened yet. */
  recorded: Deed[] = [];
  place = "";

  override emit(action: Action): void {
    if (!isDeed(action)) return;
    const at = this.recorded.findIndex((deed) => isSame(deed, action));
    if (at < 0) this.contradict(action);
    this.recorded.splice(at, 1);
  }

  /** Refusals come from the record and are not computed. */
  override pass(): void {}

  /**
   * A lost output is recomputed before the next is lost, so its recompute comes first. Those of
   * other outputs may come before that of a missed one, if a policy expects these to be missed too.
   */
  recomputes(task: TaskId, how: "lost" | "missed"): readonly Ask[] {
    const asks: Ask[] = [];
    for (const deed of this.recorded) {
      if (deed.kind !== "recompute") return [];
      asks.push(deed);
      if (deed.task === task) return asks;
      if (how === "lost") return [];
    }
    return [];
  }

  ends(job: JobId): boolean {
    return this.recorded.some((deed) => deed.kind === "end-job" && deed.job === job);
  }

  contradict({ kind }: Action): never {
    const problem = `expected actions that follow from the events before: ${kind} does not fit`;
    throw new InputError("bad-journal", this.place, problem);
  }
}

function isSame(deed: Deed, action: Action): boolean {
  switch (deed.kind) {
    case "launch":
      return action.kind === "launch" && action.attempt === deed.attempt;
    case "request":
      return action.kind === "request" && action.request === deed.request;
    case "withdraw":
      return action.kind === "withdraw" && action.request === deed.request;
    case "kill":
      return action.kind === "kill" && action.attempt === deed.attempt && action.then === deed.then;
    case "recompute":
      return action.kind === "recompute" && action.task === deed.task;
    case "declare-lost":
      return action.kind === "declare-lost" && action.node === deed.node;
    case "end-job":
      return (
        action.kind === "end-job" && action.job === deed.job && action.outcome === deed.outcome
      );
    default:
      return never(deed);
  }
}
