import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { askWhetherToKill } from "./ask-whether-to-kill.ts";

const APPLICATION = "application_1_0001";
const CTRL_C = "\u0003";

/** A terminal's two ends, and a question that is asked there until `over` aborts. */
function ask({ isTTY = true } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  const over = new AbortController();
  const answer = askWhetherToKill(APPLICATION, over.signal, { input, output });
  const shown = async (): Promise<string> => {
    await answer;
    return text(output.end());
  };
  return { answer, input, over, shown };
}

describe("after Ctrl-C, a question asks whether to kill the application:", () => {
  test.each([
    ["y", "kill"],
    ["YES", "kill"],
    ["", "kill"],
    ["n", "leave"],
    [" No", "leave"],
    ["leave it", "leave"],
  ])("'%s' means %s", async (typed, taken) => {
    const { answer, input, shown } = ask();
    input.write(`${typed}\r`);
    expect(await answer).toBe(taken);
    expect(await shown()).toContain(`kill ${APPLICATION}? [Y/n]`);
  });

  test("the end of the input is no objection", async () => {
    const { answer, input } = ask();
    input.end();
    expect(await answer).toBe("kill");
  });

  test("a second Ctrl-C leaves it running, on a line of its own", async () => {
    const { answer, input, shown } = ask();
    input.write(CTRL_C);
    expect(await answer).toBe("leave");
    expect(await shown()).toMatch(/\n$/);
  });

  test("once the application has ended, the question is over", async () => {
    const { answer, input, over, shown } = ask();
    input.write("n");
    over.abort();
    // The caller has seen the end, and ignores this answer.
    expect(await answer).toBe("leave");
    expect(await shown()).toMatch(/\n$/);
    // A terminal that is still being read does not keep the process alive, either.
    expect(input.isPaused()).toBe(true);
  });

  test("without a terminal the application is killed without a question", async () => {
    const { answer, shown } = ask({ isTTY: false });
    expect(await answer).toBe("kill");
    expect(await shown()).toBe("");
  });
});
