import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { birthOf, endLeftovers } from "./process-birth.ts";

test("a process is identified by its number and birth, and no other is ended", async () => {
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  const ended = once(child, "exit");
  const { pid = 0 } = child;
  const birth = birthOf(pid);
  expect(birth).toMatch(/^\d+$/);
  expect(await endLeftovers([{ pid, birth: `${birth}0` }])).toBe(0);
  expect(await endLeftovers([{ pid, birth: undefined }])).toBe(0);
  expect(birthOf(pid)).toBe(birth);
  // A stopped process cannot handle a signal.
  process.kill(pid, "SIGSTOP");
  expect(await endLeftovers([{ pid, birth }])).toBe(1);
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(birthOf(pid)).toBeUndefined();
});
