/** The user's mistake: a flag, a file, a parameter. Caught once, by the command line. */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly code: InputErrorCode;
  /** Where: a flag, or a file with line or JSON path. */
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
  | "bad-flag"
  | "bad-input"
  /** Of a host: what it tells the core cannot be. */
  | "bad-event"
  | "output-exists"
  /** A cluster that is not there, or of a kind that is not supported. */
  | "no-cluster";
