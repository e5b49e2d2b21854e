import type { InputErrorCode } from "../../../base/input-error.ts";
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
