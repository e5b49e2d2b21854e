import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { endAt, MEASURES } from "../../../src/history/columns.ts";
import type { TraceJob } from "../../../src/history/model.ts";
import type { ClusterAccess } from "../../../src/hosts/yarn/client/cluster-access.ts";
import { openTrace } from "../../../src/trace/open/open-trace.ts";
import type { Cluster } from "../../../tools/cluster/cluster.ts";
import { jobOf } from "../../../tools/cluster/hadoop-job.ts";
import { seen } from "../../../tools/cluster/seen.ts";
import { historyOf } from "./avataars.ts";

/** Checks that the history server's answers about a job agree with the job's history file. */
export async function expectServedAsWritten(
  cluster: Cluster,
  access: ClusterAccess,
  application: string,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "broomwagon-served-"));
  try {
    const file = join(folder, "job.jhist");
    writeFileSync(file, await historyOf(access, application));
    const url = `${cluster.pages.historyServer}/jobhistory/job/${jobOf(application)}`;
    // The server learns of a job some seconds after its end.
    const served = await seen("the job on the history server", () =>
      openTrace(url).catch(() => undefined),
    );
    const written = await openTrace(file);
    expect(served.jobs.map(common)).toEqual(written.jobs.map(common));
    expect(served.jobs[0]?.settings.discipline).toBeDefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The server has no progress, input locations or kinds of attempts. It has counters of some killed
 * attempts, which the file lacks. Attempts that started at the same time are ordered differently in
 * each.
 */
function common({ id, name, submittedAt, launchedAt, endedAt, outcome, nodes, phases }: TraceJob) {
  return {
    ...{ id, name, submittedAt, launchedAt, endedAt, outcome },
    phases: phases.map(({ kind, tasks, attempts }) => ({
      ...{ kind, tasks },
      attempts: Array.from({ length: attempts.length }, (_, row) => ({
        task: attempts.task[row] ?? 0,
        node: nodes[attempts.node[row] ?? -1],
        end: endAt(attempts, row),
        startedAt: attempts.startedAt[row] ?? 0,
        endedAt: attempts.endedAt[row],
        measures:
          endAt(attempts, row) === "succeeded"
            ? MEASURES.map((measure) => attempts[measure][row])
            : [],
      })).sort((a, b) => a.startedAt - b.startedAt || a.task - b.task),
    })),
  };
}
