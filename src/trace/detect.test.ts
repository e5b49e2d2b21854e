import { expect, test } from "vitest";
import { detect } from "./detect.ts";

test.each([
  ['{"Event":"SparkListenerLogStart"}', "spark"],
  ['{"Event": "SparkListenerBlockManagerAdded"}', "spark"],
  ["Avro-Json\n{}", "jhist"],
  ["/* A licence. */\n\nAvro-Binary\n", "jhist"],
  ["# A comment\nAvro-Json\n", "jhist"],
  ['Meta VERSION="1" .\n', "jobtracker"],
  ['{"journal":"broomwagon","version":2}', "journal"],
  ['{\n  "priority" : "NORMAL",\n  "jobID" : "job_1"', "rumen"],
  ['unch Time":1}}\n{"Event":"SparkListenerTaskEnd"}', "spark"],
  ["a text file", undefined],
  ["a text file\nof two lines", undefined],
  ["/* never closed", undefined],
])("%j is of the format %s", (text, format) => {
  expect(detect(new TextEncoder().encode(text))).toBe(format);
});
