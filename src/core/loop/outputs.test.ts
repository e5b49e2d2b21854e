import { expect, test } from "vitest";
import { steadily } from "../../../test/support/curves.ts";
import { World } from "../../../test/support/world.ts";
import { instant, nodeId } from "../../model/ids.ts";

const N1 = nodeId(0);
const NOW = { at: instant(20_000) };

/** A job whose map is made again while a reduce reads it; the launch is not confirmed yet. */
function recomputing() {
  const { scheduler, ...world } = reading();
  const { actions } = scheduler.step({ ...NOW, kind: "output-lost", task: world.map, node: N1 });
  for (const action of actions) {
    if (action.kind === "launch") return { scheduler, ...world, attempt: action.attempt };
  }
  throw new Error("the map is not launched again");
}

function reading() {
  const world = new World({
    nodes: 1,
    runs: ({ phase }) => steadily(phase === "map" ? 10_000 : 500_000),
  });
  world.submit({ maps: 1, reduces: 1 });
  world.advance(NOW.at);
  const map = world.task("map", 0);
  return { scheduler: world.scheduler, map, phase: world.view.task(map).phase };
}

test("a recompute is unheard of until its attempt reports", () => {
  const { scheduler, phase } = recomputing();
  expect(scheduler.view.unheard(phase)).toBe(1);
});

test("a recompute whose attempt ends before it has started is heard of", () => {
  const refused = recomputing();
  const refusal = { kind: "launch-refused" as const, attempt: refused.attempt, reason: "full" };
  refused.scheduler.step({ ...NOW, ...refusal });
  expect(refused.scheduler.view.unheard(refused.phase)).toBe(0);
  const lost = recomputing();
  lost.scheduler.step({ ...NOW, kind: "node-left", node: N1 });
  expect(lost.scheduler.view.unheard(lost.phase)).toBe(0);
});
