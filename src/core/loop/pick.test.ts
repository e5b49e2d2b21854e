import { expect, test } from "vitest";
import { World } from "../../../test/support/world.ts";
import type { Locality } from "../../model/job.ts";
import { parseDiscipline } from "../../policy/discipline.ts";
import { use } from "../../policy/policy.ts";

/** The nodes whose free slots the speculation policy is asked about while a task waits. */
function contended(allowed: Locality): readonly string[] {
  const asked: string[] = [];
  const { sharing, speculation, ...rest } = parseDiscipline("none,sharing=fifo-plain");
  const world = new World({
    discipline: {
      ...rest,
      sharing: use({ ...sharing.policy, allowedLocality: () => allowed }),
      speculation: use({
        ...speculation.policy,
        onContendedSlot({ view }, _, { node }) {
          asked.push(view.node(node).name);
          return [];
        },
      }),
    },
    nodes: 4,
    racks: 2,
    slots: [1, 0],
    offers: "manual",
  });
  world.submit({ maps: 1, replicas: () => ["n1"] });
  for (const node of ["n2", "n3"]) world.offer(node);
  return asked;
}

test("a slot too far from every waiting task's data is contended", () => {
  expect(contended("node")).toEqual(["n2", "n3"]);
  expect(contended("rack")).toEqual(["n2", "n3"]);
});
