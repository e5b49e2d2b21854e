import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { defined } from "../../../base/assert.ts";
import type { Job } from "../../../job/index.ts";
import { importJob, openReduction, runMap, runMapOnly } from "../data/index.ts";
import type { JobForNodes, MapLocation, MapWork, ReduceWork, WorkResult } from "../messages.ts";
import { CopyStage } from "./copy.ts";
import { watchDisk } from "./disk.ts";
import { describeFailure } from "./failure.ts";
import { printDirectly } from "./printing.ts";
import { ProgressCell } from "./progress-cell.ts";
import type { FromThread, ToThread } from "./thread-messages.ts";

/**
 * The thread of one slot: runs the user's code, one attempt after another. It may be ended at any
 * moment.
 */
const port = defined(parentPort ?? undefined, "the node's main thread");
watchDisk(workerData.disk);
printDirectly();
const jobs = new Map<number, Promise<Job>>();
let copy: CopyStage | undefined;
/** What was told of outputs before the attempt came to its copy stage. */
let early: MapLocation[] = [];

type Assignment = Extract<ToThread, { kind: "run" }>;

port.on("message", (message: ToThread) => {
  if (message.kind === "run") void attempt(message);
  else if (copy === undefined) early.push(...message.found);
  else copy.found(message.found);
});

async function attempt(assignment: Assignment): Promise<void> {
  early = [];
  tell({ kind: "started" });
  try {
    tell({ kind: "succeeded", result: await work(assignment) });
  } catch (thrown) {
    tell({ kind: "failed", failure: describeFailure(thrown) });
  } finally {
    copy = undefined;
  }
}

async function work(assignment: Assignment): Promise<WorkResult> {
  const progress = new ProgressCell(assignment.progress);
  progress.works(true);
  const job = await load(assignment.job);
  return assignment.work.kind === "map"
    ? runMapWork(job, assignment, assignment.work, progress)
    : runReduceWork(job, assignment, assignment.work, progress);
}

async function runMapWork(
  job: Job,
  assignment: Assignment,
  work: MapWork,
  progress: ProgressCell,
): Promise<WorkResult> {
  const { params, reduces } = assignment.job;
  const { directory } = assignment;
  const { split, begun: attempt } = work;
  const task = { job, params, split, attempt, reduces, directory, progress };
  if (work.part === undefined) {
    return { kind: "map-output", output: await runMap({ ...task, to: join(directory, "output") }) };
  }
  return { kind: "part", part: await runMapOnly({ ...task, to: work.part }) };
}

async function runReduceWork(
  job: Job,
  assignment: Assignment,
  work: ReduceWork,
  progress: ProgressCell,
): Promise<WorkResult> {
  const { params, maps } = assignment.job;
  const { directory } = assignment;
  const { partition, begun: attempt } = work;
  const reduction = openReduction({ job, params, partition, maps, attempt, directory, progress });
  copy = new CopyStage({
    reduction,
    maps,
    progress,
    tell: (failed) => tell({ kind: "fetch-failed", ...failed }),
  });
  copy.found([...work.found, ...early]);
  await copy.run();
  copy = undefined;
  return { kind: "part", part: await reduction.finish(work.part) };
}

/** Once for each job. A module whose import failed would fail again. */
function load(job: JobForNodes): Promise<Job> {
  const known = jobs.get(job.job);
  if (known !== undefined) return known;
  const loading = importJob(job.file);
  jobs.set(job.job, loading);
  return loading;
}

function tell(message: FromThread): void {
  port.postMessage(message);
}
