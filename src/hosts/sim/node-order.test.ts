import { describe, expect, test } from "vitest";
import { jobOf, lasting, nodes, phase, runJob } from "../../../test/support/recorded.ts";

const tasks = Array.from({ length: 8 }, (_, index) => lasting(1_000 + index));
const job = jobOf(nodes(8), phase("map", tasks));

/** The node of each task. */
const placesOf = (seed: number, nodeOrder?: "drawn") =>
  runJob(job, { seed, ...(nodeOrder !== undefined && { nodeOrder }) })
    .attempts.map(({ node }) => node)
    .join(" ");

describe("the nodes are offered first", () => {
  const seeds = [1, 2, 3, 4, 5];

  test("in the order in which the cluster lists them, whatever the seed", () => {
    const places = new Set(seeds.map((seed) => placesOf(seed)));
    expect([...places]).toEqual(["n0 n1 n2 n3 n4 n5 n6 n7"]);
  });

  test("in an order that the seed draws, the same for the same seed", () => {
    const places = seeds.map((seed) => placesOf(seed, "drawn"));
    expect(new Set(places).size).toBe(seeds.length);
    expect(seeds.map((seed) => placesOf(seed, "drawn"))).toEqual(places);
    for (const one of places) expect(one.split(" ").sort()).toEqual(nodes(8).map((n) => n.name));
  });
});
