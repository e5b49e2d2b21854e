/** Why response time was lost; each has seconds of its own (docs/papers/attribution.md). */
export const CAUSES = [
  "retries",
  "waited-to-start",
  "node",
  "gc",
  "fetch-wait",
  "cold-start",
  "remote-read",
  "bytes",
  "unexplained",
] as const;
export type Cause = (typeof CAUSES)[number];

/** How the cause is named in reports. */
export const CAUSE_NAMES: Readonly<Record<Cause, string>> = {
  retries: "retries",
  "waited-to-start": "waited to start",
  node: "slow node",
  gc: "garbage collection",
  "fetch-wait": "fetch wait",
  "cold-start": "cold start",
  "remote-read": "remote read",
  bytes: "input bytes",
  unexplained: "unexplained",
};
