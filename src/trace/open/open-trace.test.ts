import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openTrace } from "./open-trace.ts";

const folder = mkdtempSync(join(tmpdir(), "broomwagon-open-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a job history takes its settings from the conf.xml beside it", async () => {
  const path = join(folder, "job_1_0001-1-ann-words-2-1-1-SUCCEEDED-default-1.jhist");
  cpSync("fixtures/hadoop/binary.jhist", path);
  const settingsOf = async () => (await openTrace(path)).jobs[0]?.settings;
  const names = [
    "mapreduce.map.speculative",
    "mapreduce.job.speculative.speculative-cap-total-tasks",
  ];
  expect((await settingsOf())?.values).toEqual({});
  const properties = names.map(
    (name, n) => `<property><name>${name}</name><value>${["true", "0.2"][n]}</value></property>`,
  );
  writeFileSync(
    join(folder, "job_1_0001_conf.xml"),
    `<configuration>${properties.join("")}</configuration>`,
  );
  expect(await settingsOf()).toMatchObject({
    speculation: true,
    discipline: "yarn",
    values: { [names[0] ?? ""]: "true", [names[1] ?? ""]: "0.2" },
  });
});
