import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import { checkOutputPlace, type RunPaths } from "./output-place.ts";

let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "broomwagon-place-"));
  for (const name of ["in", "work", "runs", "jobs"]) mkdirSync(join(home, name));
  writeFileSync(join(home, "in", "a.txt"), "");
  writeFileSync(join(home, "jobs", "job.ts"), "");
  symlinkSync("in", join(home, "link"));
});
afterAll(() => rmSync(home, { recursive: true }));

function check(output: string, query: Partial<RunPaths> = {}): void {
  checkOutputPlace({
    output: join(home, output),
    jobFile: join(home, "jobs", "job.ts"),
    inputFiles: [join(home, "in", "a.txt")],
    inputPaths: [join(home, "in", "*.txt")],
    runDirectory: join(home, "runs"),
    workingDirectory: join(home, "work"),
    ...query,
  });
}

describe("an output that is or holds what the run needs is refused", () => {
  test.each([
    ["in", /\/in: .* it holds the input file .*\/in\/a\.txt; name another directory$/],
    ["in/a.txt", /it holds the input file/],
    ["link", /\/in: .* it holds the input file/],
    ["link/../in", /it holds the input file/],
    ["jobs", /it holds the job file .*job\.ts/],
    ["runs", /it holds the run directory/],
    ["work", /it holds the working directory/],
    [".", /it holds the working directory/],
  ])("%s", (output, says) => {
    expect(() => check(output)).toThrow(InputError);
    expect(() => check(output)).toThrow(says);
  });

  test("/, which holds everything", () => {
    expect(() => check("", { output: "/" })).toThrow(/it holds the working directory/);
  });
});

describe("an output inside an input directory", () => {
  test.each(["in/out", "in/a/b", "link/out"])("is refused: %s", (output) => {
    const inputPaths = [join(home, "in")];
    expect(() => check(output, { inputPaths })).toThrow(/it lies inside the input directory .*in;/);
  });

  test("is the user's choice where a glob names the files", () => {
    check("in/out");
  });
});

test.each(["out", "in2", "work/out", "runs/out", "jobs/out"])(
  "an output beside them: %s",
  (output) => {
    check(output, { inputPaths: [join(home, "in")] });
  },
);
