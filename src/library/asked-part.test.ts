import { describe, expect, test } from "vitest";
import { openTrace } from "../trace/open/open-trace.ts";
import { jobOf } from "./job-of-history.ts";

describe("a part that there is not", () => {
  const asked = async (path: string, part: object) =>
    jobOf({ trace: await openTrace(path), place: "log" }, part);

  test.each([
    [{ query: "1" }, "--query 1: log has no queries of SQL, but job 0, job 1"],
    [{ stage: "99" }, /^--stage 99: log has stage 0, stage 1, /],
    [{ id: "7" }, /^--job 7: log has the jobs app-\S+, and in them job 0, job 1$/],
    [{ query: "1", stage: "2" }, "--stage 2: expected no --query beside it"],
  ])("%j: the message lists what there is", async (part, said) => {
    await expect(asked("fixtures/spark/two-workers.ndjson", part)).rejects.toThrow(said);
  });

  test("a job of Hadoop has its phases as stages", async () => {
    const { part } = await asked("fixtures/hadoop/json.jhist", { stage: "map" });
    expect(part?.name).toBe("map");
    await expect(asked("fixtures/hadoop/json.jhist", { stage: "4" })).rejects.toThrow(
      "--stage 4: log has map, reduce",
    );
  });
});
