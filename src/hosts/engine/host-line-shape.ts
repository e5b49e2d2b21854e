import {
  atLeast0,
  holding,
  list,
  oneOf,
  optional,
  type Place,
  required,
  type Shape,
  text,
  variants,
  whole,
} from "../../base/shape.ts";
import type { InputPlan, PartFile, ShuffleOutput, Split } from "../../data/index.ts";
import { FAILURE_CAUSES } from "../../model/event.ts";
import type { PlannedJob, ReadPlan } from "../../run/job-plan.ts";
import type { RecordedOptions } from "../../run/options.ts";
import type { HostLine, TimedLine } from "./host-line.ts";
import type { WorkResult } from "./messages.ts";

/**
 * The object of a journal's `host` line. InputError if it is none, or lacks what a resume needs.
 */
export function readHostLine(json: unknown, place: Place): TimedLine {
  const line = timedLine.read(json, place);
  RELIED_ON.get(line.kind)?.read(json, place);
  return line;
}

const timedLine = holding<TimedLine>("a line of the engine", {
  at: required(atLeast0),
  kind: required(text),
});

const options = holding<RecordedOptions>("the options of a run", {
  job: required(holding<RecordedOptions["job"]>("a job", { file: required(text) })),
  input: required(list(text)),
  workingDirectory: required(text),
  nodes: required(whole({ min: 1 })),
  slots: required(whole({ min: 1 })),
});

const input = holding<InputPlan>("the plan of an input", {
  splits: required(list(holding<Split>("a split", { file: required(text) }))),
});

const plan = holding<PlannedJob>("the plan of a job", {
  file: required(
    holding<PlannedJob["file"]>("a prepared job file", {
      entry: required(text),
      file: required(text),
    }),
  ),
  inputs: required(list(holding<ReadPlan>("a read", { input: required(input) }))),
  output: required(text),
});

const file = { bytes: required(atLeast0), records: required(atLeast0), checksum: required(text) };

const result: Shape<WorkResult> = variants<WorkResult>("the result of a task", {
  part: holding<Result<"part">>("a part", {
    part: required(holding<PartFile>("the file of a part", file)),
  }),
  "shuffle-output": holding<Result<"shuffle-output">>("an output", {
    output: required(holding<ShuffleOutput>("the file of an output", file)),
  }),
});

type Line<K> = Extract<HostLine, { kind: K }>;
type Result<K> = Extract<WorkResult, { kind: K }>;

const node = required(text);
const attempt = required(whole({ min: 0 }));

/** By kind, the fields that a resume reads. */
const RELIED_ON = new Map<HostLine["kind"], Shape<HostLine>>([
  ["run", holding<Line<"run">>("the options", { options: required(options) })],
  ["plan", holding<Line<"plan">>("the plan", { plan: required(plan) })],
  // A signal to a process of 0 or less would reach a whole group.
  ["process", holding<Line<"process">>("a process", { pid: required(whole({ min: 1 })) })],
  ["node-crashed", holding<Line<"node-crashed">>("a crash", { node })],
  [
    "output",
    holding<Line<"output">>("an output", {
      attempt: required(text),
      result: required(result),
      part: optional(text),
    }),
  ],
  [
    "failure",
    holding<Line<"failure">>("a failure", {
      attempt: required(text),
      cause: required(oneOf(FAILURE_CAUSES)),
    }),
  ],
  [
    "outputs-lost",
    holding<Line<"outputs-lost">>("lost outputs", {
      node,
      attempts: optional(list(whole({ min: 0 }))),
    }),
  ],
  ["copied", holding<Line<"copied">>("a copied output", { node, attempt, path: required(text) })],
]);
