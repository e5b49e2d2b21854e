import type { InputErrorCode } from "../../../base/input-error.ts";
import { parseJson } from "../../../base/json.ts";
import {
  flag,
  holding,
  list,
  number,
  object,
  oneOf,
  optional,
  Place,
  required,
  type Shape,
  text,
  variants,
  whole,
} from "../../../base/shape.ts";
import { PRIORITIES } from "../../../model/job.ts";
import { onBadRecord, outputChange, values } from "../../../run/options-shape.ts";
import type { JobOptions, JobRow } from "./service.ts";

/** A client's request, one line of JSON per connection; the server answers with one. */
export type ServeRequest =
  | { readonly kind: "submit"; readonly options: JobOptions }
  | { readonly kind: "jobs" }
  | { readonly kind: "kill"; readonly job: string }
  /** Answered when the job has ended. */
  | { readonly kind: "wait"; readonly job: string };

export type ServeAnswer =
  | { readonly kind: "jobs"; readonly jobs: readonly JobRow[] }
  /** A mistake that the user must correct. */
  | {
      readonly kind: "refused";
      readonly code: InputErrorCode;
      readonly place: string;
      /** Begins with the place of the mistake. */
      readonly message: string;
    }
  | { readonly kind: "broken"; readonly message: string };

/** `socket`: the path, for errors. InputError if the text is no request. */
export const readRequest = (sent: string, socket: string): ServeRequest =>
  received(request, sent, socket);

/** InputError if the text is no answer. */
export const readAnswer = (sent: string, socket: string): ServeAnswer =>
  received(answer, sent, socket);

function received<T>(shape: Shape<T>, sent: string, socket: string): T {
  const place = new Place("bad-input", socket);
  const parsed = parseJson(sent);
  return parsed.ok ? shape.read(parsed.value, place) : place.fail(parsed.problem);
}

type Answer<K> = Extract<ServeAnswer, { kind: K }>;

/** An option that is not listed here would pass for one of the engine's own settings. */
const jobOptions = object<JobOptions>("the options of a job", {
  jobFile: required(text),
  input: required(list(text)),
  output: optional(text),
  outputChange: optional(outputChange),
  onBadRecord: optional(onBadRecord),
  workingDirectory: optional(text),
  reduces: optional(whole({ min: 1 })),
  splitBytes: optional(whole({ min: 1 })),
  params: optional(values),
  overwrite: optional(flag),
  compress: optional(flag),
  pool: optional(text),
  priority: optional(oneOf(PRIORITIES)),
});

const request = variants<ServeRequest>("a request", {
  submit: ["a submission", { options: required(jobOptions) }],
  jobs: ["the question for the jobs", {}],
  kill: ["a kill", { job: required(text) }],
  wait: ["a wait", { job: required(text) }],
});

const row = holding<JobRow>("a job", {
  job: required(text),
  state: required(text),
  pool: required(text),
  priority: required(text),
  responseMs: required(number()),
  tasks: required(whole({ min: 0 })),
  done: required(whole({ min: 0 })),
  running: required(whole({ min: 0 })),
  output: required(text),
});

const answer = variants<ServeAnswer>("an answer", {
  jobs: holding<Answer<"jobs">>("the jobs", { jobs: required(list(row)) }),
  refused: holding<Answer<"refused">>("a refusal", {
    code: required(text),
    place: required(text),
    message: required(text),
  }),
  broken: holding<Answer<"broken">>("a breakdown", { message: required(text) }),
});
