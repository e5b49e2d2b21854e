import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "../../../base/assert.ts";
import { importProgram } from "../../../data/index.ts";
import { describeFailure } from "../../../data/task/failure.ts";
import { passLostErrors, watchLostErrors } from "../../../data/task/lost-error.ts";
import { containerOf } from "./container.ts";
import { type Frame, FrameWriter, readFrames } from "./frames.ts";
import { Reporter } from "./reporter.ts";
import { runMap, runReduce } from "./run-task.ts";
import { type InputCopy, isTaskJob, isTaskLine, JOB_FILE, type MapTask } from "./task-list.ts";
import type { TaskRun } from "./task-run.ts";

/**
 * The program in a container, started by Hadoop's streaming: `yarn-task.mjs map` or `reduce`. User
 * modules import `broomwagon/job` from this file, so that there is a single copy of it.
 */
export * from "../../../job/index.ts";

const [STDIN, STDOUT] = [0, 1];
const STAGES = { map: ["map"], reduce: ["copy", "sort", "reduce"] } as const;
/** The directory of the runner, with the user's modules beside it. */
const OURS = dirname(fileURLToPath(import.meta.url));

const role = process.argv[2] === "reduce" ? "reduce" : "map";
const container = containerOf(process.env);
const reporter = new Reporter(STAGES[role]);
reporter.captureOutput();
let copied: InputCopy | undefined;

// User code may hold timers and sockets, so the end of the task ends the process.
process.on("exit", endedBySomebodyElse);
watchLostErrors((error) => end(error));
work().then(
  () => end(),
  (thrown) => end(thrown),
);

async function work(): Promise<void> {
  const job: unknown = JSON.parse(readFileSync(JOB_FILE, "utf8"));
  assert(isTaskJob(job), `${JOB_FILE} is a job of this version`);
  const { entry, ...rest } = job.program;
  const program = await importProgram({ ...rest, entry: join(OURS, entry) });
  const directory = mkdtempSync("task-");
  const out = new FrameWriter(STDOUT);
  const run: TaskRun = { job, program, container, directory, out, reporter };
  const frames = readFrames(STDIN);
  if (role === "reduce") await runReduce(run, frames);
  else await runMap(run, mapTask(frames));
  rmSync(directory, { recursive: true });
  // The end of the process is the last chance to hear of them.
  await passLostErrors();
}

function mapTask(frames: Iterator<Frame>): MapTask {
  const { value: frame, done } = frames.next();
  assert(done !== true, "the frames of a map begin with its task");
  const line: unknown = JSON.parse(frame.value.toString());
  assert(isTaskLine(line), "the first frame of a map is a line of the task list");
  const { copy, task } = line;
  copied = copy;
  return task;
}

/** Ends the process; reports first what was thrown, if anything. */
function end(...thrown: readonly unknown[]): never {
  process.off("exit", endedBySomebodyElse);
  for (const one of thrown) reportFailure(one);
  process.exit(thrown.length === 0 ? 0 : 1);
}

function endedBySomebodyElse(): void {
  const how = "the code ended its process, or waits for what never comes";
  reportFailure(new Error(how));
  process.exitCode = 1;
}

function reportFailure(thrown: unknown): void {
  const { attemptName: attempt, host } = container;
  const copy = copied === undefined ? {} : { copy: copied };
  reporter.failed({ ...describeFailure(thrown, OURS), host, attempt, ...copy });
}
