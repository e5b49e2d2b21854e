import { InputError } from "../base/input-error.ts";

/** Files of other systems, by the start of their first line. */
const STARTS: readonly (readonly [start: string, name: string])[] = [
  ["Avro-Json", "a job history of Hadoop 2 or 3"],
  ["Avro-Binary", "a job history of Hadoop 2 or 3"],
  ['Meta VERSION="', "a job history of Hadoop 0.20 or 1"],
  ['{"Event":"SparkListener', "an event log of Spark"],
  ['{"Event": "SparkListener', "an event log of Spark"],
  ['{"jobID"', "a job trace of Rumen"],
  ["Obj\u0001", "an Avro container"],
  // Bytes that are not UTF-8 have become U+FFFD.
  ["\u001f\ufffd", "a gzip file"],
  ["(\ufffd/\ufffd", "a zstd file"],
];

/** InputError if the file that should be a journal is the history of another system. */
export function refuseForeignHistory(firstLine: string, path: string): void {
  const found = STARTS.find(([start]) => firstLine.startsWith(start));
  if (found === undefined) return;
  const expected = "expected a journal.ndjson that Broomwagon wrote";
  const hint = `this is ${found[1]}: try \`broomwagon why ${path}\``;
  throw new InputError("bad-journal", path, `${expected}; ${hint}`);
}
