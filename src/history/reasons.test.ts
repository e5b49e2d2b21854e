import { describe, expect, test } from "vitest";
import { Reasons, shortReason } from "./reasons.ts";

const TRACEBACK = `Traceback (most recent call last):
  File "/spark/python/lib/pyspark.zip/pyspark/worker.py", line 1247, in main
    process()
  File "/job.py", line 7, in parse
    return int(text)
           ^^^^^^^^^
ValueError: invalid literal for int(): 'x17'
`;

describe("a reason", () => {
  test("is the first line that says something, cut to a length for sentences", () => {
    expect(shortReason("\n  disk full \n\tat java.io.File")).toBe("disk full");
    const long = shortReason("x".repeat(500));
    expect(long.length).toBe(200);
    expect(long.endsWith("…")).toBe(true);
    expect(shortReason(" \n ")).toBe("");
  });

  test("is the exception that a traceback of Python ends with", () => {
    expect(shortReason(TRACEBACK)).toBe("ValueError: invalid literal for int(): 'x17'");
    const udf = `\n  An exception was thrown from the Python worker.\n${TRACEBACK}`;
    expect(shortReason(udf)).toBe("ValueError: invalid literal for int(): 'x17'");
  });

  test("is the last exception, where one was raised while another was handled", () => {
    const during = "During handling of the above exception, another exception occurred:";
    const chained = `${TRACEBACK}\n${during}\n\n${TRACEBACK.replace("ValueError", "KeyError")}`;
    expect(shortReason(chained)).toBe("KeyError: invalid literal for int(): 'x17'");
  });

  test("keeps what stands before a traceback, where both fit into a sentence", () => {
    const before = "Lost task 1.3 in stage 1.0 (TID 40): PythonException: ";
    const raised = "ValueError: invalid literal for int(): 'x17'";
    expect(shortReason(before + TRACEBACK)).toBe(before + raised);
    expect(shortReason("x".repeat(180) + TRACEBACK)).toBe(raised);
  });

  test("is the header of a traceback that was cut off after it", () => {
    expect(shortReason("Traceback (most recent call last):\n  File")).toBe(
      "Traceback (most recent call last):",
    );
  });

  test("counts as one with those that differ in numbers alone", () => {
    const reasons = new Reasons();
    expect(reasons.of("line 17 has 4 fields")).toBe(0);
    expect(reasons.of("line 9017 has 3 fields")).toBe(0);
    expect(reasons.of("disk full")).toBe(1);
    expect(reasons.of("")).toBe(-1);
    expect(reasons.texts).toEqual(["line 17 has 4 fields", "disk full"]);
  });
});
