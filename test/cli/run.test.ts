import { expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

test("for a job swallowed by --input, the error explains the order", async () => {
  const shell = paperShell();
  const code = await runProgram(["run", "--input", "logs", "job.ts"], shell);
  expect(shell.err.text).toBe("error: missing required argument 'job': it comes before --input\n");
  expect(code).toBe(2);
});

test.each([
  [["--on", "yarn", "--nodes", "3"], "--nodes: works only with --on engine"],
  [["--node-path", "/usr/bin/node"], "--node-path: works only with --on yarn"],
])("a flag that means nothing on the host is refused: %j", async (flags, message) => {
  const shell = paperShell();
  const code = await runProgram(["run", "job.ts", ...flags], shell);
  expect(shell.err.text).toBe(`error: ${message}\n`);
  expect(code).toBe(2);
});
