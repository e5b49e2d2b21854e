import { Script } from "node:vm";
import { describe, expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import { blamed } from "../../job/culprit.ts";
import { FetchError } from "../index.ts";
import { describeFailure } from "./failure.ts";
import { LostError } from "./lost-error.ts";
import { UserCodeError } from "./user-code-error.ts";

function thrownWith(stack: string): Error {
  const error = new TypeError("cannot read");
  error.stack = `TypeError: cannot read\n${stack}`;
  return error;
}

describe("the failure of an attempt", () => {
  test("names the user's first frame", () => {
    const failure = describeFailure(
      thrownWith(
        `    at new RegExp (<anonymous>)
    at parse (node:url:10:3)
    at ${new URL("./map-task.ts", import.meta.url)}:3:4
    at map (file:///home/user/my%20jobs/count.ts:12:9)
    at call (/home/user/other.ts:1:1)`,
      ),
    );
    expect(failure.message).toBe("TypeError: cannot read");
    expect(failure.place).toBe("/home/user/my jobs/count.ts:12");
    expect(failure.cause).toBe("error");
  });

  test("accepts a frame without a function's name", () => {
    const failure = describeFailure(thrownWith("    at /home/user/count.ts:7:1"));
    expect(failure.place).toBe("/home/user/count.ts:7");
  });

  test("accepts the frame of an async function, with and without a name", () => {
    for (const frame of [
      "at async call (/home/user/count.ts:7:1)",
      "at async /home/user/count.ts:7:1",
    ]) {
      expect(describeFailure(thrownWith(`    ${frame}`)).place).toBe("/home/user/count.ts:7");
    }
  });

  test("of a lost error has the message and the place of its reason", () => {
    const reason = thrownWith("    at /home/user/count.ts:7:1");
    expect(describeFailure(new LostError("rejected", reason))).toMatchObject({
      cause: "error",
      message: "a promise that the code did not await was rejected: TypeError: cannot read",
      place: "/home/user/count.ts:7",
    });
    const text = describeFailure(new LostError("thrown", "a text"));
    expect(text.message).toBe("the code threw in a callback: a text");
    expect(text).not.toHaveProperty("place");
  });

  test("has no place if no frame is the user's", () => {
    expect(describeFailure(thrownWith("    at node:fs:1:2"))).not.toHaveProperty("place");
  });

  test("includes a thrown value that is not an Error", () => {
    expect(describeFailure("enough")).toEqual({ cause: "error", message: "thrown: enough" });
  });

  test("calls unreadable input so", () => {
    const place = "/in/a.csv:3";
    const failure = describeFailure(new InputError("bad-input", place, "expected 2 fields"));
    expect(failure).toMatchObject({ cause: "bad-input", message: `${place}: expected 2 fields` });
    const ofUser = describeFailure(new InputError("bad-job", "key", "expected a string"));
    expect(ofUser).toMatchObject({ cause: "bad-input", message: "key: expected a string" });
  });

  test("names the user's function whose result was refused, even without a stack", () => {
    const script = new Script("\n\n(record) => [record]", { filename: "/home/user/job.ts" });
    const map: () => unknown = script.runInThisContext();
    const place = "/home/user/job.ts:3";
    const refused = (by: object) =>
      blamed(new InputError("bad-job", "map", "expected an array"), by);
    expect(describeFailure(refused(map), "/")).toMatchObject({ place });
    expect(describeFailure(refused(map.bind(undefined).bind(1)), "/")).toMatchObject({ place });
    const atRecord = new UserCodeError("/in/a:3", refused(map));
    expect(describeFailure(atRecord, "/")).toMatchObject({
      cause: "bad-input",
      message: "/in/a:3: map: expected an array",
      place,
    });
    // The first to blame is nearest to the refused result.
    expect(
      describeFailure(
        blamed(refused(map), () => 2),
        "/",
      ),
    ).toMatchObject({ place });
  });

  test("calls an unreadable output so", () => {
    const failure = describeFailure(new FetchError(3, "/nodes/n1/output", "cut short"));
    expect(failure.cause).toBe("output-unreadable");
    expect(failure.message).toContain("output of map 3: /nodes/n1/output: cut short");
  });
});
