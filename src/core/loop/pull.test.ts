import { expect, test } from "vitest";
import { World } from "../../../test/support/world.ts";

const CAPABILITIES = { capabilities: ["requests", "placement"] } as const;

test.each([
  ["job", "job-forbids-copies"],
  ["phase", "phase-forbids-copies"],
] as const)("a %s that forbids copies is a reason, if anybody listens", (who, rule) => {
  const forbids = { speculate: false };
  const saying = (explain: boolean) => {
    const world = new World({ discipline: "late", nodes: 2, setup: CAPABILITIES, explain });
    const phase = { name: "map", tasks: 2, slots: ["map"], ...(who === "phase" ? forbids : {}) };
    world.submit({ phases: [phase], ...(who === "job" ? forbids : {}) });
    world.advance(40_000);
    return world.actions.filter(({ action }) => action.kind === "pass" && action.why.rule === rule);
  };
  expect(saying(true).length).toBeGreaterThan(0);
  expect(saying(false)).toEqual([]);
});
