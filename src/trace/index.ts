/**
 * Histories of Hadoop and Spark, and journals, as one model. `readTrace` takes bytes and runs in
 * any JavaScript engine; `openTrace` of `broomwagon/trace/open` takes paths and URLs.
 */
export { InputError } from "../base/input-error.ts";
export {
  type AttemptColumns,
  CURVE_POINTS,
  endAt,
  kindAt,
  localityAt,
  type Measure,
  TRACE_ENDS,
  type TraceEnd,
} from "../history/columns.ts";
export {
  type JobSpan,
  type Note,
  type NoteKind,
  type Recorded,
  SIGNALS,
  type Signal,
  type SlotSpan,
  type Trace,
  type TraceFormat,
  type TraceJob,
  type TracePhase,
  type TracePhaseKind,
  type TraceSource,
} from "../history/model.ts";
export { type ReadOptions, readTrace } from "./read-trace.ts";
