/** The user's mistake: a flag, a file, a parameter. Caught once, by the command line. */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly code: InputErrorCode;
  /** The place of the mistake: a flag, or a file with line or JSON path. */
  readonly place: string;

  constructor(code: InputErrorCode, place: string, expected: string) {
    super(`${place}: ${expected}`);
    this.code = code;
    this.place = place;
  }
}

export type InputErrorCode =
  | "unknown-policy"
  | "unknown-parameter"
  | "bad-parameter"
  | "missing-capability"
  | "missing-file"
  | "bad-scenario"
  | "bad-experiment"
  | "bad-journal"
  | "bad-job"
  | "bad-policies"
  | "bad-flag"
  | "bad-input"
  /** A server is not there, or is silent. */
  | "no-answer"
  /** A host has reported an impossible event to the core. */
  | "bad-event"
  | "output-exists"
  /** The cluster does not exist, or is of an unsupported kind. */
  | "no-cluster";
