import { type Contents, type Inventory, names } from "../inventory.ts";

/**
 * All events and fields of Spark's event logs, 1.2 to 4.1: JsonProtocol.scala and the listeners of
 * SQL, streaming, Connect and the Thrift server; and those of vendors that we have met.
 */
export const SPARK_INVENTORY: Inventory = {
  events: new Map<string, Contents | string>([
    ["SparkListenerLogStart", { used: ["Spark Version"], aside: {} }],
    [
      "SparkListenerApplicationStart",
      {
        used: names("App ID, App Attempt ID, App Name, User, Timestamp"),
        aside: { "where other logs are": names("Driver Logs, Driver Attributes") },
      },
    ],
    [
      "SparkListenerApplicationEnd",
      { used: ["Timestamp"], aside: { "the outcome is that of the jobs": ["ExitCode"] } },
    ],
    [
      "SparkListenerEnvironmentUpdate",
      {
        used: ["Spark Properties"],
        aside: {
          "no setting of Spark": names(
            "JVM Information, System Properties, Hadoop Properties, Metrics Properties, " +
              "Classpath Entries",
          ),
        },
      },
    ],
    [
      "SparkListenerExecutorAdded",
      { used: names("Timestamp, Executor ID, Executor Info"), aside: {} },
    ],
    [
      "SparkListenerExecutorRemoved",
      { used: names("Timestamp, Executor ID, Removed Reason"), aside: {} },
    ],
    [
      "SparkListenerBlockManagerAdded",
      {
        used: names("Block Manager ID, Timestamp"),
        aside: {
          "memory is not judged": names(
            "Maximum Memory, Maximum Onheap Memory, Maximum Offheap Memory",
          ),
        },
      },
    ],
    [
      "SparkListenerJobStart",
      {
        used: names("Job ID, Submission Time, Stage IDs, Stage Infos, Properties"),
        aside: {},
      },
    ],
    ["SparkListenerJobEnd", { used: names("Job ID, Completion Time, Job Result"), aside: {} }],
    [
      "SparkListenerStageSubmitted",
      { used: ["Stage Info"], aside: { "settings are those of the environment": ["Properties"] } },
    ],
    ["SparkListenerStageCompleted", { used: ["Stage Info"], aside: {} }],
    ["SparkListenerTaskStart", { used: names("Stage ID, Stage Attempt ID, Task Info"), aside: {} }],
    [
      "SparkListenerTaskEnd",
      {
        used: names("Stage ID, Stage Attempt ID, Task End Reason, Task Info, Task Metrics"),
        aside: {
          "follows from the stage": ["Task Type"],
          "memory is not judged": ["Task Executor Metrics"],
        },
      },
    ],
    [
      "SparkListenerResourceProfileAdded",
      {
        used: names("Resource Profile Id, Executor Resource Requests, Task Resource Requests"),
        aside: {},
      },
    ],
    ...excluded("Executor", "executorId, time", "stageId, stageAttemptId, taskFailures"),
    ...excluded("Node", "hostId, time", "stageId, stageAttemptId, executorFailures"),
    ...wholly("an executor's end says it", "SparkListenerBlockManagerRemoved"),
    ...wholly("its end has the time", "SparkListenerTaskGettingResult"),
    ...wholly(
      "memory and caches are not judged",
      "SparkListenerUnpersistRDD, SparkListenerBlockUpdated, SparkListenerExecutorMetricsUpdate, " +
        "SparkListenerStageExecutorMetrics",
    ),
    ...wholly(
      "the driver's own counts, without times",
      "SparkListenerUnschedulableTaskSetAdded, SparkListenerUnschedulableTaskSetRemoved, " +
        "SparkListenerSpeculativeTaskSubmitted, SparkListenerMiscellaneousProcessAdded, " +
        "SparkListenerUnexecutedStageSubmitted",
    ),
    [
      "SparkListenerSQLExecutionStart",
      {
        used: names("executionId, rootExecutionId, description, sparkPlanInfo, time"),
        aside: {
          "the plan's nodes say it": ["physicalPlanDescription"],
          "the description is enough": names("details, jobTags, jobGroupId"),
          "settings are those of the environment": ["modifiedConfigs"],
        },
      },
    ],
    [
      "SparkListenerSQLAdaptiveExecutionUpdate",
      {
        used: names("executionId, sparkPlanInfo"),
        aside: { "the plan's nodes say it": ["physicalPlanDescription"] },
      },
    ],
    ["SparkListenerSQLExecutionEnd", { used: names("executionId, time, errorMessage"), aside: {} }],
    ...wholly(
      "of a query, its start, its end and its plans are enough",
      "SparkListenerSQLAdaptiveSQLMetricUpdates, " +
        "SparkListenerDriverAccumUpdates, SparkListenerConnectServiceStarted, " +
        "SparkListenerConnectServiceEnd, SparkListenerConnectSessionStarted, " +
        "SparkListenerConnectSessionClosed, SparkListenerConnectOperationStarted, " +
        "SparkListenerConnectOperationAnalyzed, SparkListenerConnectOperationReadyForExecution, " +
        "SparkListenerConnectOperationFinished, SparkListenerConnectOperationCanceled, " +
        "SparkListenerConnectOperationFailed, SparkListenerConnectOperationClosed, " +
        "SparkListenerThriftServerSessionCreated, SparkListenerThriftServerSessionClosed, " +
        "SparkListenerThriftServerOperationStart, SparkListenerThriftServerOperationParsed, " +
        "SparkListenerThriftServerOperationCanceled, SparkListenerThriftServerOperationTimeout, " +
        "SparkListenerThriftServerOperationError, SparkListenerThriftServerOperationFinish, " +
        "SparkListenerThriftServerOperationClosed",
    ),
    ...wholly(
      "a batch's seconds are those of its jobs",
      "StreamingQueryListener$QueryStartedEvent, StreamingQueryListener$QueryProgressEvent, " +
        "StreamingQueryListener$QueryIdleEvent, StreamingQueryListener$QueryTerminatedEvent",
    ),
    ...wholly(
      "a vendor's, without times of tasks",
      "DataMechanicsLogComplete, SparkRapidsBuildInfoEvent, SparkRapidsShuffleDiskSavingsEvent",
    ),
  ]),
  objects: new Map<string, Contents>([
    [
      "Stage Info",
      {
        used: names(
          "Stage ID, Stage Attempt ID, Stage Name, Number of Tasks, Parent IDs, Submission Time, " +
            "Completion Time, Failure Reason, Resource Profile Id, RDD Info, " +
            "Accumulables",
        ),
        aside: {
          "its name is enough": ["Details"],
          "how it shuffles": names("Shuffle Push Enabled, Shuffle Push Mergers Count"),
        },
      },
    ],
    [
      "Properties",
      {
        used: names("spark.sql.execution.id, spark.job.description"),
        aside: { "settings are those of the environment": ["*"] },
      },
    ],
    [
      "Task Info",
      {
        used: names(
          "Task ID, Index, Partition ID, Launch Time, Finish Time, Getting Result Time, " +
            "Executor ID, Host, Locality, Speculative, Failed, Killed",
        ),
        aside: {
          "attempts are in the order of their launches": ["Attempt"],
          "what the metrics say, too": ["Accumulables"],
        },
      },
    ],
    [
      "Task End Reason",
      {
        used: names(
          "Reason, Class Name, Description, Message, Kill Reason, Loss Reason, " +
            "Block Manager Address",
        ),
        aside: {
          "the first line says it": names("Stack Trace, Full Stack Trace"),
          "who is known by the task": names("Executor ID, Exit Caused By App"),
          "of which block": names(
            "Shuffle ID, Map ID, Map Index, Reduce ID, Job ID, Partition ID, Attempt Number",
          ),
          "what the metrics say, too": names("Metrics, Accumulator Updates"),
        },
      },
    ],
    [
      "Task Metrics",
      {
        used: names(
          "Input Metrics, Output Metrics, Shuffle Read Metrics, Shuffle Write Metrics, " +
            "JVM GC Time, Executor Deserialize Time, Executor CPU Time, Memory Bytes Spilled, " +
            "Disk Bytes Spilled, Result Size",
        ),
        aside: {
          "follows from the attempt's times and place": names("Executor Run Time, Host Name"),
          "small beside the times of the attempt": names(
            "Executor Deserialize CPU Time, Result Serialization Time",
          ),
          "memory and caches are not judged": names(
            "Peak Execution Memory, Peak On Heap Execution Memory, " +
              "Peak Off Heap Execution Memory, Updated Blocks",
          ),
        },
      },
    ],
    [
      "Input Metrics",
      {
        used: names("Bytes Read, Records Read"),
        aside: { "from where, not how much": ["Data Read Method"] },
      },
    ],
    [
      "Output Metrics",
      {
        used: ["Bytes Written"],
        aside: {
          "bytes stand for them": ["Records Written"],
          "how, not how much": ["Data Write Method"],
        },
      },
    ],
    [
      "Shuffle Read Metrics",
      {
        used: names("Remote Bytes Read, Local Bytes Read, Total Records Read, Fetch Wait Time"),
        aside: {
          "bytes stand for them": names(
            "Remote Blocks Fetched, Local Blocks Fetched, Remote Bytes Read To Disk",
          ),
          "the wait says it": ["Remote Requests Duration"],
          "merged blocks count as remote and local": ["Push Based Shuffle", "Shuffle Push Read"],
        },
      },
    ],
    [
      "Shuffle Write Metrics",
      {
        used: names("Shuffle Bytes Written, Shuffle Write Time"),
        aside: { "bytes stand for them": ["Shuffle Records Written"] },
      },
    ],
    [
      "Executor Info",
      {
        used: names("Host, Total Cores, Resources, Resource Profile Id"),
        aside: {
          "where other logs are": names("Log Urls, Attributes"),
          "the event has the time": names("Registration Time, Request Time"),
        },
      },
    ],
    [
      "Block Manager ID",
      { used: names("Executor ID, Host"), aside: { "the host is enough": ["Port"] } },
    ],
    [
      "Block Manager Address",
      { used: ["Executor ID"], aside: { "the executor is enough": names("Host, Port") } },
    ],
    ["Job Result", { used: names("Result, Exception"), aside: {} }],
    ["Exception", { used: ["Message"], aside: { "the first line says it": ["Stack Trace"] } }],
  ]),
};

/** Spark 3.1 renamed these events. */
function excluded(whose: "Executor" | "Node", used: string, aside: string) {
  const contents = { used: names(used), aside: { "how often is not judged": names(aside) } };
  return ["Excluded", "Unexcluded", "Blacklisted", "Unblacklisted"].flatMap((what) => [
    [`SparkListener${whose}${what}`, contents] as const,
    [`SparkListener${whose}${what}ForStage`, "other stages may run there"] as const,
  ]);
}

/** Events that are set aside. */
function wholly(reason: string, kinds: string): readonly (readonly [string, string])[] {
  return names(kinds).map((kind) => [kind, reason]);
}

/** The kind of an event without its package. */
export const kindOf = (event: string): string => event.slice(event.lastIndexOf(".") + 1);
