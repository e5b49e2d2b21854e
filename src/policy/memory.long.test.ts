import { expect, test } from "vitest";
import { failsAfter, type Run, steadily } from "../../test/support/curves.ts";
import { type Launch, World } from "../../test/support/world.ts";
import { parseDiscipline } from "./discipline.ts";
import { REGISTRY } from "./registry.ts";

/** An estimator's memory does not depend on the discipline: each is tried under three. */
const disciplines = [
  ...REGISTRY.disciplines.map(({ name }) => name),
  ...["late", "mantri", "yarn"].flatMap((name) =>
    REGISTRY.estimator.map(({ policy }) => `${name},estimator=${policy.name}`),
  ),
];

/** One map fails, another is slow until it is copied. */
const runs = ({ task, as }: Launch): Run => {
  if (task.index === 5 && as === "original") return failsAfter(3000);
  return steadily(task.index === 3 && as === "original" ? 900_000 : 40_000 + 500 * task.index);
};

/** The size of a memory: entries of lists, maps and sets at any depth. */
function sizeOf(memory: unknown): number {
  if (typeof memory !== "object" || memory === null) return 0;
  const entries = memory instanceof Map ? [...memory.entries()].flat() : Object.values(memory);
  const own = memory instanceof Map || Array.isArray(memory) ? entries.length : 0;
  return entries.reduce((sum: number, one) => sum + sizeOf(one), own);
}

test.each(disciplines)("under %s no policy's memory grows with the ended jobs", (text) => {
  let sizes: number[] = [];
  const memory = (one: unknown): unknown => {
    sizes.push(sizeOf(one));
    return one;
  };
  // The memory about each node is complete after the first jobs.
  const estimator = parseDiscipline(text).estimator.policy.name;
  const sets = estimator === "mantri" ? ["estimator.machineAttempts=1"] : [];
  const world = new World({ discipline: text, sets, memory, runs });
  const after = (): readonly number[] => {
    world.submit({ maps: 24, reduces: 6, replicas: (index) => [`n${(index % 4) + 1}`] });
    world.submit({ maps: 6, priority: "high" });
    world.finish();
    world.look();
    sizes = [];
    world.look();
    return [...sizes];
  };
  // The memory about nodes, over all jobs, is complete after the first few jobs.
  for (let round = 0; round < 4; round++) after();
  const once = after();
  expect(once).toHaveLength(5 + parseDiscipline(text).data.length);
  expect(after()).toEqual(once);
});
