import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Measure } from "../../src/history/columns.ts";
import { endAt, kindAt } from "../../src/history/columns.ts";
import type { Trace, TracePhase } from "../../src/history/model.ts";
import { openTrace } from "../../src/trace/open/open-trace.ts";

const SHARED = "../shared/data/spark";
const IS_THERE = existsSync(SHARED);
if (!IS_THERE) console.log(`skipped: what other tools made of event logs, ${SHARED} is absent`);

const phaseOf = ({ jobs }: Trace, stage: number): TracePhase => {
  const phase = jobs[0]?.phases.find(({ name }) => name === `stage ${stage}`);
  if (phase === undefined) throw new Error(`no stage ${stage}`);
  return phase;
};

/** Leaves out values that the log lacks. */
const valuesOf = ({ attempts }: TracePhase, measure: Measure): readonly number[] =>
  [...attempts[measure]].filter((value) => !Number.isNaN(value));

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

// Check 5: totals per stage, as NVIDIA's tool has them, cell by cell.
describe.runIf(IS_THERE)("totals of stages", () => {
  test.each([
    ["rapids_join_eventlog.zstd", "rapids_join_eventlog_stagemetricsagg_expectation.csv"],
    ["rapids_join_eventlog2.zstd", "rapids_join_eventlog_stagemetricsagg2_expectation.csv"],
  ])("%s equals %s", async (log, golden) => {
    const trace = await openTrace(`${SHARED}/rapids/${log}`);
    const text = readFileSync(`${SHARED}/rapids-expectations/${golden}`, "utf8");
    const [head = "", ...rows] = text.trim().split("\n");
    const names = head.split(",");
    for (const row of rows) {
      const cells = new Map(row.split(",").map((cell, n) => [names[n], Number(cell)]));
      const cell = (name: string): number => cells.get(name) ?? Number.NaN;
      const phase = phaseOf(trace, cell("id"));
      const { attempts } = phase;
      const durations = [...attempts.endedAt].map((end, n) => end - (attempts.startedAt[n] ?? 0));
      const total = (measure: Measure): number => sum(valuesOf(phase, measure));
      expect({
        numTasks: attempts.length,
        durationSum: sum(durations),
        durationMax: Math.max(...durations),
        durationMin: Math.min(...durations),
        executorDeserializeTimeSum: total("deserializeMs"),
        inputBytesReadSum: total("inputBytes"),
        inputBytesReadMax: Math.max(0, ...valuesOf(phase, "inputBytes")),
        inputRecordsReadSum: total("inputRecords"),
        jvmGCTimeSum: total("gcMs"),
        spilled: total("spilledBytes"),
        srFetchWaitTimeSum: total("fetchWaitMs"),
        srTotalBytesReadSum: total("shuffleBytes"),
        written: total("outputBytes"),
      }).toEqual({
        numTasks: cell("numTasks"),
        durationSum: cell("durationSum"),
        durationMax: cell("durationMax"),
        durationMin: cell("durationMin"),
        executorDeserializeTimeSum: cell("executorDeserializeTimeSum"),
        inputBytesReadSum: cell("inputBytesReadSum"),
        inputBytesReadMax: cell("inputBytesReadMax"),
        inputRecordsReadSum: cell("inputRecordsReadSum"),
        jvmGCTimeSum: cell("jvmGCTimeSum"),
        spilled: cell("diskBytesSpilledSum") + cell("memoryBytesSpilledSum"),
        srFetchWaitTimeSum: cell("srFetchWaitTimeSum"),
        srTotalBytesReadSum: cell("srTotalBytesReadSum"),
        written: cell("outputBytesWrittenSum") + cell("swBytesWrittenSum"),
      });
      // The tool rounds each task's nanoseconds to milliseconds.
      for (const [measure, name] of [
        ["cpuMs", "executorCPUTimeSum"],
        ["writeWaitMs", "swWriteTimeSum"],
      ] as const) {
        const rounded = total(measure) - cell(name);
        expect(rounded).toBeGreaterThanOrEqual(0);
        expect(rounded).toBeLessThan(attempts.length);
      }
    }
  });
});

// Check 5: what Spark's own history server answers about the same logs.
describe.runIf(IS_THERE)("the answers of Spark's history server", () => {
  const answer = (name: string): readonly Answer[] =>
    JSON.parse(readFileSync(`${SHARED}/apache-expectations/${name}_expectation.json`, "utf8"));
  const time = (text: string | undefined): number => Date.parse((text ?? "").replace("GMT", "Z"));

  test("equal the tasks of a stage", async () => {
    const trace = await openTrace(`${SHARED}/apache/local-1430917381534`);
    const tasks = answer("stage_task_list");
    expect(tasks.length).toBe(20);
    const stage = phaseOf(trace, 0);
    const { attempts } = stage;
    for (const task of tasks) {
      const row = attempts.task.indexOf(task.index ?? -1);
      const startedAt = attempts.startedAt[row] ?? Number.NaN;
      const metrics = task.taskMetrics;
      expect({
        at: startedAt + trace.originMs,
        node: trace.jobs[0]?.nodes[attempts.node[row] ?? -1],
        executor: trace.jobs[0]?.executors[attempts.executor[row] ?? -1],
        ended: endAt(attempts, row),
        isCopy: kindAt(attempts, row) === "speculative",
        deserialize: attempts.deserializeMs[row],
        gc: attempts.gcMs[row],
        input: attempts.inputBytes[row],
        records: attempts.inputRecords[row],
        written: attempts.outputBytes[row],
      }).toEqual({
        at: time(task.launchTime),
        node: task.host,
        executor: task.executorId,
        ended: task.status === "SUCCESS" ? "succeeded" : "failed",
        isCopy: task.speculative,
        deserialize: metrics?.executorDeserializeTime,
        gc: metrics?.jvmGcTime,
        input: metrics?.inputMetrics.bytesRead,
        records: metrics?.inputMetrics.recordsRead,
        written: metrics?.shuffleWriteMetrics.bytesWritten,
      });
    }
  });

  test.each(["stage_list_json", "one_stage_json", "failed_stage_list_json"])(
    "%s equals the log's stages",
    async (name) => {
      const trace = await openTrace(`${SHARED}/apache/local-1422981780767`);
      for (const stage of answer(name)) {
        const phase = phaseOf(trace, stage.stageId ?? -1);
        const { attempts } = phase;
        const failed = [...attempts.ends.keys()].filter((n) => endAt(attempts, n) === "failed");
        expect({
          name: phase.title,
          tasks: phase.tasks,
          done: attempts.length - failed.length,
          failed: failed.length,
          at: (phase.submittedAt ?? Number.NaN) + trace.originMs,
          input: sum(valuesOf(phase, "inputBytes")),
          read: sum(valuesOf(phase, "shuffleBytes")),
          written: sum(valuesOf(phase, "outputBytes")),
        }).toEqual({
          name: stage.name,
          tasks: stage.numTasks,
          done: stage.numCompleteTasks,
          failed: stage.numFailedTasks,
          at: time(stage.submissionTime),
          input: stage.inputBytes,
          read: stage.shuffleReadBytes,
          written: (stage.shuffleWriteBytes ?? 0) + (stage.outputBytes ?? 0),
        });
      }
    },
  );
});

interface Answer {
  readonly index?: number;
  readonly launchTime?: string;
  readonly host?: string;
  readonly executorId?: string;
  readonly status?: string;
  readonly speculative?: boolean;
  readonly taskMetrics?: {
    readonly executorDeserializeTime: number;
    readonly jvmGcTime: number;
    readonly inputMetrics: { readonly bytesRead: number; readonly recordsRead: number };
    readonly shuffleWriteMetrics: { readonly bytesWritten: number };
  };
  readonly stageId?: number;
  readonly name?: string;
  readonly numTasks?: number;
  readonly numCompleteTasks?: number;
  readonly numFailedTasks?: number;
  readonly submissionTime?: string;
  readonly inputBytes?: number;
  readonly shuffleReadBytes?: number;
  readonly shuffleWriteBytes?: number;
  readonly outputBytes?: number;
}
