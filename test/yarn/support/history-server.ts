import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { ClusterAccess } from "../../../src/hosts/yarn/client/cluster-access.ts";
import { endAt, MEASURES } from "../../../src/trace/columns.ts";
import type { TraceJob } from "../../../src/trace/model.ts";
import { openTrace } from "../../../src/trace/open/open-trace.ts";
import type { Cluster } from "../../../tools/cluster/cluster.ts";
import { jobOf } from "../../../tools/cluster/hadoop-job.ts";
import { seen } from "../../../tools/cluster/seen.ts";
import { historyOf } from "./avataars.ts";

/** What the history server answers about a job is what its history file says. */
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
 * The server knows nothing of progress, of where input is, or of which attempts are copies. It has
 * counters of some attempts that were killed, which the file has not. Attempts that started at once
 * have an order of their own in each.
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
