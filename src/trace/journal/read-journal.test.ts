import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { InputError } from "../../base/input-error.ts";
import { replay } from "../../core/journal/index.ts";
import { restoreDiscipline } from "../../policy/discipline.ts";
import { endAt, kindAt, localityAt } from "../columns.ts";
import type { Trace } from "../model.ts";
import { JournalReader } from "./read-journal.ts";

const FOLDER = "test/replay";
/** Of random clusters, and of a YARN cluster; the newest have seals. */
const JOURNALS = ["", "yarn/"].flatMap((sub) =>
  readdirSync(`${FOLDER}/${sub}`)
    .filter((name) => name.endsWith(".ndjson"))
    .map((name) => `${FOLDER}/${sub}${name}`),
);

function read(bytes: Uint8Array, piece = bytes.length): Trace {
  const reader = new JournalReader("a.ndjson");
  for (let from = 0; from < bytes.length; from += piece) {
    reader.push(bytes.slice(from, from + piece));
  }
  return reader.end();
}

describe("a journal", () => {
  test.each(JOURNALS)("%s is a trace of the attempts that its facts end", (path) => {
    const { jobs } = read(readFileSync(path));
    const found = jobs.flatMap(({ name, phases, nodes }) =>
      phases.flatMap(({ name: phase, attempts }) =>
        Array.from({ length: attempts.length }, (_, row) =>
          [
            `${name}/${phase}/${attempts.task[row]}`,
            kindAt(attempts, row),
            nodes[attempts.node[row] ?? -1],
            localityAt(attempts, row),
            attempts.startedAt[row],
            attempts.endedAt[row],
            endAt(attempts, row),
          ].join(" "),
        ),
      ),
    );
    const { ended, running } = endsByFacts(path);
    expect(found).toHaveLength(ended.length + running);
    expect(found).toEqual(expect.arrayContaining([...ended]));
  });

  test("is the same trace in pieces of any size", () => {
    const bytes = readFileSync(`${FOLDER}/late.ndjson`);
    expect(read(bytes, 1_000)).toEqual(read(bytes));
  });

  test("that ends before its jobs do is read so far, and a note says so", () => {
    const text = readFileSync(`${FOLDER}/late.ndjson`, "utf8");
    const lines = text.split("\n").slice(0, 60);
    const { jobs, notes } = read(Buffer.from(lines.join("\n")));
    expect(jobs.some(({ outcome }) => outcome === "cut-off")).toBe(true);
    expect(notes.map(({ kind }) => kind)).toContain("cut-off");
  });

  test("with a line that a replay writes differently is refused with the line", () => {
    const text = readFileSync(`${FOLDER}/late.ndjson`, "utf8");
    const altered = text.replace(/"kind":"launch","attempt":"[^"]+"/, (launch) =>
      launch.replace('"launch"', '"withdraw"'),
    );
    expect(() => read(Buffer.from(altered))).toThrow(InputError);
    expect(() => read(Buffer.from(altered))).toThrow(/^a\.ndjson:\d+: /);
  });
});

interface Launched {
  readonly words: readonly unknown[];
}

/** The attempts by a plain fold of their facts, and how many had no end. */
function endsByFacts(path: string): {
  readonly ended: readonly string[];
  readonly running: number;
} {
  const lines = readFileSync(path, "utf8").split("\n");
  const tasks = new Map<number, string>();
  const nodes = new Map<number, string>();
  const open = new Map<number, Launched>();
  const ended: string[] = [];
  replay(lines, (description) => restoreDiscipline(description), {
    onStep: ({ facts }) => {
      for (const fact of facts) {
        if (fact.kind === "node-joined") nodes.set(fact.node.id, fact.node.name);
        if (fact.kind === "job-submitted") {
          for (const phase of fact.job.phases) {
            for (const { id, index } of phase.tasks) {
              tasks.set(id, `${fact.job.name}/${phase.name}/${index}`);
            }
          }
        }
        if (fact.kind === "attempt-launched") {
          const { as, locality, at, task, node } = fact;
          const words = [tasks.get(task), as, nodes.get(node), locality, at];
          open.set(fact.attempt, { words });
        }
        if (fact.kind === "attempt-ended") {
          const words = open.get(fact.attempt)?.words ?? [];
          open.delete(fact.attempt);
          if (fact.end.how !== "refused") ended.push([...words, fact.at, fact.end.how].join(" "));
        }
      }
    },
  });
  return { ended, running: open.size };
}
