import { expect, test } from "vitest";
import { TrueJob } from "../../test/diagnose/support/true-job.ts";
import { fitted } from "./fitted.ts";
import { resized, sizeText } from "./resize.ts";

const job = new TrueJob(6, 0);
const made = fitted(job.logOf(job.run("none", 1)));
const slow = { name: "slow", factor: 3, slots: [{ kind: "stage", count: 2 }] } as const;
const usual = (name: string) => ({ name, factor: 1, slots: [{ kind: "stage", count: 2 }] });
const nodes = [usual("a"), slow, usual("b")];
const fit = { ...made, shape: { ...made.shape, nodes } };

test("slow nodes stay when nodes go, and nodes that come are of usual speed", () => {
  const names = (count: number) => resized(fit, { nodes: count }).shape.nodes.map((n) => n.name);
  expect(names(1)).toEqual(["slow"]);
  expect(names(3)).toEqual(["slow", "a", "b"]);
  const more = resized(fit, { nodes: 5 }).shape.nodes;
  expect(more.map(({ factor }) => factor)).toEqual([3, 1, 1, 1, 1]);
  expect(new Set(more.map(({ name }) => name)).size).toBe(5);
});

test("every node has the requested slots", () => {
  const sized = resized(fit, { slots: 7 }).shape.nodes;
  expect(sized.flatMap(({ slots }) => slots.map(({ count }) => count))).toEqual([7, 7, 7]);
});

test("a size is described in words", () => {
  expect(sizeText({ nodes: 12 })).toBe("On 12 nodes");
  expect(sizeText({ slots: 1 })).toBe("With 1 slot a node");
  expect(sizeText({ nodes: 1, slots: 2 })).toBe("On 1 node with 2 slots each");
});
