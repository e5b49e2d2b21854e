import { defined, never } from "../../base/assert.ts";
import { split } from "../../base/random.ts";
import type { Fault, NodeFault, RackFault } from "../../model/fault.ts";
import { coursesOf, type FaultCourse, type Moment, recurs } from "../../model/fault-course.ts";
import { AwaitedFaults, type MissedFault } from "../../model/missed-fault.ts";
import { AGAIN, FAULT } from "./agenda.ts";
import { evict } from "./attempts.ts";
import { RunningLoad } from "./load.ts";
import { comeBack, die, fillDisk, loseOutputs, pause, resume, speedChanged } from "./node-life.ts";
import type { SimRackLinks } from "./rack-links.ts";
import type { SimNode } from "./state.ts";
import type { World } from "./world.ts";

type Begin = Extract<Moment, { readonly is: "begin" }>;

/** Starts and ends faults when they are due. */
export class SimFaults {
  readonly #world: World;
  readonly #courses: readonly FaultCourse[];
  /** For each course, its moment in the agenda. */
  readonly #due: (Moment | undefined)[];
  readonly #awaited = new AwaitedFaults();
  readonly #nodes: ReadonlyMap<string, SimNode>;
  readonly #racks: ReadonlyMap<string, SimRackLinks>;

  constructor(
    world: World,
    faults: readonly Fault[],
    of: { readonly seed: number; readonly racks: readonly string[] },
  ) {
    this.#world = world;
    this.#nodes = new Map(world.nodes.map((node) => [node.node.name, node]));
    this.#racks = new Map(world.racks.map((links) => [of.racks[links.rack] ?? "", links]));
    this.#courses = coursesOf(faults, { ...of, nodes: [...this.#nodes.keys()] });
    this.#due = this.#courses.map(() => undefined);
    for (const index of this.#courses.keys()) this.#await(index);
  }

  /** Faults that have not happened to their targets. */
  get missed(): readonly MissedFault[] {
    return this.#awaited.missed;
  }

  #await(index: number): void {
    const course = this.#course(index);
    const { moments, fault } = course;
    const { value } = moments.next();
    this.#due[index] = value;
    if (value !== undefined) {
      this.#awaited.await(course, value);
      this.#world.agenda.enter(value.at, recurs(fault) ? AGAIN : FAULT, index);
    }
  }

  #course(index: number): FaultCourse {
    return defined(this.#courses[index], "the course of a fault");
  }

  isDue(index: number): void {
    const course = this.#course(index);
    const moment = defined(this.#due[index], "a moment of a fault");
    const { fault, target } = course;
    this.#awaited.happened(course);
    if (fault.kind === "congestion") {
      this.#congest(course, fault, moment);
    } else {
      const node = defined(this.#nodes.get(target), `node ${target}`);
      if (moment.is === "begin") this.#begin(course, fault, { node, moment });
      else this.#end(course, fault, node);
    }
    this.#await(index);
  }

  #begin(
    course: FaultCourse,
    fault: NodeFault,
    { node, moment }: { readonly node: SimNode; readonly moment: Begin },
  ): void {
    const world = this.#world;
    const chance = split(course.stream, moment.ordinal);
    switch (fault.kind) {
      case "slow":
        node.slow = moment.strength;
        speedChanged(world, node);
        return;
      case "stress":
        node.stress = moment.strength;
        speedChanged(world, node);
        return;
      case "pause":
        pause(world, node, moment.forMs);
        return;
      case "kill":
        die(world, node, fault.what ?? "machine");
        return;
      case "load":
        this.#load(course, fault, node);
        return;
      case "lose-outputs":
        loseOutputs(world, node, { share: moment.strength, chance });
        return;
      case "evict": {
        const { count, share } = fault;
        const which = share === undefined ? { count: count ?? 1 } : { share: moment.strength };
        evict(world, node, { ...which, chance });
        return;
      }
      case "fill-disk":
        fillDisk(world, node);
        return;
      default:
        never(fault);
    }
  }

  #end(course: FaultCourse, fault: NodeFault, node: SimNode): void {
    const world = this.#world;
    switch (fault.kind) {
      case "slow":
        node.slow = 1;
        speedChanged(world, node);
        return;
      case "stress":
        node.stress = 1;
        speedChanged(world, node);
        return;
      case "pause":
        resume(world, node);
        return;
      case "kill":
        comeBack(world, node);
        return;
      case "load":
        node.unload(course, world.now);
        return;
      case "fill-disk":
        node.diskFull = false;
        return;
      case "lose-outputs":
      case "evict":
        return;
      default:
        never(fault);
    }
  }

  /** A load cannot start on a machine that is down, and a running load dies with its machine. */
  #load(course: FaultCourse, fault: Extract<Fault, { kind: "load" }>, node: SimNode): void {
    const { fluid, now } = this.#world;
    const { machine, slowness } = node;
    node.unload(course, now);
    if (machine === undefined || !node.machineIsOn) return;
    const { processes = 0, writers = 0 } = fault;
    const load = new RunningLoad(fluid, { machine, slowness, now }, { processes, writers });
    node.loads.set(course, load);
  }

  #congest(course: FaultCourse, { way = "both" }: RackFault, moment: Moment): void {
    const links = defined(this.#racks.get(course.target), `rack ${course.target}`);
    if (moment.is === "end") links.release(course);
    else {
      links.take(course, {
        up: way === "down" ? 0 : moment.strength,
        down: way === "up" ? 0 : moment.strength,
      });
    }
    this.#world.linksChanged(links);
  }
}
