import { expect, test } from "vitest";
import { World } from "../../../test/support/world.ts";
import { ATTEMPT_KINDS } from "../../model/attempt.ts";
import { slotKind } from "../../model/ids.ts";

test("attempts are counted by why they were launched, from none on", () => {
  const world = new World({ nodes: 1 });
  const counts = () => ATTEMPT_KINDS.map((as) => world.look().running(slotKind(0), { as }));
  expect(counts()).toEqual(ATTEMPT_KINDS.map(() => 0));
  world.submit({ maps: 1 });
  expect(counts()).toEqual(ATTEMPT_KINDS.map((as) => (as === "original" ? 1 : 0)));
});
