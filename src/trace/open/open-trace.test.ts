import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
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

test("of several jobs of which one ended before its submission, the others are read", async () => {
  const job = (number: number, from: number, to: number): string => {
    const id = `200904211745_000${number}`;
    const own = { startTime: 1_240_000_010_000, finishTime: 1_240_000_020_000 };
    const attempt = { attemptID: `attempt_${id}_m_000000_0`, result: "SUCCESS", hostName: "/r/h" };
    const task = { taskID: `task_${id}_m_000000`, taskType: "MAP", ...own };
    return JSON.stringify({
      ...{ jobID: `job_${id}`, outcome: "SUCCESS", totalMaps: 1, totalReduces: 0 },
      ...{ submitTime: from, launchTime: from, finishTime: to },
      mapTasks: [{ ...task, attempts: [{ ...attempt, ...own }] }],
    });
  };
  const good = job(1, 1_240_000_000_000, 1_240_000_030_000);
  const wrong = job(2, 1_240_003_600_000, 1_240_000_000_000);
  const path = join(folder, "trace.json");
  writeFileSync(path, `${good}\n${wrong}\n`);
  const { jobs, notes } = await openTrace(path);
  expect(jobs.map(({ id }) => id)).toEqual(["job_200904211745_0001"]);
  expect(notes.map(({ text }) => text)).toContainEqual(
    "job_200904211745_0002 is left out: the job ended 3600 s before it was submitted: " +
      "a clock was set, or runs are mixed",
  );
  writeFileSync(path, wrong);
  await expect(openTrace(path)).rejects.toThrow("expected one clock");
});

test.each([
  ["policy", '"policy":"late"', '"policy":"later"', "no speculation policy later"],
  ["parameter", '"runtimeMsMin":1000', '"runtimeMsMin":-1', "runtimeMsMin of late is a number"],
])(
  "a journal whose first line names a wrong %s is at fault, not a flag",
  async (_, own, other, said) => {
    const journal = gunzipSync(readFileSync("fixtures/pairs/engine/late.ndjson.gz")).toString();
    const path = join(folder, "journal.ndjson");
    writeFileSync(path, journal.replace(own, other));
    await expect(openTrace(path)).rejects.toMatchObject({
      code: "bad-journal",
      place: `${path}:1`,
      message: expect.stringContaining(said),
    });
  },
);
