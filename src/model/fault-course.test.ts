import { describe, expect, test } from "vitest";
import { randomState } from "../base/random.ts";
import { type Fault, namesMeant } from "./fault.ts";
import { coursesOf, momentsOf } from "./fault-course.ts";

/** "10 begin 3": when, what, and how strong. */
function course(fault: Fault, most = 6): string[] {
  const told: string[] = [];
  const moments = momentsOf(fault, randomState(1));
  while (told.length < most) {
    const { value } = moments.next();
    if (value === undefined) break;
    told.push(`${value.at} ${value.is}${value.is === "begin" ? ` ${value.strength}` : ""}`);
  }
  return told;
}

const slow = { kind: "slow", at: 10, node: "n", factor: 3 } as const;
const kill = { kind: "kill", at: 10, node: "n" } as const;

describe("the course of a fault", () => {
  test.each<[string, Fault, string[]]>([
    ["a slow-down lasts", slow, ["10 begin 3"]],
    ["for a time", { ...slow, forMs: 5 }, ["10 begin 3", "15 end"]],
    ["or until a time", { ...slow, until: 50 }, ["10 begin 3", "50 end"]],
    [
      "again and again, each time anew until it is over",
      { ...slow, everyMs: 15, until: 40 },
      ["10 begin 3", "25 begin 3", "40 end"],
    ],
    [
      "never before its own end",
      { ...slow, forMs: 20, everyMs: 5, until: 45 },
      ["10 begin 3", "30 end", "30 begin 3", "45 end"],
    ],
    ["not at all if it is over before it begins", { ...slow, until: 10 }, []],
    [
      "stress goes on and off",
      { kind: "stress", at: 0, node: "n", factor: 2, onMs: 30, offMs: 10, until: 50 },
      ["0 begin 2", "30 end", "40 begin 2", "50 end"],
    ],
    ["a death is for good", { ...kill, until: 50 }, ["10 begin 1"]],
    [
      "or for a time, of which until takes nothing",
      { ...kill, backAfterMs: 100, everyMs: 1, until: 50 },
      ["10 begin 1", "110 end"],
    ],
    [
      "a loss has no end",
      { kind: "lose-outputs", at: 1, node: "n", share: 0.5, everyMs: 2, until: 6 },
      ["1 begin 0.5", "3 begin 0.5", "5 begin 0.5"],
    ],
  ])("%s", (_, fault, told) => {
    expect(course(fault)).toEqual(told);
  });

  test("a random number is drawn each time, within its bounds", () => {
    const factor = { kind: "uniform", from: 2, to: 4 } as const;
    const everyMs = { kind: "exponential", mean: 100 } as const;
    const told = course({ ...slow, factor, everyMs }, 500).map((text) => text.split(" "));
    expect(new Set(told.map(([at]) => at)).size).toBe(500);
    const strengths = told.map(([, , strength]) => Number(strength));
    expect(Math.min(...strengths)).toBeGreaterThanOrEqual(2);
    expect(Math.max(...strengths)).toBeLessThan(4);
    // 500 gaps of 100 ms in the mean.
    expect(Number(told.at(-1)?.[0])).toBeGreaterThan(40_000);
    expect(Number(told.at(-1)?.[0])).toBeLessThan(60_000);
  });
});

describe("the targets of a fault", () => {
  const nodes = ["slow-0", "slow-1", "slow-10", "fast"];
  const of = { nodes, racks: ["r1", "r2"], seed: 7 };
  const targets = (fault: Fault, seed = 7): string[] =>
    coursesOf([fault], { ...of, seed }).map(({ target }) => target);

  test("a name means one node, a star any text, the rest itself", () => {
    expect(namesMeant("slow-1", nodes)).toEqual(["slow-1"]);
    expect(namesMeant("slow-*", nodes)).toEqual(["slow-0", "slow-1", "slow-10"]);
    expect(namesMeant("*-1*", nodes)).toEqual(["slow-1", "slow-10"]);
    expect(namesMeant("*", nodes)).toEqual(nodes);
    expect(namesMeant("s.*", nodes)).toEqual([]);
    expect(namesMeant("none", nodes)).toEqual([]);
  });

  test("`pick` chooses a number of the matching nodes, by the seed", () => {
    const pick = { ...slow, node: "slow-*", pick: 1 };
    expect(targets(pick)).toHaveLength(1);
    const seen = new Set([1, 2, 3, 4, 5, 6, 7, 8].flatMap((seed) => targets(pick, seed)));
    expect([...seen].every((name) => name.startsWith("slow-"))).toBe(true);
    expect(seen.size).toBeGreaterThan(1);
  });

  test("congestion hits racks", () => {
    expect(targets({ kind: "congestion", at: 0, rack: "r*", share: 0.5 })).toEqual(["r1", "r2"]);
  });

  test("each node draws for itself, independent of later faults", () => {
    const fault: Fault = { ...slow, node: "*", at: { kind: "uniform", from: 0, to: 1e6 } };
    const firsts = (faults: Fault[]) =>
      coursesOf(faults, of).map(({ moments }) => moments.next().value?.at);
    const alone = firsts([fault]);
    expect(new Set(alone).size).toBe(nodes.length);
    expect(firsts([fault, kill]).slice(0, nodes.length)).toEqual(alone);
    const backwards = coursesOf([fault], of).toReversed();
    expect(backwards.map(({ moments }) => moments.next().value?.at).toReversed()).toEqual(alone);
  });
});
