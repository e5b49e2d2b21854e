import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { progressiveFilling } from "../../../../test/simulate/filling.ts";
import { defined } from "../../../base/assert.ts";
import { capacityAt } from "./capacity.ts";
import { type Flow, Fluid, type Resource } from "./fluid.ts";

/** A flow, with its initial figures. */
interface LiveFlow {
  readonly flow: Flow;
  readonly uses: readonly Resource[];
  bound: number;
}

interface World {
  readonly fluid: Fluid<number>;
  readonly resources: readonly Resource[];
  readonly live: LiveFlow[];
}

function expectSameAsDefinition({ fluid, resources, live }: World) {
  const rates = progressiveFilling({
    uses: live.map(({ uses }) => uses.map((resource) => resources.indexOf(resource))),
    bounds: live.map(({ bound }) => bound),
    capacities: resources.map(({ capacity, streams }) => capacityAt(capacity, streams)),
  });
  for (const [i, { flow }] of live.entries()) {
    const [rate, wanted] = [fluid.rateOf(flow), defined(rates[i], "a rate")];
    if (rate !== wanted) expect(Math.abs(rate / wanted - 1)).toBeLessThan(1e-9);
  }
}

const RESOURCES = 12;
/** The last resources are gates, which have no limit while open. */
const GATES = 3;
const UNLIMITED = Number.POSITIVE_INFINITY;

const bound = fc.oneof(fc.constant(UNLIMITED), fc.integer({ min: 1, max: 40 }));
const start = fc.record({
  does: fc.constant("start" as const),
  uses: fc.uniqueArray(fc.nat({ max: RESOURCES - 1 }), { minLength: 1, maxLength: 4 }),
  size: fc.integer({ min: 1, max: 1_000 }),
  bound,
});
const complete = fc.record({ does: fc.constant("complete" as const) });
const step = fc.oneof(
  { weight: 4, arbitrary: start },
  { weight: 2, arbitrary: complete },
  fc.record({ does: fc.constant("stop" as const), which: fc.nat() }),
  fc.record({ does: fc.constant("bound" as const), which: fc.nat(), bound }),
  fc.record({
    does: fc.constant("resize" as const),
    which: fc.nat({ max: RESOURCES - GATES - 2 }),
    capacity: fc.nat({ max: 100 }),
  }),
  fc.record({
    does: fc.constant("gate" as const),
    which: fc.integer({ min: RESOURCES - GATES, max: RESOURCES - 1 }),
    capacity: fc.constantFrom(0, 15, UNLIMITED, UNLIMITED),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function made(
  capacities: readonly number[],
  options: { readonly shareEveryMs: number } | { readonly manyFlows: number },
): World {
  const fluid = new Fluid<number>(options);
  const resources = capacities.map((capacity, i) => {
    if (i >= RESOURCES - GATES) return fluid.addResource(`gate${i}`, UNLIMITED);
    // Every other one is a disk that slows down when many streams share it.
    const disk = [point(1, capacity), point(3, 2 * capacity), point(6, capacity)];
    return fluid.addResource(`r${i}`, i % 2 === 0 ? capacity : disk);
  });
  // What a neighbour's streams leave.
  const [of, share] = [defined(resources[0], "a disk"), resources[RESOURCES - GATES - 1]];
  fluid.setShare(defined(share, "a share"), of, () => 60 / (1 + of.streams));
  return { fluid, resources, live: [] };
}

function act({ fluid, resources, live }: World, now: number, what: Exclude<Step, Complete>): void {
  switch (what.does) {
    case "start": {
      const { size, bound } = what;
      const uses = what.uses.map((i) => defined(resources[i], "a resource"));
      live.push({ flow: fluid.start(now, { tag: 0, uses, size, bound }), uses, bound });
      break;
    }
    case "stop":
      for (const { flow } of live.splice(what.which % Math.max(1, live.length), 1)) {
        fluid.stop(now, flow);
      }
      break;
    case "bound": {
      const one = live[what.which % Math.max(1, live.length)];
      if (one === undefined) break;
      one.bound = what.bound;
      fluid.setBound(one.flow, what.bound);
      break;
    }
    default:
      fluid.setCapacity(defined(resources[what.which], "a resource"), what.capacity);
  }
}
type Complete = Extract<Step, { does: "complete" }>;

/** Checks the rates after every few steps at one time, and after a while. */
function lives(
  world: World,
  steps: readonly Step[],
  { atATime, whileMs }: { readonly atATime: number; readonly whileMs: number },
): void {
  const { fluid, live } = world;
  let now = 0;
  for (const [i, what] of steps.entries()) {
    if (what.does !== "complete") act(world, now, what);
    else if (fluid.nextCompletion(now) < UNLIMITED) {
      // The while may have passed a flow's end.
      now = Math.max(now, fluid.nextCompletion(now));
      const done = new Set(fluid.takeCompleted(now));
      for (const [place, { flow }] of [...live.entries()].reverse()) {
        if (done.has(flow)) live.splice(place, 1);
      }
    }
    if (i % atATime !== 0) continue;
    now += whileMs;
    fluid.nextCompletion(now);
    expectSameAsDefinition(world);
  }
}

const point = (streams: number, perMs: number) => ({ streams, perMs });

describe("max-min sharing", () => {
  const capacities = fc.array(fc.integer({ min: 1, max: 100 }), {
    minLength: RESOURCES,
    maxLength: RESOURCES,
  });

  test("repairing what a change reaches equals filling everything, in every world", () => {
    fc.assert(
      fc.property(
        capacities,
        fc.array(step, { maxLength: 80 }),
        fc.constantFrom(1, 3),
        fc.constantFrom(0, 0, 4),
        (rates, steps, atATime, manyFlows) =>
          lives(made(rates, { manyFlows }), steps, { atATime, whileMs: 0 }),
      ),
      { numRuns: 200 },
    );
  });

  test("filling the touched components from the start does so too, whenever it is due", () => {
    fc.assert(
      fc.property(
        capacities,
        fc.array(step, { maxLength: 80 }),
        fc.constantFrom(1, 3),
        (rates, steps, atATime) => {
          const [shareEveryMs, whileMs] = [1e-7, 1e-6];
          lives(made(rates, { shareEveryMs }), steps, { atATime, whileMs });
        },
      ),
      { numRuns: 200 },
    );
  });

  test("a flow that only its own bound limits takes size / bound", () => {
    const fluid = new Fluid<number>();
    const wide = fluid.addResource("wide", 1_000);
    const flow = fluid.start(5, { tag: 0, uses: [wide], size: 100, bound: 4 });
    expect(fluid.nextCompletion(5)).toBe(30);
    expect(fluid.remainingAt(flow, 15)).toBe(60);
    expect(fluid.takeCompleted(30)).toEqual([flow]);
    expect(fluid.nextCompletion(30)).toBe(Number.POSITIVE_INFINITY);
  });

  test("a stopped flow keeps its remaining work, and the others speed up", () => {
    const fluid = new Fluid<number>();
    const disk = fluid.addResource("disk", 10);
    const [first, second] = [100, 100].map((size) =>
      fluid.start(0, { tag: 0, uses: [disk], size }),
    );
    expect(fluid.nextCompletion(0)).toBe(20);
    expect(fluid.stop(10, defined(first, "a flow"))).toBe(50);
    expect(fluid.nextCompletion(10)).toBe(15);
    expect(fluid.takeCompleted(15)).toEqual([second]);
  });

  test("a resource without capacity stalls its flows until it has some", () => {
    const fluid = new Fluid<number>();
    const disk = fluid.addResource("disk", 0);
    fluid.start(0, { tag: 0, uses: [disk], size: 10 });
    expect(fluid.nextCompletion(0)).toBe(Number.POSITIVE_INFINITY);
    fluid.setCapacity(disk, 5);
    expect(fluid.nextCompletion(7)).toBe(9);
  });

  test("a resource without a limit connects no flows, but stops its flows when it gets one", () => {
    const fluid = new Fluid<number>();
    const gate = fluid.addResource("gate", Number.POSITIVE_INFINITY);
    const disks = [10, 20].map((capacity, i) => fluid.addResource(`disk${i}`, capacity));
    const flows = disks.map((disk) => fluid.start(0, { tag: 0, uses: [gate, disk], size: 100 }));
    const alone = fluid.start(0, { tag: 0, uses: [gate], size: 100, bound: 5 });
    const rates = () => [...flows, alone].map((flow) => fluid.rateOf(flow));
    fluid.nextCompletion(0);
    expect(rates()).toEqual([10, 20, 5]);
    fluid.setCapacity(gate, 0);
    fluid.nextCompletion(1);
    expect(rates()).toEqual([0, 0, 0]);
    fluid.setCapacity(gate, Number.POSITIVE_INFINITY);
    expect(fluid.nextCompletion(2)).toBe(6);
    expect(rates()).toEqual([10, 20, 5]);
  });

  test("a rate is reported whenever it changes, and only then", () => {
    const told: string[] = [];
    const fluid = new Fluid<string>({ onRate: (name) => told.push(name) });
    const [disk, other] = [fluid.addResource("disk", 12), fluid.addResource("other", 5)];
    fluid.start(0, { tag: "first", uses: [disk], size: 100 });
    fluid.nextCompletion(0);
    fluid.start(0, { tag: "other", uses: [other], size: 100 });
    fluid.nextCompletion(0);
    fluid.start(0, { tag: "second", uses: [disk], size: 100 });
    fluid.nextCompletion(0);
    expect(told).toEqual(["first", "other", "first", "second"]);
  });

  test("a capacity is interpolated between its points and flat beyond them", () => {
    const disk = [point(1, 60), point(3, 160), point(5, 100)];
    expect([0, 1, 2, 3, 4, 5, 9].map((streams) => capacityAt(disk, streams))).toEqual([
      60, 60, 110, 160, 130, 100, 100,
    ]);
  });
});
