import { expect, test } from "vitest";
import { chooseDiscipline } from "./set-up.ts";

const TASK = { memoryMb: 512, vcores: 1, speculation: true };

const chosenBy = (settings: Readonly<Record<string, string>>) =>
  chooseDiscipline({
    ...{ type: "hello", at: 1, protocol: 1, application: "application_1_0001", amAttempt: 1 },
    journal: "journal.ndjson",
    capabilities: { placement: true, withdraw: true },
    settings,
    conf: { slowstart: 0.05, map: TASK, reduce: TASK, resourceManagers: [] },
  });

test.each([
  [
    { dicipline: "mantri" },
    "broomwagon.dicipline is not known and does nothing; did you mean disc",
  ],
  [
    { "jurnal.max-mb": "1" },
    "broomwagon.jurnal.max-mb is not known and does nothing; did you mean",
  ],
  [
    { discipline: "fair" },
    "discipline fair: sharing=fair does nothing on YARN, where the Resource",
  ],
  [{ discipline: "late,sharing=capacity" }, "sharing=capacity does nothing on YARN"],
  [{ discipline: "late,sharing=fifo" }, "sharing=fifo does nothing on YARN"],
  [{ discipline: "mantri-order" }, "discipline mantri-order: speculation=none: no copies are made"],
  [{ discipline: "late,detection=adaptive-expiry" }, "where Hadoop decides when a node is lost"],
])("warns of what does nothing: %j", (settings, part) => {
  const { warnings, refusal } = chosenBy(settings);
  expect(warnings).toEqual([expect.stringContaining(part)]);
  expect(refusal).toBeUndefined();
});

test.each(["late", "none", "mantri", "esplash", "yarn", "spark-4", "flink", "hadoop"])(
  "has nothing to warn of: %s",
  (discipline) => {
    const known = { node: "node", set: "", tasks: "t", names: "n", enabled: "true", journal: "j" };
    expect(chosenBy({ discipline, ...known }).warnings).toEqual([]);
  },
);

test("warns of keys also where the discipline is refused", () => {
  const { warnings, refusal } = chosenBy({ discipline: "laet", sett: "a.b=1" });
  expect(refusal).toContain("did you mean late?");
  expect(warnings).toEqual([expect.stringContaining("did you mean set?")]);
});

test("takes parameters as the command line does, with commas in values", () => {
  const set = "speculation.levels=n1:1,n2:2, speculation.epochMs=5000";
  const { discipline } = chosenBy({ discipline: "esplash", set });
  expect(discipline?.speculation.params).toMatchObject({ levels: "n1:1,n2:2", epochMs: 5000 });
});
