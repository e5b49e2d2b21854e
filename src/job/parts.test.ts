import { expect, test } from "vitest";
import { csv, defineFlow, left, right, runInline, sum, tsv } from "./index.ts";

const flow = (by: "shuffle" | "broadcast") =>
  defineFlow("visits", (f) => {
    const columns = { page: "text", seconds: "number" } as const;
    const visits = f.read("visits", csv(undefined, { columns })).keyBy("page", "seconds");
    const pages = f.read("pages", csv(undefined, { columns: ["page", "topic"] }));
    visits
      .join("join", pages.keyBy("page", "topic"), { by })
      .keyBy(right, left)
      .fold("sum", sum())
      .write(tsv());
  });

const INPUT = {
  visits: [
    { page: "a", seconds: 1 },
    { page: "b", seconds: 2 },
    { page: "c", seconds: 4 },
    { page: "a", seconds: 8 },
  ],
  pages: [
    { page: "a", topic: "sport" },
    { page: "b", topic: "news" },
    { page: "c", topic: "news" },
  ],
};

test.each(["shuffle", "broadcast"] as const)("a joined value is named by its side: %s", (by) => {
  const { output } = runInline(flow(by), { input: INPUT });
  expect([...output].sort()).toEqual([
    ["news", 6],
    ["sport", 9],
  ]);
});

test("a side is data, so that a host can read it", () => {
  const steps = flow("broadcast").program.phases.flatMap((phase) => phase.steps);
  expect(steps).toContainEqual({
    kind: "pair",
    key: { kind: "side", side: "right" },
    value: { kind: "side", side: "left" },
  });
});
