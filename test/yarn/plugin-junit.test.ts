import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../tools/cluster/repository.ts";
import { lacksHadoop } from "./support/java-and-maven.ts";

describe.skipIf(lacksHadoop)("the plug-in's own tests, in Java", () => {
  test("all pass", async () => {
    const { code, said } = await maven("test");
    expect(code, said).toBe(0);
  });
});

function maven(goal: string): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("mvn", ["--quiet", "--batch-mode", "--file", "yarn-plugin/pom.xml", goal], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    const hear = (text: string): void => {
      said += text;
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, said }));
  });
}
