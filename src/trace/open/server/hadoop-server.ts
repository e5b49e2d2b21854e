import { InputError } from "../../../base/input-error.ts";
import type { Trace } from "../../../history/model.ts";
import type { HadoopAttempt, HadoopTask } from "../../hadoop/history.ts";
import { hadoopTrace } from "../../hadoop/to-trace.ts";
import type { Address } from "./address.ts";
import { type AskOptions, askForJson } from "./ask.ts";
import { addAttempts, addConf, addCounters, addTasks, jobIn } from "./hadoop-job.ts";

/** The most concurrent requests: a history server answers each in a few milliseconds. */
const AT_ONCE = 8;

/**
 * A job from the REST interface of Hadoop's JobHistoryServer, which does not serve the history
 * file. Takes one request per task and one per attempt. The answers give neither the places of the
 * input nor the attempts that are copies.
 */
export async function traceOfHadoopServer(
  { base, job: id }: Extract<Address, { kind: "hadoop" }>,
  options: AskOptions,
): Promise<Trace> {
  const url = `${base}/ws/v1/history/mapreduce/jobs/${id}`;
  const job = jobIn(await askForJson(url, options));
  if (job === undefined) throw new InputError("bad-input", url, "expected a job of Hadoop");
  addConf(await askForJson(`${url}/conf`, options), job);
  const tasks = addTasks(await askForJson(`${url}/tasks`, options), job);
  const attempts: [task: HadoopTask, attempt: HadoopAttempt][] = [];
  await eachOf(tasks, async (task) => {
    const answer = await askForJson(`${url}/tasks/${task.id}/attempts`, options);
    for (const attempt of addAttempts(answer, task)) attempts.push([task, attempt]);
  });
  await eachOf(attempts, async ([task, attempt]) => {
    const place = `${url}/tasks/${task.id}/attempts/${attempt.id}/counters`;
    addCounters(await askForJson(place, options), attempt);
  });
  return hadoopTrace([job], { format: "rest", file: url, notes: [] });
}

/** Rejects with the first failure, and begins nothing more after it. */
async function eachOf<T>(values: readonly T[], work: (value: T) => Promise<void>): Promise<void> {
  let next = 0;
  let isFailed = false;
  const one = async (): Promise<void> => {
    for (let nth = next++; nth < values.length && !isFailed; nth = next++) {
      const value = values[nth];
      if (value !== undefined) await work(value);
    }
  };
  const workers = Array.from({ length: AT_ONCE }, () =>
    one().catch((error: unknown) => {
      isFailed = true;
      throw error;
    }),
  );
  await Promise.all(workers);
}
