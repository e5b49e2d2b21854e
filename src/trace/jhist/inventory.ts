import { type Contents, type Inventory, names } from "../inventory.ts";

const ID = "jobid";

const ATTEMPT_ASIDE: Contents["aside"] = {
  "the state follows from the event": names("taskStatus, state"),
  "counters have the sums": names("cpuUsages, vMemKbytes, physMemKbytes"),
  "the name of the host is enough": ["port"],
  "the phases of a map are not told": ["mapFinishTime"],
};
const START: Contents = {
  used: names("taskid, taskType, attemptId, startTime, trackerName, locality, avataar"),
  aside: { "the name of the host is enough": names("httpPort, shufflePort, containerId") },
};
const MAP_END: Contents = {
  used: names(
    "taskid, attemptId, taskType, finishTime, hostname, rackname, status, error, counters, " +
      "clockSplits",
  ),
  aside: ATTEMPT_ASIDE,
};
const REDUCE_END: Contents = {
  used: [...MAP_END.used, "shuffleFinishTime", "sortFinishTime"],
  aside: ATTEMPT_ASIDE,
};
const COUNTS = {
  "the attempts are counted": names(
    "finishedMaps, finishedReduces, failedMaps, failedReduces, killedMaps, killedReduces",
  ),
  "the attempts have them": names("totalCounters, mapCounters, reduceCounters"),
};
const UNSUCCESSFUL: Contents = {
  used: names(`${ID}, finishTime`),
  aside: {
    ...COUNTS,
    "the event says it": ["jobStatus"],
    "the attempts have errors": ["diagnostics"],
  },
};

/** All events and fields of Hadoop's job history files, 0.23 to 3.5: Events.avpr. */
export const JHIST_INVENTORY: Inventory = {
  events: new Map<string, Contents | string>([
    [
      "JOB_SUBMITTED",
      {
        used: names(
          `${ID}, jobName, userName, submitTime, workflowId, workflowName, workflowNodeName`,
        ),
        aside: {
          "settings have them": names("jobConfPath, acls, jobQueueName"),
          "the times say the order": names("workflowAdjacencies, workflowTags"),
        },
      },
    ],
    [
      "JOB_INITED",
      {
        used: names(`${ID}, launchTime, totalMaps, totalReduces`),
        aside: { "follows from the attempts": names("jobStatus, uberized") },
      },
    ],
    ["JOB_INFO_CHANGED", { used: names(`${ID}, submitTime, launchTime`), aside: {} }],
    ["JOB_FINISHED", { used: names(`${ID}, finishTime`), aside: COUNTS }],
    ...["JOB_FAILED", "JOB_KILLED", "JOB_ERROR"].map((kind) => [kind, UNSUCCESSFUL] as const),
    [
      "AM_STARTED",
      {
        used: names("applicationAttemptId, startTime"),
        aside: {
          "where it ran is not judged": names(
            "containerId, nodeManagerHost, nodeManagerPort, nodeManagerHttpPort",
          ),
        },
      },
    ],
    ["TASK_STARTED", { used: names("taskid, taskType, startTime, splitLocations"), aside: {} }],
    [
      "TASK_FINISHED",
      {
        used: names("taskid, taskType, finishTime"),
        aside: {
          "the attempts say it": names("status, counters, successfulAttemptId"),
        },
      },
    ],
    [
      "TASK_FAILED",
      {
        used: names("taskid, taskType, finishTime"),
        aside: { "the attempts say it": names("status, counters, error, failedDueToAttempt") },
      },
    ],
    ...["MAP", "REDUCE", "SETUP", "CLEANUP"].flatMap((kind) => [
      [`${kind}_ATTEMPT_STARTED`, START] as const,
      ...["FINISHED", "FAILED", "KILLED"].map(
        (what) =>
          [
            `${kind}_ATTEMPT_${what}`,
            kind === "REDUCE" || what !== "FINISHED" ? REDUCE_END : MAP_END,
          ] as const,
      ),
    ]),
    ["JOB_STATUS_CHANGED", "the last state counts"],
    ["JOB_PRIORITY_CHANGED", "the queue is not judged"],
    ["JOB_QUEUE_CHANGED", "the queue is not judged"],
    ["TASK_UPDATED", "the task's end has the time"],
    ["NORMALIZED_RESOURCE", "memory is not judged"],
  ]),
  objects: new Map(),
};
