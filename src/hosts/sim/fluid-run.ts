import { assert, defined, never } from "../../base/assert.ts";
import { instant } from "../../model/ids.ts";
import {
  type Amounts,
  NO_AMOUNTS,
  type ProgressCurve,
  type Segment,
} from "../../model/progress.ts";
import { REPORT } from "./agenda.ts";
import { endAttempt } from "./end-attempt.ts";
import { Fetching } from "./fetching.ts";
import type { FlowOwner } from "./flow-owner.ts";
import { type Flow, remainingAt } from "./fluid/fluid.ts";
import { wayBetween } from "./machine.ts";
import type { AttemptEnd, SimAttempt } from "./sim-attempt.ts";
import type { SimNode } from "./sim-node.ts";
import { mapSteps, reduceSteps, type Step } from "./steps.ts";
import type { StoredOutput } from "./stored-output.ts";
import type { World } from "./world.ts";

/** An attempt that reads, computes and writes, and shares disks, cores and links with others. */
export class FluidRun implements FlowOwner {
  readonly kind = "fluid";
  readonly #world: World;
  readonly #attempt: SimAttempt;
  /** The score at which it fails. */
  readonly #failsAt: number;
  #copy: Fetching | undefined;
  #steps: readonly Step[] = [];
  #next = 0;
  #step: Step | undefined;
  #flow: Flow<FlowOwner> | undefined;
  /** Of the present step, what was done before the present flow. */
  #doneBefore = 0;
  /** Where a map reads from. */
  #source: SimNode | undefined;
  /** What was done before the present step. */
  #score = 0;
  #bytesRead = 0;
  #bytesWritten = 0;
  readonly #past: Segment[] = [];
  /** In the agenda: its next report, if that will say something new. */
  #report: number | undefined;

  constructor(world: World, attempt: SimAttempt, failsAt: number | undefined) {
    this.#world = world;
    this.#attempt = attempt;
    this.#failsAt = failsAt ?? Number.POSITIVE_INFINITY;
  }

  begin(): void {
    const { work, upstream } = this.#attempt.phase;
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
        this.#copy = new Fetching({
          world: this.#world,
          attempt: this.#attempt,
          owner: this,
          spec: work.spec.fetch,
          lanes: work.spec.lanes,
          share: work.shares[this.#attempt.task.index] ?? 0,
          outputs: upstream.flatMap(({ phase }) => phase.tasks.map(({ id }) => id)),
        });
        this.#attempt.phase.fetching.add(this);
        for (const phase of upstream) this.#addReady(phase.phase.tasks);
        break;
      default:
        never(work);
    }
  }

  #addReady(tasks: readonly { readonly id: StoredOutput["task"] }[]): void {
    for (const { id } of tasks) {
      const output = this.#world.outputs.get(id);
      if (output !== undefined) this.outputIsReady(output);
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
    if (this.#attempt.node.health === "up") this.tellProgress();
  }

  tellProgress(): void {
    const { now } = this.#world;
    this.#world.tell({
      at: now,
      kind: "attempt-progressed",
      attempt: this.#attempt.id,
      progress: this.curve(),
    });
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
    const step = this.#step;
    const flow = this.#flow;
    if (step === undefined || flow === undefined || flow.size === 0) {
      return { from: now, stage: step?.stage ?? 0, at: standing, perMs: NO_AMOUNTS };
    }
    const units = flow.rate / step.size;
    const done = (this.#doneBefore + flow.size - remainingAt(flow, now)) / step.size;
    return {
      from: now,
      stage: step.stage,
      at: plus(standing, step, done),
      perMs: plus(NO_AMOUNTS, step, units),
    };
  }

  flowEnded(flow: Flow<FlowOwner>): void {
    if (this.#copy !== undefined) {
      this.#copy.flowEnded(flow);
      this.#copyMayBeDone();
      return;
    }
    const step = this.#step;
    // Of flows that end together, an earlier one may have been the end of this attempt.
    if (step === undefined || this.#flow !== flow) return;
    this.#flow = undefined;
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
    this.#steps = reduceSteps(work.spec, copy.bytes, this.#machine.host.spec);
    if (this.#failsAt <= this.#score) this.#finish({ how: "failed" });
    else this.#goOn();
  }

  /** The next step that takes any time. */
  #goOn(): void {
    for (;;) {
      const step = this.#steps[this.#next];
      this.#next += 1;
      this.#step = step;
      this.#doneBefore = 0;
      if (step === undefined) {
        const bytes = this.#bytesWritten;
        this.#finish({ how: "succeeded", bytes });
        return;
      }
      if (step.size > 0) {
        this.#startStep(step);
        return;
      }
      this.#score += step.score;
    }
  }

  #startStep(step: Step): void {
    const { node } = this.#attempt;
    const machine = this.#machine;
    // Where it fails on the way, the step ends there.
    const part = Math.min(1, Math.max(0, (this.#failsAt - this.#score) / step.score));
    const size = step.size * part - this.#doneBefore;
    if (step.on === "disk" && step.writes && node.diskFull) {
      this.#finish({ how: "failed" });
    } else if (step.on === "cores") {
      this.#flowThrough([machine.cores, machine.host.cores, machine.gate], size, 1 / node.slowness);
    } else if (step.on === "disk") {
      this.#flowThrough([machine.disk, machine.host.disk, machine.gate], size);
    } else {
      this.#source = this.#nearestReplica();
      if (this.#source?.machine === undefined) this.#finish({ how: "failed" });
      else this.#flowThrough(wayBetween(this.#source.machine, machine), size);
    }
  }

  #flowThrough(uses: ReturnType<typeof wayBetween>, size: number, bound?: number): void {
    const start = { tag: this, uses, size: Math.max(0, size) };
    this.#flow = this.#world.fluid.start(
      this.#world.now,
      bound === undefined ? start : { ...start, bound },
    );
    this.rateChanged();
  }

  /** On its own node, else its machine, else its rack; of several, by the task's number. */
  #nearestReplica(): SimNode | undefined {
    const { task, node } = this.#attempt;
    const alive = task.replicas
      .map((id) => this.#world.node(id))
      .filter(({ health }) => health !== "dead");
    const near = [
      alive.filter((other) => other === node),
      alive.filter(({ machine }) => machine?.host === node.machine?.host),
      alive.filter((other) => other.node.rack === node.node.rack),
      alive,
    ].find((nodes) => nodes.length > 0);
    return near?.[task.index % near.length];
  }

  #finish(end: AttemptEnd): void {
    this.stop();
    endAttempt(this.#world, this.#attempt, end);
  }

  /** Its node runs at another speed: the cores that it may use alone change with it. */
  speedChanged(): void {
    if (this.#flow !== undefined && this.#step?.on === "cores") {
      this.#world.fluid.setBound(this.#flow, 1 / this.#attempt.node.slowness);
    }
  }

  /** A node with input or outputs has died. */
  nodeDied(node: SimNode): void {
    this.#copy?.sourceBroke(node, "no-answer");
    const flow = this.#flow;
    if (this.#source !== node || flow === undefined || this.#step?.on !== "input") return;
    this.#world.fluid.stop(this.#world.now, flow);
    this.#doneBefore += flow.size - flow.remaining;
    this.#flow = undefined;
    this.#startStep(this.#step);
  }

  outputsGone(node: SimNode): void {
    this.#copy?.sourceBroke(node, "gone");
  }

  nodeGivenUp(node: SimNode): void {
    this.#copy?.forget(node);
  }

  /** The disk of its node is full: whatever writes there fails. */
  diskFilled(): void {
    if (this.#step?.on === "disk" && this.#step.writes) this.#finish({ how: "failed" });
  }

  stop(): void {
    this.#copy?.stop();
    this.#copy = undefined;
    this.#attempt.phase.fetching.delete(this);
    if (this.#flow !== undefined) this.#world.fluid.stop(this.#world.now, this.#flow);
    this.#flow = undefined;
    if (this.#report !== undefined) this.#world.agenda.remove(this.#report);
    this.#report = undefined;
  }
}

function plus(amounts: Amounts, step: Step, times: number): Amounts {
  return {
    score: amounts.score + step.score * times,
    bytesRead: amounts.bytesRead + step.bytesRead * times,
    bytesWritten: amounts.bytesWritten + step.bytesWritten * times,
    records: 0,
  };
}
