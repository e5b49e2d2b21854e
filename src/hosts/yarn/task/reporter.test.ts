import { expect, test } from "vitest";
import { Reporter } from "./reporter.ts";

/** What a reporter writes in reports at these times; `records` grows where it is given. */
function linesAt(reports: readonly { readonly ms: number; readonly records?: number }[]) {
  const lines: string[][] = [];
  let now = 0;
  const reporter = new Reporter(["map"], {
    now: () => now,
    write: (bytes) => void lines.at(-1)?.push(Buffer.from(bytes).toString().trim()),
  });
  let so = 0;
  for (const { ms, records } of reports) {
    now = ms;
    so = records ?? so;
    lines.push([]);
    reporter.progressed({ stage: 0, score: 0, bytesRead: 0, bytesWritten: 0, records: so });
  }
  return lines;
}

test("a report without news is silent, for ten seconds at most", () => {
  const reports = [{ ms: 0, records: 5 }, { ms: 2_000 }, { ms: 9_000 }, { ms: 11_000 }];
  expect(linesAt([...reports, { ms: 12_000 }, { ms: 14_000, records: 6 }])).toEqual([
    ["reporter:status:map", "reporter:counter:Broomwagon,records,5"],
    [],
    [],
    ["reporter:status:map"],
    [],
    ["reporter:counter:Broomwagon,records,1"],
  ]);
});
