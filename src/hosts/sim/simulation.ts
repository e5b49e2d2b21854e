import { assert, defined, never } from "../../base/assert.ts";
import { compact } from "../../base/compact.ts";
import { ascending } from "../../base/order.ts";
import type { Action } from "../../model/action.ts";
import { instant, type JobId, nodeId } from "../../model/ids.ts";
import {
  AGAIN,
  ARRIVAL,
  BEAT,
  BEGIN,
  FAULT,
  FINISH,
  FLOWS,
  goesOn,
  kindOf,
  LINKS,
  REPORT,
  RETRY,
  SILENCE,
  SLOTS,
  subjectOf,
  WAKE,
} from "./agenda.ts";
import { dropAll, fixedWorkEnds, kill, launch, waitIsOver } from "./attempts.ts";
import { beatIsDue } from "./beat.ts";
import type { SimFaults } from "./faults.ts";
import type { FlowOwner } from "./flow-owner.ts";
import { giveUp, join, silenceIsDue } from "./node-life.ts";
import { addCopy, dropOutput } from "./outputs.ts";
import { awaitPinned, dropPins } from "./pins.ts";
import { awaitSlots, slotsChange } from "./slot-changes.ts";
import type { SimNode, SimPhase } from "./state.ts";
import { wayOfOutput, wayToWrite } from "./way.ts";
import type { Arrival, SimJob, Workload } from "./workload.ts";
import type { World } from "./world.ts";

/** After this time with only recurring entries, no live job will ever move again. */
const STUCK_AFTER_MS = 24 * 3_600_000;

const TURNS_A_LOOK = 4_096;

/** The loop: takes the next entry of the agenda until the last job has ended. */
export class Simulation {
  readonly #world: World;
  readonly #workload: Workload;
  readonly #faults: SimFaults;
  readonly #jobs = new Map<JobId, SimJob>();
  #coming: Arrival | undefined;
  /** When an entry that does not recur for ever was last due. */
  #movedAt = 0;

  constructor(world: World, workload: Workload, faults: SimFaults) {
    this.#world = world;
    this.#workload = workload;
    this.#faults = faults;
  }

  /**
   * Runs to the end, and calls `look` now and then. Returns the names of the jobs that never ended,
   * because no node was left.
   */
  run(look: (() => void) | undefined): readonly string[] {
    const { agenda } = this.#world;
    let turns = 0;
    this.#awaitNext();
    for (const node of this.#world.nodes) join(this.#world, node);
    awaitSlots(this.#world);
    this.#world.measureLinks();
    while (this.#isLive || this.#world.beatsPending > 0) {
      if (this.#world.mustShare && agenda.nextTime > this.#world.now) this.#world.share();
      const next = agenda.nextTime;
      if (next === Number.POSITIVE_INFINITY || this.#isStuck()) break;
      assert(next >= this.#world.now, "time never runs backwards");
      this.#world.now = instant(compact(next));
      this.#happen(agenda.take());
      turns += 1;
      if (turns % TURNS_A_LOOK === 0) look?.();
    }
    // Attempts whose kill was ordered on nodes that will not report again end here.
    for (const node of this.#world.nodes) dropAll(this.#world, node);
    this.#world.tally.close(this.#world.now);
    return [...this.#jobs.values()].map(({ job }) => job.name);
  }

  get #isLive(): boolean {
    return this.#jobs.size > 0 || this.#coming !== undefined;
  }

  #isStuck(): boolean {
    return this.#world.agenda.isIdle && this.#world.now - this.#movedAt > STUCK_AFTER_MS;
  }

  #happen(payload: number): void {
    const world = this.#world;
    const subject = subjectOf(payload);
    const kind = kindOf(payload);
    if (!goesOn(kind)) this.#movedAt = world.now;
    switch (kind) {
      case WAKE:
        world.feed({ at: world.now, kind: "woken" });
        return;
      case FINISH:
        fixedWorkEnds(world, subject);
        return;
      case BEAT:
        beatIsDue(world, world.node(nodeId(subject)));
        return;
      case ARRIVAL:
        this.#arrive();
        return;
      case LINKS:
        world.measureLinks();
        return;
      case FAULT:
      case AGAIN:
        this.#faults.isDue(subject);
        return;
      case SILENCE:
        silenceIsDue(world, world.node(nodeId(subject)));
        return;
      case FLOWS:
        world.endFlows();
        this.#movedAt = world.now;
        return;
      case BEGIN:
        waitIsOver(world, subject);
        return;
      case SLOTS:
        slotsChange(world, nodeId(subject));
        return;
      case REPORT:
      case RETRY:
        this.#reportOrRetry(kind, subject);
        return;
      default:
        assert(false, `the agenda holds no entry of kind ${kind}`);
    }
  }

  #reportOrRetry(kind: number, place: number): void {
    // A retry stays in the agenda when its reader ends; another attempt may have the reader's
    // place.
    const run = this.#world.flowing.at(place)?.run;
    if (kind === REPORT) run?.report();
    else run?.retry();
  }

  #awaitNext(): void {
    this.#coming = this.#workload.next();
    if (this.#coming !== undefined) this.#world.agenda.enter(this.#coming.atMs, ARRIVAL);
  }

  #arrive(): void {
    const world = this.#world;
    const arrival = defined(this.#coming, "a job that comes");
    const made = arrival.build(world.ids, world.now);
    this.#awaitNext();
    this.#jobs.set(made.job.id, made);
    for (const phase of made.phases) {
      world.phases.add(phase);
      awaitPinned(world, phase);
    }
    world.feed({ at: world.now, kind: "job-submitted", job: made.job });
  }

  /** Carries out an action of the scheduler. */
  act(action: Action): void {
    const world = this.#world;
    switch (action.kind) {
      case "launch":
        launch(world, action);
        return;
      case "kill":
        kill(world, action);
        return;
      case "wake":
        world.agenda.enter(Math.max(world.now, action.at), WAKE);
        return;
      case "end-job":
        this.#endJob(action.job);
        return;
      case "declare-lost":
        giveUp(world, world.node(action.node));
        return;
      case "replicate":
        replicate(world, action);
        return;
      case "request":
      case "withdraw":
      case "recompute":
      case "prefer":
      case "pass":
        // The scheduler keeps track of these by itself.
        return;
      default:
        never(action);
    }
  }

  #endJob(id: JobId): void {
    const world = this.#world;
    const { phases } = defined(this.#jobs.get(id), "a live job");
    for (const ended of phases) {
      world.phases.remove(ended);
      dropPins(world, ended);
      if (ended.readers.length > 0) this.#dropOutputs(ended);
    }
    this.#jobs.delete(id);
  }

  #dropOutputs(ended: SimPhase): void {
    for (const { id: task } of ended.phase.tasks) dropOutput(this.#world, task);
    for (const { machine } of this.#world.nodes) {
      machine?.host.cache?.forget(ended, this.#world.now);
    }
  }
}

/** A copy of an output on its way to another rack. */
class Replication implements FlowOwner {
  readonly #done: () => void;

  constructor(done: () => void) {
    this.#done = done;
  }

  flowEnded(): void {
    this.#done();
  }

  rateChanged(): void {}
}

/**
 * Copies an output to the node of the rack that holds, or will soon hold, the fewest outputs; at
 * once where bytes take no time.
 */
function replicate(
  world: World,
  { task, to }: Extract<Action, { readonly kind: "replicate" }>,
): void {
  const output = world.outputs.get(task);
  const source = output?.believed.find((node) => node.health === "up" && node.outputs.has(output));
  if (output === undefined || source === undefined) return;
  const [target] = world.nodes
    .filter((node) => node.node.rack === to && node.health === "up" && !node.outputs.has(output))
    .sort(byOutputs);
  if (target === undefined) return;
  const phase = world.phases.ofTask(task);
  target.copiesComing += 1;
  const done = () => {
    target.copiesComing -= 1;
    if (target.health !== "up" || world.outputs.get(task) !== output) return;
    addCopy(world, phase, output, target);
    world.feed({ at: world.now, kind: "output-replicated", task, node: target.node.id });
  };
  if (source.machine === undefined || target.machine === undefined) done();
  else {
    const { bytes: size } = output;
    const sent = wayOfOutput(source.machine, target.machine);
    const written = wayToWrite(target.machine, { size, now: world.now, owner: phase });
    const uses = [...new Set([...sent.uses, ...written.uses])];
    world.fluid.start(world.now, { ...sent, uses, tag: new Replication(done), size });
  }
}

const byOutputs = ascending<SimNode>(
  ({ outputs, copiesComing }) => outputs.size + copiesComing,
  ascending(({ node }) => node.id),
);
