import { expect, test } from "vitest";
import { failsAfter, steadily } from "../../../test/support/curves.ts";
import { type Launch, World } from "../../../test/support/world.ts";

interface Course {
  readonly maps?: number;
  readonly sets?: readonly string[];
  /** The share of finished maps from which reduces are ready: slowstart. */
  readonly from?: number;
  readonly runs?: (launch: Launch) => ReturnType<typeof steadily>;
}

/** Ten containers, four reduces that never end before the maps, maps that end one by one. */
function launched({ maps = 20, sets = [], from = 0.05, runs }: Course = {}): readonly string[] {
  const world = new World({
    discipline: "none,order=yarn,sharing=fifo-plain",
    sets,
    nodes: 10,
    slotKinds: ["container"],
    runs:
      runs ??
      (({ phase, task }) => steadily(phase === "map" ? 10_000 + 100 * task.index : 1_000_000)),
  });
  const after = [{ phase: "map", start: { when: "fraction", of: from } as const }];
  world.submit({
    phases: [
      { name: "map", tasks: maps, slots: ["container"] },
      { name: "reduce", tasks: 4, slots: ["container"], after },
    ],
  });
  world.advance(200_000);
  return world.launches().map((launch) => launch.split(" ")[0] ?? "");
}

const reduceAfter = (launches: readonly string[]): readonly number[] =>
  launches.flatMap((name, at) => (name.startsWith("reduce") ? [at] : []));

test("reduces get the share of containers that is the share of finished maps, and go first", () => {
  // With one map of twenty done, a twentieth of ten containers is none; with two, one.
  expect(reduceAfter(launched())[0]).toBe(11);
});

test("half of the containers at most, while maps wait", () => {
  // Forty maps: at 20 done the share would reach a half, or 5 reduces; there are only four.
  const half = reduceAfter(launched({ maps: 40 }));
  expect(half).toHaveLength(4);
  const tenth = reduceAfter(launched({ maps: 40, sets: ["order.rampUpLimit=0.1"] }));
  // One of ten; the other reduces follow when the last map has its container.
  expect(tenth.slice(1)).toEqual([41, 42, 43]);
  expect(tenth[0]).toBeLessThan(20);
});

test("none beside maps if the limit is 0", () => {
  expect(reduceAfter(launched({ sets: ["order.rampUpLimit=0"] }))).toEqual([20, 21, 22, 23]);
});

test("slowstart is checked first", () => {
  // The tenth map that is done: ten were launched at first, and one after each of nine.
  expect(reduceAfter(launched({ from: 0.5 }))[0]).toBe(19);
});

test("a failed map comes before reduces", () => {
  let isFirst = true;
  const launches = launched({
    runs: ({ phase, task }) => {
      if (phase === "reduce") return steadily(1_000_000);
      if (task.index !== 19 || !isFirst) return steadily(10_000);
      isFirst = false;
      return failsAfter(1_000);
    },
  });
  expect(launches.filter((name) => name === "map/19")).toHaveLength(2);
  expect(launches.lastIndexOf("map/19")).toBeGreaterThan(launches.indexOf("map/19"));
});

test("phases that read the same maps share the limit, and leave maps enough to end", () => {
  const world = new World({
    discipline: "none,order=yarn,sharing=fifo-plain",
    nodes: 4,
    slotKinds: ["container"],
    runs: ({ phase, task }) => steadily(phase === "map" ? 10_000 + task.index : 1_000_000),
  });
  const after = [{ phase: "map", start: { when: "fraction", of: 0.05 } as const }];
  const reader = { tasks: 4, slots: ["container"], after };
  world.submit({
    phases: [
      { name: "map", tasks: 20, slots: ["container"] },
      { name: "sum", ...reader },
      { name: "count", ...reader },
    ],
  });
  world.advance(90_000);
  const begun = world.launches().map((launch) => launch.split("/")[0] ?? "");
  const lastMap = begun.lastIndexOf("map");
  expect(begun.filter((name) => name === "map")).toHaveLength(20);
  expect(begun.slice(0, lastMap).filter((name) => name !== "map")).toHaveLength(2);
});

test("reduces get the containers that the unfinished maps cannot use, beyond their share", () => {
  const world = new World({
    discipline: "none,order=yarn,sharing=fifo-plain",
    ...{ nodes: 2, slots: [8], slotKinds: ["container"], offers: "manual" },
  });
  const after = [{ phase: "map", start: { when: "fraction", of: 0.05 } as const }];
  world.submit({
    phases: [
      { name: "map", tasks: 6, slots: ["container"] },
      { name: "reduce", tasks: 6, slots: ["container"], after },
    ],
  });
  for (const endsAt of [10_000, 20_000]) {
    world.offer("n1", [1]);
    world.advance(endsAt);
  }
  world.offer("n2", [8]);
  // A map comes first, since none runs. A third of the maps is done: a third of eight containers is
  // two; but the four unfinished maps leave four.
  const begun = world.launches().map((launch) => launch.split("/")[0] ?? "");
  const [map, reduce] = ["map", "reduce"];
  expect(begun.slice(2)).toEqual([map, ...Array(4).fill(reduce), ...Array(3).fill(map)]);
});
