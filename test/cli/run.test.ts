import { expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

test("a job that --input has swallowed is missed with a word on the order", async () => {
  const shell = paperShell();
  const code = await runProgram(["run", "--input", "logs", "job.ts"], shell);
  expect(shell.err.text).toBe("error: missing required argument 'job': it comes before --input\n");
  expect(code).toBe(2);
});
