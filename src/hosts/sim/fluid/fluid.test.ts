import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { progressiveFilling } from "../../../../test/simulate/filling.ts";
import { defined } from "../../../base/assert.ts";
import { capacityAt } from "./capacity.ts";
import { Fluid, type FluidFlow, type Resource, remainingAt } from "./fluid.ts";

interface World {
  readonly fluid: Fluid<number>;
  readonly resources: readonly Resource<number>[];
  readonly live: FluidFlow<number>[];
}

function expectSameAsDefinition({ resources, live }: World) {
  const rates = progressiveFilling({
    uses: live.map(({ uses }) => uses.map((resource) => resources.indexOf(resource))),
    bounds: live.map(({ bound }) => bound),
    capacities: resources.map(({ capacity, flows }) => capacityAt(capacity, flows.length)),
  });
  for (const [i, flow] of live.entries()) {
    expect(flow.rate / defined(rates[i], "a rate")).toBeCloseTo(1, 9);
  }
}

const step = fc.oneof(
  fc.record({
    does: fc.constant("start" as const),
    uses: fc.uniqueArray(fc.nat({ max: 7 }), { minLength: 1, maxLength: 4 }),
    size: fc.integer({ min: 1, max: 1_000 }),
    bound: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 1, max: 40 })),
  }),
  fc.record({ does: fc.constant("stop" as const), which: fc.nat() }),
  fc.record({ does: fc.constant("complete" as const) }),
  fc.record({
    does: fc.constant("resize" as const),
    which: fc.nat({ max: 7 }),
    capacity: fc.integer({ min: 1, max: 100 }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function live(capacities: readonly number[], steps: readonly Step[]) {
  const fluid = new Fluid<number>();
  const world: World = {
    fluid,
    resources: capacities.map((capacity, i) =>
      // Every other one is a disk that slows down when many streams share it.
      fluid.addResource(
        `r${i}`,
        i % 2 === 0 ? capacity : [point(1, capacity), point(3, 2 * capacity), point(6, capacity)],
      ),
    ),
    live: [],
  };
  let now = 0;
  for (const what of steps) {
    const other = "which" in what ? what.which : 0;
    if (what.does === "start") {
      const uses = what.uses.map((i) => defined(world.resources[i], "a resource"));
      world.live.push(fluid.start(now, { tag: 0, uses, size: what.size, bound: what.bound }));
    } else if (what.does === "stop") {
      for (const flow of world.live.splice(other % Math.max(1, world.live.length), 1)) {
        fluid.stop(now, flow);
      }
    } else if (what.does === "resize") {
      fluid.setCapacity(defined(world.resources[other], "a resource"), what.capacity);
    } else if (fluid.nextCompletion(now) < Number.POSITIVE_INFINITY) {
      now = fluid.nextCompletion(now);
      for (const flow of fluid.takeCompleted(now)) world.live.splice(world.live.indexOf(flow), 1);
    }
    fluid.nextCompletion(now);
    expectSameAsDefinition(world);
  }
}

const point = (streams: number, perMs: number) => ({ streams, perMs });

describe("max-min sharing", () => {
  test("solving the touched component gives what filling everything gives, in every world", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 8, maxLength: 8 }),
        fc.array(step, { maxLength: 40 }),
        live,
      ),
      { numRuns: 200 },
    );
  });

  test("a flow that no resource but its own bound holds back takes size / bound", () => {
    const fluid = new Fluid<number>();
    const wide = fluid.addResource("wide", 1_000);
    const flow = fluid.start(5, { tag: 0, uses: [wide], size: 100, bound: 4 });
    expect(fluid.nextCompletion(5)).toBe(30);
    expect(remainingAt(flow, 15)).toBe(60);
    expect(fluid.takeCompleted(30)).toEqual([flow]);
    expect(fluid.nextCompletion(30)).toBe(Number.POSITIVE_INFINITY);
  });

  test("a stopped flow keeps what is left of it, and the others speed up", () => {
    const fluid = new Fluid<number>();
    const disk = fluid.addResource("disk", 10);
    const [first, second] = [100, 100].map((size) =>
      fluid.start(0, { tag: 0, uses: [disk], size }),
    );
    expect(fluid.nextCompletion(0)).toBe(20);
    fluid.stop(10, defined(first, "a flow"));
    expect(first?.remaining).toBe(50);
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

  test("what has no limit connects nobody, and still stops its flows when it gets one", () => {
    const fluid = new Fluid<number>();
    const gate = fluid.addResource("gate", Number.POSITIVE_INFINITY);
    const disks = [10, 20].map((capacity, i) => fluid.addResource(`disk${i}`, capacity));
    const flows = disks.map((disk) => fluid.start(0, { tag: 0, uses: [gate, disk], size: 100 }));
    const alone = fluid.start(0, { tag: 0, uses: [gate], size: 100, bound: 5 });
    const rates = () => [...flows, alone].map(({ rate }) => rate);
    fluid.nextCompletion(0);
    expect(rates()).toEqual([10, 20, 5]);
    fluid.setCapacity(gate, 0);
    fluid.nextCompletion(1);
    expect(rates()).toEqual([0, 0, 0]);
    fluid.setCapacity(gate, Number.POSITIVE_INFINITY);
    expect(fluid.nextCompletion(2)).toBe(6);
    expect(rates()).toEqual([10, 20, 5]);
  });

  test("a rate is told whenever it changes, and only then", () => {
    const told: number[] = [];
    const fluid = new Fluid<number>({ onRate: ({ rate }) => told.push(rate) });
    const [disk, other] = [fluid.addResource("disk", 12), fluid.addResource("other", 5)];
    fluid.start(0, { tag: 0, uses: [disk], size: 100 });
    fluid.nextCompletion(0);
    fluid.start(0, { tag: 0, uses: [other], size: 100 });
    fluid.nextCompletion(0);
    fluid.start(0, { tag: 0, uses: [disk], size: 100 });
    fluid.nextCompletion(0);
    expect(told).toEqual([12, 5, 6, 6]);
  });

  test("a capacity is interpolated between its points and flat beyond them", () => {
    const disk = [point(1, 60), point(3, 160), point(5, 100)];
    expect([0, 1, 2, 3, 4, 5, 9].map((streams) => capacityAt(disk, streams))).toEqual([
      60, 60, 110, 160, 130, 100, 100,
    ]);
  });
});
