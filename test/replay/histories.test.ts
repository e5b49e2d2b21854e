import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { figuresOf } from "../../bench/yarn/history.ts";
import { AvroReader } from "../support/avro.ts";

const fixture = (path: string): Buffer =>
  readFileSync(new URL(`../../fixtures/${path}`, import.meta.url));

/** A history of Hadoop: its format, its schema, and its events. */
function jobHistory(path: string) {
  const bytes = fixture(path);
  const second = bytes.indexOf("\n") + 1;
  const third = bytes.indexOf("\n", second) + 1;
  const [format = "", schema = ""] = bytes.toString("utf8", 0, third).split("\n");
  return { format, schema, events: bytes.subarray(third) };
}

test("of a job's history in JSON: one copy won, two lost", () => {
  const history = fixture("hadoop/json.jhist").toString();
  expect(figuresOf(history)).toMatchObject({ copies: 3, won: 1 });
});

test("of a job's history in Avro's binary encoding, by the same schema: the same", () => {
  const { format, schema, events } = jobHistory("hadoop/binary.jhist");
  expect(format).toBe("Avro-Binary");
  expect(schema).toBe(jobHistory("hadoop/json.jhist").schema);
  const lines = Array.from(new AvroReader(schema, events).values(), (event) =>
    JSON.stringify(event),
  );
  const figures = figuresOf(["Avro-Json", schema, ...lines].join("\n"));
  expect(figures).toMatchObject({ copies: 3, won: 1 });
  expect(figures.responseMs).toBeGreaterThan(0);
  expect(figures.wastedMs).toBeGreaterThan(0);
});

/** The fields of Spark 4's log that are read here. */
interface TaskEnd {
  readonly Event: string;
  readonly "Stage ID": number;
  readonly "Task End Reason": { readonly Reason: string };
  readonly "Task Info": { readonly Index: number; readonly Speculative: boolean };
}

test("of Spark's event log: one copy won, two lost, each against the attempt beside it", () => {
  const ends = fixture("spark/two-workers.ndjson")
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line): TaskEnd => JSON.parse(line))
    .filter(({ Event }) => Event === "SparkListenerTaskEnd");
  const ended = ends
    .filter((end) => end["Task Info"].Speculative)
    .map((copy) => {
      const beside = ends.filter(
        (end) =>
          end !== copy &&
          end["Stage ID"] === copy["Stage ID"] &&
          end["Task Info"].Index === copy["Task Info"].Index,
      );
      return [copy, ...beside].map((end) => end["Task End Reason"].Reason);
    });
  expect(ended).toEqual([
    ["TaskKilled", "Success"],
    ["Success", "TaskKilled"],
    ["TaskKilled", "Success"],
  ]);
});
