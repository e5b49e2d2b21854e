import { afterAll, expect, test } from "vitest";
import { gated } from "../engine/support/jobs.ts";
import { disciplineOf, only, Workshop } from "../engine/support/workshop.ts";

const workshop = new Workshop({ files: 3, bytes: 200_000 });
afterAll(() => workshop.remove());

test("a node is killed: its lost outputs are recomputed, and the output is right", async () => {
  const job = workshop.job("gated", gated({ gate: workshop.gate, tasks: "ctx.task >= 6" }));
  const { result, events } = await workshop.run(job, {
    nodes: 3,
    discipline: disciplineOf("late", ["detection.expiryMs=1000"]),
    faults: [{ kind: "kill", at: 1_500, node: "n2" }],
    onEvent(event) {
      if (event.kind === "node-lost") workshop.openGate();
    },
  });
  await workshop.checkOutput(job);
  expect(only(events, "fault").map(({ node, what }) => `${node} ${what}`)).toEqual(["n2 killed"]);
  expect(only(events, "node-lost").map(({ node }) => node)).toEqual(["n2"]);
  expect(result.totals.lost + result.totals.recomputed).toBeGreaterThan(0);
});
