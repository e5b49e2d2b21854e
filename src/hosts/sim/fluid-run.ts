import { assert, defined, never } from "../../base/assert.ts";
import { type RandomState, split } from "../../base/random.ts";
import { instant } from "../../model/ids.ts";
import {
  type Amounts,
  NO_AMOUNTS,
  type ProgressCurve,
  type Segment,
} from "../../model/progress.ts";
import { REPORT } from "./agenda.ts";
import { endAttempt } from "./beat.ts";
import { Fetching } from "./fetching.ts";
import type { FlowOwner } from "./flow-owner.ts";
import type { Flow } from "./fluid/fluid.ts";
import type { Machine } from "./machine.ts";
import { nearestReplica, outputTargets } from "./replicas.ts";
import type { FlowingRun, PhaseWork, SimAttempt, SimEnd, SimNode } from "./state.ts";
import { plus, StepRun } from "./step-run.ts";
import { mapSteps, reduceSteps, startSteps, type WorkStep } from "./steps.ts";
import { wayBetween, wayOfCores, wayOfDisk, wayOfPipeline, wayOfScratch } from "./way.ts";
import type { MakeFlowingRun, World } from "./world.ts";

/** The substream of the attempt's random stream that orders its fetches. */
const FETCHES = 1;

/** An attempt that reads, computes and writes, and shares disks, cores and links with others. */
class FluidRun implements FlowOwner, FlowingRun {
  readonly kind = "fluid";
  readonly #world: World;
  readonly #attempt: SimAttempt;
  /** The score at which the attempt fails. */
  readonly #failsAt: number;
  /** The attempt's random stream. */
  readonly #chance: RandomState;
  #copy: Fetching | undefined;
  #steps: readonly WorkStep[] = [];
  #next = 0;
  #step: StepRun | undefined;
  /** Whether a reduce is past its start-up. */
  #copies = false;
  /** The node from which a map reads its input. */
  #source: SimNode | undefined;
  /** The nodes that receive the current block of a reduce's output, its own node first. */
  #targets: readonly SimNode[] = [];
  /** The nodes that currently read or write blocks for this attempt. */
  #serving: readonly SimNode[] = [];
  /** The totals of all steps before the current one. */
  #score = 0;
  #bytesRead = 0;
  #bytesWritten = 0;
  readonly #past: Segment[] = [];
  /** The next report in the agenda, if it has something new. */
  #report: number | undefined;

  constructor(world: World, attempt: SimAttempt, drawn: Parameters<MakeFlowingRun>[2]) {
    this.#world = world;
    this.#attempt = attempt;
    this.#failsAt = drawn.failsAt ?? Number.POSITIVE_INFINITY;
    this.#chance = drawn.chance;
  }

  begin(): void {
    const { work } = this.#attempt.phase;
    switch (work.kind) {
      case "fixed":
        assert(false, "fixed work does not flow");
        break;
      case "map": {
        const bytes = work.inputBytes[this.#attempt.task.index] ?? 0;
        this.#steps = mapSteps(work.spec, bytes, this.#machine.host.spec);
        this.#goOn();
        break;
      }
      case "reduce":
        this.#steps = startSteps(work.spec.startMs);
        this.#goOn();
        break;
      default:
        never(work);
    }
  }

  #beginCopy({ spec, shares }: Extract<PhaseWork, { readonly kind: "reduce" }>): void {
    this.#copies = true;
    const { phase, task } = this.#attempt;
    const ready = defined(phase.ready, "what a phase that fetches reads");
    const copy = new Fetching({
      world: this.#world,
      attempt: this.#attempt,
      owner: this,
      spec: spec.fetch,
      lanes: spec.lanes,
      share: shares[task.index] ?? 0,
      ready,
      chance: split(this.#chance, FETCHES),
    });
    this.#copy = copy;
    phase.fetching.add(this);
    this.#world.flowing.copying.add(this.#attempt);
    copy.beIdle();
    for (let place = 0; place < ready.wanted; place += 1) {
      if (this.#copy?.addReady(place) === true) this.rateChanged();
    }
  }

  get #machine() {
    return defined(this.#attempt.node.machine, "a node that belongs to a machine");
  }

  outputIsReady(): void {
    this.#copy?.look();
    this.rateChanged();
  }

  retry(): void {
    this.#copy?.fill();
  }

  rateChanged(): void {
    const { now, agenda, timing } = this.#world;
    if (this.#report !== undefined || this.#attempt.end !== undefined) return;
    // The scheduler sees only reports, so the next report is early enough for a new curve.
    const { startedAt, place } = this.#attempt;
    const every = timing.reportEveryMs;
    const at = every === 0 ? now : startedAt + Math.ceil((now - startedAt) / every) * every;
    this.#report = agenda.enter(Math.max(now, at), REPORT, place);
  }

  /** The attempt's next report is due. */
  report(): void {
    this.#report = undefined;
    if (this.#attempt.node.health === "up") this.reportProgress();
  }

  reportProgress(): void {
    const { id: attempt } = this.#attempt;
    const at = this.#world.now;
    this.#world.feed({ at, kind: "attempt-progressed", attempt, progress: this.curve() });
  }

  curve(): ProgressCurve {
    const segment = this.#segment();
    while (this.#past.length > 0 && (this.#past.at(-1)?.from ?? 0) >= segment.from)
      this.#past.pop();
    this.#past.push(segment);
    return {
      kind: "curve",
      startedAt: instant(this.#attempt.startedAt),
      segments: [...this.#past],
      reportEvery: this.#world.timing.reportEveryMs,
    };
  }

  #segment(): Segment {
    const { now } = this.#world;
    const standing: Amounts = {
      score: this.#score,
      bytesRead: this.#bytesRead,
      bytesWritten: this.#bytesWritten,
      records: 0,
    };
    if (this.#copy !== undefined) {
      const { done, bytes, perMs, bytesPerMs } = this.#copy.progress(now);
      const at = { ...standing, score: done / 3, bytesRead: bytes };
      const rates = { ...NO_AMOUNTS, score: perMs / 3, bytesRead: bytesPerMs };
      return { from: now, stage: 0, at, perMs: rates };
    }
    if (this.#step === undefined) return { from: now, stage: 0, at: standing, perMs: NO_AMOUNTS };
    const { step } = this.#step;
    const { done, perMs } = this.#step.pace(now);
    return {
      from: now,
      stage: step.stage,
      at: plus(standing, step, done),
      perMs: plus(NO_AMOUNTS, step, perMs),
    };
  }

  flowEnded(flow: Flow): void {
    if (this.#copy !== undefined) {
      this.#copy.flowEnded(flow);
      this.#copyMayBeDone();
      return;
    }
    // An earlier one of several flows that end together may have ended this attempt.
    if (this.#step === undefined || !this.#step.owns(flow)) return;
    if (!this.#step.flowEnded(flow)) {
      this.rateChanged();
      return;
    }
    const { step } = this.#step;
    if (this.#score + step.score >= this.#failsAt) {
      this.#finish({ how: "failed" });
      return;
    }
    this.#score += step.score;
    this.#bytesRead += step.bytesRead;
    this.#bytesWritten += step.bytesWritten;
    this.#goOn();
  }

  #copyMayBeDone(): void {
    const copy = this.#copy;
    const { work } = this.#attempt.phase;
    if (copy === undefined || !copy.isDone || work.kind !== "reduce") return;
    this.#endCopy();
    this.#score = 1 / 3;
    this.#bytesRead = copy.bytes;
    this.#next = 0;
    this.#steps = reduceSteps(work.spec, copy.bytes, this.#machine.host.spec);
    if (this.#failsAt <= this.#score) this.#finish({ how: "failed" });
    else this.#goOn();
  }

  #endCopy(): void {
    this.#copy = undefined;
    this.#attempt.phase.fetching.delete(this);
    this.#world.flowing.copying.delete(this.#attempt);
  }

  /** Moves on to the next step that takes any time. */
  #goOn(): void {
    for (;;) {
      const step = this.#steps[this.#next];
      this.#next += 1;
      this.#step = undefined;
      this.#targets = [];
      this.#isServedBy([]);
      if (step === undefined) {
        this.#stepsAreDone();
        return;
      }
      if (step.size > 0) {
        this.#begin(step);
        return;
      }
      this.#score += step.score;
    }
  }

  #stepsAreDone(): void {
    const { work } = this.#attempt.phase;
    if (work.kind === "reduce" && !this.#copies) this.#beginCopy(work);
    else this.#finish({ how: "succeeded", bytes: this.#bytesWritten });
  }

  #begin(step: WorkStep): void {
    const { now, fluid } = this.#world;
    // A step in which the attempt fails ends at the failure.
    const share = step.score === 0 ? 1 : (this.#failsAt - this.#score) / step.score;
    const part = Math.min(1, Math.max(0, share));
    const run = new StepRun({ step, part, fluid, owner: this });
    this.#step = run;
    if (step.computeMs > 0) run.compute(now, wayOfCores(this.#machine, this.#coresMost));
    this.#flow(run);
  }

  /** Starts the flow of the rest of the step. */
  #flow(run: StepRun): void {
    const { now } = this.#world;
    const { step } = run;
    const machine = this.#machine;
    if (step.writes && this.#attempt.node.diskFull) {
      this.#finish({ how: "failed" });
      return;
    }
    switch (step.on) {
      case "input":
        this.#source = nearestReplica(this.#world, this.#attempt);
        if (this.#source?.machine === undefined) {
          this.#finish({ how: "failed" });
          return;
        }
        this.#isServedBy([this.#source]);
        run.flow(now, wayBetween(this.#source.machine, machine));
        break;
      case "cores":
        run.flow(now, wayOfCores(machine, this.#coresMost));
        break;
      case "disk":
        this.#write(run);
        break;
      case "scratch":
        run.flow(now, wayOfScratch(machine));
        break;
      case "nothing":
        run.flow(now, { uses: [machine.gate], bound: 1 });
        break;
      case "output":
        run.flow(now, wayOfPipeline(this.#chooseTargets(), { size: run.left, now }));
        break;
      default:
        never(step.on);
    }
    this.rateChanged();
  }

  /**
   * Scratch files go when the attempt ends, map outputs when their job ends, final output never.
   */
  #deleterOf(step: WorkStep): object | undefined {
    if (!step.writes) return this;
    const { phase } = this.#attempt;
    return phase.readers.length > 0 ? phase : undefined;
  }

  /** Writes as much as fits in memory; the rest goes at the pace of the disk. */
  #write(run: StepRun): void {
    const { now } = this.#world;
    const { cache } = this.#machine.host;
    const kept = Math.min(run.left, cache?.room(now) ?? 0);
    cache?.take(kept, now, this.#deleterOf(run.step));
    if (cache !== undefined && kept === run.left) run.flow(now, wayOfScratch(this.#machine));
    else {
      run.skip(kept);
      run.flow(now, wayOfDisk(this.#machine));
    }
  }

  /** Chosen when the block is first written; nodes that have died since then are left out. */
  #chooseTargets(): readonly Machine[] {
    const { node, phase } = this.#attempt;
    if (this.#targets.length === 0 && phase.work.kind === "reduce") {
      const replicas = phase.work.spec.outputReplicas;
      const block = { writer: node, replicas, chance: this.#chance };
      this.#targets = outputTargets(this.#world.nodes, block);
    }
    this.#targets = this.#targets.filter(({ health }) => health !== "dead");
    this.#isServedBy(this.#targets);
    return this.#targets.flatMap(({ machine }) => machine ?? []);
  }

  #isServedBy(nodes: readonly SimNode[]): void {
    for (const node of this.#serving) node.serves.delete(this.#attempt);
    for (const node of nodes) node.serves.add(this.#attempt);
    this.#serving = nodes;
  }

  #finish(end: SimEnd): void {
    this.stop();
    endAttempt(this.#world, this.#attempt, end);
  }

  /** The most cores that the attempt may use, in cores of factor 1. */
  get #coresMost(): number {
    const { node, phase } = this.#attempt;
    return phase.work.kind === "fixed" ? 1 : phase.work.spec.threads / node.slowness;
  }

  /** The node's speed has changed, and with it the cores that the attempt may use alone. */
  speedChanged(): void {
    this.#step?.boundCores(this.#coresMost);
  }

  /** A node that holds input or outputs for this attempt, or receives its output, has died. */
  nodeDied(node: SimNode): void {
    this.#copy?.sourceBroke(node, "no-answer");
    const run = this.#step;
    if (run === undefined) return;
    const isCut =
      run.step.on === "input"
        ? this.#source === node && !node.hasInput
        : run.step.on === "output" && this.#targets.includes(node) && !node.machineIsOn;
    if (isCut && run.cut(this.#world.now)) this.#flow(run);
  }

  outputsGone(node: SimNode): void {
    this.#copy?.sourceBroke(node, "gone");
  }

  nodeGivenUp = (node: SimNode): void => this.#copy?.forget(node);

  /** The disk of the attempt's node is full: any write there fails. */
  diskFilled(): void {
    if (this.#step?.step.writes === true) this.#finish({ how: "failed" });
  }

  stop(): void {
    this.#copy?.stop();
    this.#endCopy();
    this.#step?.stop(this.#world.now);
    this.#step = undefined;
    this.#isServedBy([]);
    this.#machine.host.cache?.forget(this, this.#world.now);
    if (this.#report !== undefined) this.#world.agenda.remove(this.#report);
    this.#report = undefined;
  }
}

export const fluidRun: MakeFlowingRun = (world, attempt, drawn) =>
  new FluidRun(world, attempt, drawn);
