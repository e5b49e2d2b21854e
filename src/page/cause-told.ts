import type { Cause } from "../diagnose/cause.ts";

const ABOVE = "measured, above the phase's median";

/** How the seconds of a cause are computed for each attempt, as docs/diagnosis.md says. */
export const CAUSE_TOLD: Readonly<Record<Cause, string>> = {
  retries: "attempts that failed, were lost or made again, until that was noticed",
  "waited-to-start": "waiting for the scheduler, above the phase's median",
  node: "what the node's factor adds, if it is beyond chance",
  gc: ABOVE,
  "fetch-wait": ABOVE,
  "cold-start": "deserialisation above the median, and first attempts of an executor",
  "remote-read": "what attempts away from their data take more",
  bytes: "the slope of time over bytes, times the bytes above the mean",
  unexplained: "the rest",
};
