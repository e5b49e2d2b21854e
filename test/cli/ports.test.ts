import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

async function broomwagon(...args: readonly string[]) {
  const shell = paperShell();
  const code = await runProgram(args, shell);
  return { code, said: shell.out.text + shell.err.text };
}

test("a port that is taken is refused in one line, before anything begins", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = taken.address();
  const port = typeof address === "string" ? "" : String(address?.port);
  const commands: readonly (readonly string[])[] = [
    ["page", "fixtures/pairs/engine/late.ndjson.gz", "--port", port],
    ["demo", "--ui", port],
    ["run", "examples/word-count.ts", "--input", "README.md", "--output", "none", "--ui", port],
    ["serve", "--socket", "none.socket", "--ui", port],
    ["simulate", "scenarios/one-straggler.json", "--ui", port],
  ];
  for (const [command = "", ...flags] of commands) {
    const flag = command === "page" ? "port" : "ui";
    const { code, said } = await broomwagon(command, ...flags);
    const expected = "expected a free port: another program listens on this one";
    expect([command, said]).toEqual([command, `error: --${flag} ${port}: ${expected}\n`]);
    expect(code).toBe(2);
  }
  taken.close();
  expect(await broomwagon("demo", "--ui", "busy")).toMatchObject({ code: 2 });
});
