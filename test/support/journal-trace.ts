import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { replay } from "../../src/core/journal/index.ts";
import { endAt, kindAt, localityAt } from "../../src/history/columns.ts";
import type { Trace } from "../../src/history/model.ts";
import { restoreDiscipline } from "../../src/policy/discipline.ts";
import { AttemptLog } from "../../src/reproduce/scenarios/attempt-log.ts";
import { JournalReader } from "../../src/trace/journal/read-journal.ts";

/** Compares the journal's trace with the log of attempts, a fold over the same facts. */
export function checkTrace(path: string): Trace {
  const bytes = readFileSync(path);
  const reader = new JournalReader(path);
  reader.push(bytes);
  const trace = reader.end();
  const log = new AttemptLog();
  replay(bytes.toString().split("\n"), (description) => restoreDiscipline(description), {
    onStep: ({ facts }) => facts.forEach((fact) => void log.apply(fact)),
  });
  const logged = log.attempts.map((one) =>
    [
      `${one.job}/${one.phase}/${one.task}`,
      one.as,
      one.node,
      one.locality,
      one.launchedAt,
      one.endedAt,
      one.ended,
    ].join(" "),
  );
  const read = attemptsOf(trace);
  expect(read).toEqual(expect.arrayContaining(logged));
  // Attempts that were being killed at the journal's end have no end in the log.
  log.close();
  expect(read).toHaveLength(log.attempts.length);
  return trace;
}

const attemptsOf = ({ jobs }: Trace): readonly string[] =>
  jobs.flatMap(({ name, phases, nodes }) =>
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
