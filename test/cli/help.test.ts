import { describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { paperShell } from "./support/screen.ts";

async function broomwagon(...args: readonly string[]) {
  const shell = paperShell();
  const code = await runProgram(args, shell);
  return { code, out: shell.out.text, err: shell.err.text };
}

describe("help", () => {
  test("every command has an example in its help", async () => {
    const { out } = await broomwagon("--help");
    const commands = ["demo", "run", "simulate", "policies", "replay"];
    for (const name of commands) {
      expect(out).toContain(`  ${name} `);
      const help = await broomwagon(name, "--help");
      expect(help.code).toBe(0);
      expect(help.out).toMatch(new RegExp(`Examples?:\\n  \\$ broomwagon ${name}`));
    }
  });

  test("the commands for a job that was late come first", async () => {
    const { out } = await broomwagon("--help");
    const names = [...out.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name]) => name);
    expect(names.slice(0, 4)).toEqual(["why", "whatif", "compare", "report"]);
  });

  test("--json is the same as -o json on every command that has -o", async () => {
    const { out } = await broomwagon("--help");
    const names = [...out.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name ?? "");
    const helps = await Promise.all(names.map((name) => broomwagon(name, "--help")));
    const having = helps.filter((help) => help.out.includes("-o, --format"));
    expect(having.length).toBeGreaterThan(12);
    for (const help of having) expect(help.out).toContain("--json");
    expect(await broomwagon("policies", "--json")).toEqual(
      await broomwagon("policies", "-o", "json"),
    );
  });

  test("without a command the help is shown, as a usage error", async () => {
    const { code, err } = await broomwagon();
    expect(code).toBe(2);
    expect(err).toContain("Usage: broomwagon");
  });

  test("--version prints the package's version and nothing else", async () => {
    expect(await broomwagon("--version")).toMatchObject({ code: 0, err: "" });
  });
});
