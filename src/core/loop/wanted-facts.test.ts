import { expect, test } from "vitest";
import { slowOriginals } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";
import type { Fact } from "../../model/fact.ts";
import { createScheduler } from "../scheduler.ts";
import { factsWanted, type WantedFacts } from "./wanted-facts.ts";

/** A job in which every kind of fact occurs: map 2 is copied, nodes fall silent and are lost. */
function everything(): World {
  const world = new World({
    ...{ discipline: "yarn", nodes: 6, slots: [1, 1] },
    runs: slowOriginals(60, { 2: 600 }),
  });
  world.submit({ maps: 4, reduces: 2 });
  world.advance(30_000).silence("n1");
  world.advance(31_000).hear("n1");
  world.advance(70_000);
  const [task, node] = [world.task("map", 1), world.node("n6")];
  world.step({ at: world.at, kind: "output-replicated", task, node });
  world.step({ at: world.at, kind: "output-lost", task, node });
  world.step({ at: world.at, kind: "node-left", node: world.node("n1") });
  world.finish();
  return world;
}

function factsOf({ events, scheduler }: World, facts: WantedFacts): readonly Fact[] {
  const again = createScheduler(scheduler.setup, { explain: true, facts });
  return events.flatMap((event) => [...again.step(event).facts]);
}

const KINDS = Object.keys(factsWanted(true)) as (keyof ReturnType<typeof factsWanted>)[];

test("a caller that wants one kind of fact gets all facts of that kind, and no others", () => {
  const world = everything();
  // The reduces read what the four maps write.
  const isRead = ({ task }: Fact & { kind: "output-made" }): boolean => Number(task) < 4;
  for (const kind of KINDS) {
    const expected = world.facts.filter((fact) =>
      kind === "read-output-made"
        ? fact.kind === "output-made" && isRead(fact)
        : fact.kind === kind,
    );
    expect(expected, kind).not.toEqual([]);
    expect(factsOf(world, new Set([kind])), kind).toEqual(expected);
  }
  expect(factsOf(world, false)).toEqual([]);
  expect(factsOf(world, true)).toEqual(world.facts);
});
