import { setImmediate as turn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { DataPathBench } from "../../../test/support/data-path.ts";
import { runFlow } from "../../../test/support/run-flow.ts";
import { count, csv, defineFlow, fixed, type Input, ndjson, text } from "../../job/index.ts";

const bench = new DataPathBench();
afterAll(() => bench.remove());

describe("the error of a call names the record, though later ones are read", () => {
  const LINES = Array.from({ length: 40 }, (_, i) => `record ${i}`);
  const fails = async (record: unknown): Promise<never> => {
    await turn();
    throw new RangeError(`no ${JSON.stringify(record)}`);
  };
  /** Fails at the record that is told. */
  const failsAt =
    (isIt: (record: unknown) => boolean) =>
    async (record: unknown): Promise<unknown> =>
      isIt(record) ? fails(record) : record;

  async function errorOf<R>(
    input: Input<R>,
    content: string | Buffer,
    isIt: (record: unknown) => boolean,
    name = "a.txt",
  ): Promise<string> {
    const flow = defineFlow("fails", (f) => {
      f.read("records", input)
        .mapAsync(failsAt(isIt), { concurrency: 8 })
        .map((record) => JSON.stringify(record))
        .write(text());
    });
    const error = await runFlow(bench, flow, { [name]: content }, { splitBytes: 120 }).catch(
      (thrown: unknown) => thrown,
    );
    return String(error).replace(/^.*\/(?=a\.)/, "");
  }

  test("by its line in the file", async () => {
    const content = LINES.map((line) => `${line}\n`).join("");
    const isIt = (record: unknown): boolean => record === "record 33";
    const says = `:34: RangeError: no "record 33", in "record 33"`;
    expect(await errorOf(text(), content, isIt)).toBe(`a.txt${says}`);
    expect(await errorOf(text(), gzipSync(content), isIt, "a.txt.gz")).toBe(`a.txt.gz${says}`);
  });

  test("by its first line, in CSV with line ends in quotes", async () => {
    const content = `name,n\n${LINES.map((line, i) => `"${line}\nmore",${i}\n`).join("")}`;
    const input = csv(undefined, { columns: { name: "text", n: "number" } });
    const isIt = (record: unknown): boolean => JSON.stringify(record).includes('"n":21');
    expect(await errorOf(input, content, isIt)).toMatch(
      /^a\.txt:44: RangeError: no .*, in \{"name":"record 21\\nmore","n":21\}$/,
    );
  });

  test("by its byte, where records have one length", async () => {
    const content = Buffer.from("abcdefgh".repeat(50));
    let seen = 0;
    const error = await errorOf(fixed(8, undefined, { encoding: "latin1" }), content, () => {
      return ++seen === 5;
    });
    expect(error).toBe('a.txt: byte 32: RangeError: no "abcdefgh", in "abcdefgh"');
  });

  test("by its number, among kept records", async () => {
    const flow = defineFlow("fails", (f) => {
      f.read("lines", text())
        .keyBy()
        .fold("counts", count())
        .mapAsync(failsAt((pair) => String(pair) === "record 9,1"))
        .map(String)
        .write(text());
    });
    const content = LINES.slice(0, 10).join("\n");
    await expect(runFlow(bench, flow, { "a.txt": content })).rejects.toThrow(
      'record 10 of the previous phase\'s output: RangeError: no ["record 9",1], in ["record 9",1]',
    );
  });

  test("of the steps around it as well", async () => {
    for (const at of ["before", "after"]) {
      const flow = defineFlow("around", (f) => {
        const check = (place: string) => (line: string) => {
          if (at === place && line === "record 7") throw new RangeError(`${place} it`);
          return line;
        };
        f.read("lines", text())
          .flatMap((line) => [line])
          .map(check("before"))
          .mapAsync(async (line) => line, { concurrency: 3 })
          .map(check("after"))
          .write(text());
      });
      await expect(runFlow(bench, flow, { "a.txt": LINES.join("\n") })).rejects.toThrow(
        `a.txt:8: RangeError: ${at} it, in "record 7"`,
      );
    }
  });

  test("of the reading comes when the records before it have passed", async () => {
    const input = ndjson(undefined, (value) => {
      if (value === 3) throw new RangeError("three");
      return value;
    });
    const called: unknown[] = [];
    const flow = defineFlow("decodes", (f) => {
      f.read("values", input)
        .mapAsync(async (value) => {
          called.push(value);
          return value;
        })
        .map(String)
        .write(text());
    });
    await expect(runFlow(bench, flow, { "a.txt": "1\n2\n3\n4\n" })).rejects.toThrow(
      "a.txt:3: RangeError: three",
    );
    expect(called).toEqual([1, 2]);
  });
});
