import { expect, test } from "vitest";
import { steadily } from "../../../../test/support/curves.ts";
import { World } from "../../../../test/support/world.ts";

const SECOND = 1000;

test("§IV-D: a request is reviewed even if its task runs where there is no level", () => {
  const world = new World({
    ...{ discipline: "esplash", slotKinds: ["container"], slots: [1] },
    sets: [
      "speculation.epochMs=10000",
      "speculation.levels=n1:1,n3:2,n4:2",
      "speculation.newNodesAreLowest=false",
    ],
    runs({ node, task }) {
      if (node === "n3" || node === "n4") return steadily(400 * SECOND);
      return steadily((task.index === 4 ? 900 : 40) * SECOND);
    },
  });
  world.submit({ phases: [{ name: "map", tasks: 5, slots: ["container"] }] });
  world.advance(51 * SECOND);
  expect(world.actions.filter(({ action }) => action.kind === "request")).toHaveLength(1);
  world.kill(world.attempt("map", 4));
  expect(world.launches("rerun")).toEqual(["map/4 rerun n2"]);
  for (const node of ["n3", "n4"]) world.silence(node);
  world.advance(66 * SECOND);
  const withdrawn = world.actions.flatMap(({ action }) =>
    action.kind === "withdraw" ? [action.why] : [],
  );
  // As if n2 were of the lowest level, 1.
  const numbers = { waitedMs: 15 * SECOND, because: "no-host", level: 1 };
  expect(withdrawn).toEqual([{ rule: "no-longer-worth-it", numbers }]);
});
