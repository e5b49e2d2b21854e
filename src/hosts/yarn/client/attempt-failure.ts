import { InputError } from "../../../base/input-error.ts";
import type { Failure } from "../../../run/run-result.ts";
import { ERROR_PREFIX, isTaskError, type TaskError } from "../task/task-list.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { causeIn } from "./hadoop-cause.ts";
import type { AttemptRow, YarnRest } from "./yarn-rest.ts";

/** How much of the end of a container's log is read. */
const LOG_BYTES = 256 * 1024;

export type AttemptFailed = Pick<Failure, "cause" | "message" | "place" | "stack"> &
  Pick<TaskError, "copy"> & {
    /** Whether the runner reported the failure; Hadoop knows only how the process ended. */
    readonly isReported: boolean;
  };

/** How an attempt failed: as the runner reported it in the container's log, else as Hadoop did. */
export async function failureOf(
  rest: Pick<YarnRest, "log">,
  row: AttemptRow,
): Promise<AttemptFailed> {
  const { hostWeb, container, diagnostics } = row;
  const log = await rest.log({ hostWeb, container, file: "stderr" }, LOG_BYTES);
  const lines = log?.contents.toString().split("\n");
  const errorLine = lines?.findLast((line) => line.startsWith(ERROR_PREFIX));
  const error = errorLine && parsed(errorLine.slice(ERROR_PREFIX.length));
  if (!error) return { cause: "error", message: causeIn(diagnostics), isReported: false };
  const { cause, message, place, stack, copy } = error;
  return {
    isReported: true,
    cause,
    message,
    ...(place !== undefined && { place }),
    ...(stack !== undefined && { stack }),
    ...(copy !== undefined && { copy }),
  };
}

/**
 * Undefined for lines that are no report: user code writes to the log too, and a full disk cuts
 * lines off.
 */
function parsed(text: string): TaskError | undefined {
  try {
    const error: unknown = JSON.parse(text);
    return isTaskError(error) ? error : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The failure with line numbers counted from the file's start. A container has only a part of the
 * file and counts lines from there. The failure stays unchanged if the file cannot be read, or if
 * too much of it precedes the part. COST: reads the file up to the split.
 */
export async function withWholeLines(
  { hdfs, root }: Pick<ClusterAccess, "hdfs" | "root">,
  failure: AttemptFailed,
  bytesMax = Number.POSITIVE_INFINITY,
): Promise<AttemptFailed> {
  const { copy, message, ...rest } = failure;
  if (copy === undefined) return failure;
  const at = message.indexOf(`${copy.path}:`);
  const [line] = /^\d+/.exec(at < 0 ? "" : message.slice(at + copy.path.length + 1)) ?? [];
  if (line === undefined || !copy.path.startsWith(root.fileSystem)) return { message, ...rest };
  if (copy.from - copy.head > bytesMax) return failure;
  const path = copy.path.slice(root.fileSystem.length);
  let before = 0;
  try {
    for await (const piece of hdfs.pieces(path, { start: copy.head, end: copy.from })) {
      for (const byte of piece) if (byte === LINE_END) before++;
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // The failure matters more than its line number.
    return failure;
  }
  const place = at + copy.path.length + 1;
  const whole = `${message.slice(0, place)}${Number(line) + before}`;
  return { message: `${whole}${message.slice(place + line.length)}`, ...rest };
}

/**
 * The failure for display, with the place from which its lines are counted if that is not the
 * file's start.
 */
export function attemptFailed({ cause, message, place, copy }: AttemptFailed) {
  const isWhole = copy === undefined || copy.from <= copy.head;
  const counted = isWhole ? "" : ` (lines counted from byte ${copy.from})`;
  const shown = { kind: "failed", cause, message: `${message}${counted}` } as const;
  return place === undefined ? shown : { ...shown, place };
}

const LINE_END = "\n".charCodeAt(0);
