import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nextFloat, type RandomState, randomState } from "../../../src/base/random.ts";

/** A month of jobs as event logs of Spark, one file each. */
export interface Month {
  readonly nodes: number;
  readonly jobs: number;
  /** A job runs on so many nodes, with one slot each. */
  readonly nodesOfJob: number;
  readonly tasksPerNode: number;
  /** These nodes are slow in as many of the jobs that run on them. */
  readonly slow: readonly string[];
  readonly slowJobs: number;
  readonly factor: number;
  readonly seed: number;
}

const FROM = Date.UTC(2026, 9, 1);

/** Each node runs in the same number of jobs; which, chance says. */
export function writeMonth(folder: string, month: Month): void {
  const random = randomState(month.seed, "month");
  const hosts = Array.from({ length: month.nodes }, (_, n) => `n${n + 1}`);
  const members = Array.from({ length: month.jobs }, (): string[] => []);
  let deck: string[] = [];
  for (const own of members) {
    while (own.length < month.nodesOfJob) {
      if (deck.length === 0) deck = shuffled(hosts, random);
      const place = deck.findIndex((host) => !own.includes(host));
      own.push(...(place < 0 ? [] : deck.splice(place, 1)));
      if (place < 0) deck.push(...shuffled(hosts, random));
    }
  }
  const slowIn = new Map(
    month.slow.map((host) => {
      const own = [...members.keys()].filter((job) => members[job]?.includes(host));
      return [host, new Set(shuffled(own, random).slice(0, month.slowJobs))];
    }),
  );
  for (const [job, own] of members.entries()) {
    const file = join(folder, `app-${String(job).padStart(5, "0")}`);
    const factor = (host: string) => (slowIn.get(host)?.has(job) ? month.factor : 1);
    writeFileSync(file, log(job, own, month.tasksPerNode, factor, random));
  }
}

function shuffled<T>(values: readonly T[], random: RandomState): T[] {
  return values
    .map((value) => ({ value, key: nextFloat(random) }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}

/** Most attempts take 10 s, 15 % more or less; three of a hundred take 1.5 to 3.5 times as long. */
function durationMs(random: RandomState): number {
  const normal = Array.from({ length: 12 }, () => nextFloat(random)).reduce((a, b) => a + b, -6);
  const tail = nextFloat(random) < 0.03 ? 1.5 + 2 * nextFloat(random) : 1;
  return 10_000 * Math.exp(0.15 * normal) * tail;
}

/** An attempt of a task. */
interface Ran {
  readonly index: number;
  readonly host: string;
  readonly from: number;
  readonly to: number;
}

function log(
  job: number,
  hosts: readonly string[],
  tasksPerNode: number,
  factor: (host: string) => number,
  random: RandomState,
): string {
  const at = FROM + job * 2_400_000;
  const tasks = hosts.length * tasksPerNode;
  const free = hosts.map((host) => ({ host, at }));
  const ran: Ran[] = [];
  for (let index = 0; index < tasks; index++) {
    const slot = free.reduce((a, b) => (b.at < a.at ? b : a));
    const to = Math.round(slot.at + durationMs(random) * factor(slot.host));
    ran.push({ index, host: slot.host, from: slot.at, to });
    slot.at = to;
  }
  const end = Math.max(...ran.map(({ to }) => to));
  const stage = {
    ...{ "Stage ID": 0, "Stage Attempt ID": 0, "Stage Name": "count", "Number of Tasks": tasks },
    ...{ "Parent IDs": [], "RDD Info": [], Details: "", "Submission Time": at },
  };
  const events = [
    ...started(`app-${String(job).padStart(5, "0")}`, at, hosts),
    {
      ...{ Event: "SparkListenerJobStart", "Job ID": 0, "Submission Time": at },
      ...{ "Stage Infos": [stage], "Stage IDs": [0], Properties: {} },
    },
    { Event: "SparkListenerStageSubmitted", "Stage Info": stage, Properties: {} },
    ...ran
      .flatMap(taskEvents)
      .sort((a, b) => a.at - b.at)
      .map(({ event }) => event),
    {
      Event: "SparkListenerStageCompleted",
      "Stage Info": { ...stage, "Completion Time": end },
    },
    {
      ...{ Event: "SparkListenerJobEnd", "Job ID": 0, "Completion Time": end },
      "Job Result": { Result: "JobSucceeded" },
    },
    { Event: "SparkListenerApplicationEnd", Timestamp: end },
  ];
  return `${events.map((event) => JSON.stringify(event)).join("\n")}\n`;
}

const started = (id: string, at: number, hosts: readonly string[]) => [
  { Event: "SparkListenerLogStart", "Spark Version": "3.5.0" },
  {
    ...{ Event: "SparkListenerApplicationStart", "App Name": `job ${id}`, "App ID": id },
    ...{ Timestamp: at, User: "u" },
  },
  ...hosts.map((host) => ({
    ...{ Event: "SparkListenerExecutorAdded", Timestamp: at, "Executor ID": host.slice(1) },
    "Executor Info": { Host: host, "Total Cores": 1, "Log Urls": {} },
  })),
];

function taskEvents({ index, host, from, to }: Ran) {
  const info = {
    ...{ "Task ID": index, Index: index, Attempt: 0, "Launch Time": from, Host: host },
    ...{ "Executor ID": host.slice(1), Locality: "PROCESS_LOCAL", Speculative: false },
    ...{ "Getting Result Time": 0, "Finish Time": to, Failed: false, Killed: false },
  };
  const stage = { "Stage ID": 0, "Stage Attempt ID": 0 };
  return [
    {
      at: from,
      event: {
        ...{ Event: "SparkListenerTaskStart", ...stage },
        "Task Info": { ...info, "Finish Time": 0 },
      },
    },
    {
      at: to,
      event: {
        ...{ Event: "SparkListenerTaskEnd", ...stage, "Task Type": "ResultTask" },
        ...{ "Task End Reason": { Reason: "Success" }, "Task Info": info },
      },
    },
  ];
}
