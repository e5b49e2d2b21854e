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
import type { FluidFlow } from "./fluid/fluid.ts";
import type { Machine } from "./machine.ts";
import { nearestReplica, outputTargets } from "./replicas.ts";
import type { FlowingRun, PhaseWork, SimAttempt, SimEnd, SimNode, StoredOutput } from "./state.ts";
import { plus, StepRun } from "./step-run.ts";
import { mapSteps, reduceSteps, startSteps, type WorkStep } from "./steps.ts";
import { wayBetween, wayOfCores, wayOfDisk, wayOfPipeline, wayOfScratch } from "./way.ts";
import type { World } from "./world.ts";

/** Of what is drawn for an attempt, the part for the order in which it fetches. */
const FETCHES = 1;

/** An attempt that reads, computes and writes, and shares disks, cores and links with others. */
export class FluidRun implements FlowOwner, FlowingRun {
  readonly kind = "fluid";
  readonly #world: World;
  readonly #attempt: SimAttempt;
  /** The score at which it fails. */
  readonly #failsAt: number;
  /** What is drawn for it. */
  readonly #chance: RandomState;
  #copy: Fetching | undefined;
  #steps: readonly WorkStep[] = [];
  #next = 0;
  #step: StepRun | undefined;
  /** Whether a reduce is past its start. */
  #copies = false;
  /** Where a map reads from. */
  #source: SimNode | undefined;
  /** Where the present block of a reduce's output is written to, its own node first. */
  #targets: readonly SimNode[] = [];
  /** Nodes that read or write blocks for it now. */
  #serving: readonly SimNode[] = [];
  /** What was done before the present step. */
  #score = 0;
  #bytesRead = 0;
  #bytesWritten = 0;
  readonly #past: Segment[] = [];
  /** In the agenda: its next report, if that will say something new. */
  #report: number | undefined;

  constructor(
    world: World,
    attempt: SimAttempt,
    drawn: { readonly failsAt: number | undefined; readonly chance: RandomState },
  ) {
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
    const copy = new Fetching({
      world: this.#world,
      attempt: this.#attempt,
      owner: this,
      spec: spec.fetch,
      lanes: spec.lanes,
      share: shares[task.index] ?? 0,
      outputs: phase.upstream.flatMap(({ phase: from }) => from.tasks.map(({ id }) => id)),
      chance: split(this.#chance, FETCHES),
    });
    this.#copy = copy;
    phase.fetching.add(this);
    copy.beIdle();
    for (const { phase: from } of phase.upstream) this.#addReady(from.tasks);
  }

  #addReady(tasks: readonly { readonly id: StoredOutput["task"] }[]): void {
    for (const { id } of tasks) {
      const output = this.#world.outputs.get(id);
      if (output === undefined) this.#copy?.missIfNowhere(id);
      else this.outputIsReady(output);
    }
  }

  get #machine() {
    return defined(this.#attempt.node.machine, "a node that belongs to a machine");
  }

  outputIsReady(output: StoredOutput): void {
    this.#copy?.add(output);
    this.rateChanged();
  }

  retry(): void {
    this.#copy?.fill();
  }

  rateChanged(): void {
    const { now, agenda, timing } = this.#world;
    if (this.#report !== undefined || this.#attempt.end !== undefined) return;
    // The scheduler sees what the last report said, so a new curve is early enough with the next
    // one.
    const { startedAt, place } = this.#attempt;
    const every = timing.reportEveryMs;
    const at = every === 0 ? now : startedAt + Math.ceil((now - startedAt) / every) * every;
    this.#report = agenda.enter(Math.max(now, at), REPORT, place);
  }

  /** Its next report is due. */
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

  flowEnded(flow: FluidFlow<FlowOwner>): void {
    if (this.#copy !== undefined) {
      this.#copy.flowEnded(flow);
      this.#copyMayBeDone();
      return;
    }
    // Of flows that end together, an earlier one may have been the end of this attempt.
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
    this.#attempt.phase.fetching.delete(this);
    this.#copy = undefined;
    this.#score = 1 / 3;
    this.#bytesRead = copy.bytes;
    this.#next = 0;
    this.#steps = reduceSteps(work.spec, copy.bytes, this.#machine.host.spec);
    if (this.#failsAt <= this.#score) this.#finish({ how: "failed" });
    else this.#goOn();
  }

  /** The next step that takes any time. */
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
    // Where it fails on the way, the step ends there.
    const share = step.score === 0 ? 1 : (this.#failsAt - this.#score) / step.score;
    const part = Math.min(1, Math.max(0, share));
    const run = new StepRun({ step, part, fluid, owner: this });
    this.#step = run;
    if (step.computeMs > 0) run.compute(now, wayOfCores(this.#machine, this.#coresMost));
    this.#flow(run);
  }

  /** What is left of the step begins to flow. */
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

  /** Scratch goes when the attempt ends, what others fetch when its job ends, output never. */
  #deleterOf(step: WorkStep): object | undefined {
    if (!step.writes) return this;
    const { phase } = this.#attempt;
    return phase.readers.length > 0 ? phase : undefined;
  }

  /** What finds no room in memory waits for the disk. */
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

  /** Chosen when the block is first written; those that have died since are left out. */
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
    for (const node of this.#serving) node.blocksServed -= 1;
    for (const node of nodes) node.blocksServed += 1;
    this.#serving = nodes;
  }

  #finish(end: SimEnd): void {
    this.stop();
    endAttempt(this.#world, this.#attempt, end);
  }

  /** Cores at factor 1. */
  get #coresMost(): number {
    const { node, phase } = this.#attempt;
    return phase.work.kind === "fixed" ? 1 : phase.work.spec.threads / node.slowness;
  }

  /** Its node runs at another speed: the cores that it may use alone change with it. */
  speedChanged(): void {
    this.#step?.boundCores(this.#coresMost);
  }

  /** A node with input or outputs has died, or one that its own output is written to. */
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

  /** The disk of its node is full: whatever writes there fails. */
  diskFilled(): void {
    if (this.#step?.step.writes === true) this.#finish({ how: "failed" });
  }

  stop(): void {
    this.#copy?.stop();
    this.#copy = undefined;
    this.#attempt.phase.fetching.delete(this);
    this.#step?.stop(this.#world.now);
    this.#step = undefined;
    this.#isServedBy([]);
    this.#machine.host.cache?.forget(this, this.#world.now);
    if (this.#report !== undefined) this.#world.agenda.remove(this.#report);
    this.#report = undefined;
  }
}
