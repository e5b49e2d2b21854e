import { readFileSync } from "node:fs";

interface Event {
  readonly taskid?: string;
  readonly attemptId?: string;
  readonly taskType?: string;
  readonly taskStatus?: string;
  readonly status?: string;
  readonly trackerName?: string;
  readonly startTime?: number;
  readonly finishTime?: number;
  readonly jobid?: string;
  readonly jobName?: string;
  readonly userName?: string;
  readonly submitTime?: number;
}

interface Attempt {
  readonly attemptID: string;
  readonly hostName: string;
  readonly startTime: number;
  finishTime?: number;
  result?: string;
}

/** A job history in Hadoop's JSON as Rumen's job trace, with only names, nodes, times and ends. */
export function rumenOf(jhist: string): string {
  const attempts = new Map<string, Attempt>();
  const tasks = new Map<string, { readonly type: string; readonly attempts: Attempt[] }>();
  const job: Record<string, unknown> = { jobName: null, outcome: "SUCCESS", otherTasks: [] };
  for (const line of readFileSync(jhist, "utf8").split("\n").slice(2)) {
    if (line === "") continue;
    const { type, event }: { readonly type: string; readonly event: Record<string, Event> } =
      JSON.parse(line);
    const [about = {}] = Object.values(event);
    const { taskid = "", attemptId = "", startTime = 0, finishTime = 0, taskType = "" } = about;
    if (type === "JOB_SUBMITTED") {
      const { jobid: jobID, userName: user, submitTime } = about;
      Object.assign(job, { jobID, user, submitTime });
    } else if (type === "JOB_FINISHED") job.finishTime = finishTime;
    else if (/ATTEMPT_STARTED$/.test(type)) {
      const one = { attemptID: attemptId, hostName: `/rack/${about.trackerName}`, startTime };
      const task = tasks.get(taskid) ?? { type: taskType, attempts: [] };
      attempts.set(attemptId, one);
      tasks.set(taskid, task);
      task.attempts.push(one);
    } else if (/ATTEMPT_(FINISHED|KILLED|FAILED)$/.test(type)) {
      const result = about.status ?? "SUCCESS";
      Object.assign(attempts.get(attemptId) ?? {}, { finishTime, result });
    }
  }
  const tasksOf = (wanted: string): readonly object[] =>
    [...tasks].flatMap(([taskID, { type, attempts: of }]) => {
      if (type !== wanted) return [];
      const startTime = Math.min(...of.map((one) => one.startTime));
      const finishTime = Math.max(...of.map((one) => one.finishTime ?? 0));
      const taskType = type;
      return [{ taskID, taskType, startTime, finishTime, attempts: of, preferredLocations: [] }];
    });
  return JSON.stringify({ ...job, mapTasks: tasksOf("MAP"), reduceTasks: tasksOf("REDUCE") });
}
