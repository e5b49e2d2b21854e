import type {
  DataPolicy,
  DetectionPolicy,
  Estimator,
  Heard,
  Policy,
  SharingPolicy,
  SpeculationPolicy,
  TaskOrder,
} from "./policy.ts";

/** What a field of a policy is. A policy lacks no `hook`; it may lack an `optional` one. */
export type FieldKind = "hook" | "optional" | "flag" | "optional-flag";

/** The fields that the policies of a seat have besides those of every policy. */
export type FieldsOf<T> = {
  readonly [K in Exclude<keyof T, keyof Policy<object, unknown>> & string]-?: FieldKind;
};

/** All that a policy can hear, to check policies that a user has written. */
export const HEARD: Readonly<Record<Heard["kind"], true>> = {
  "node-joined": true,
  "node-silent": true,
  "node-heard": true,
  "node-left": true,
  "node-resized": true,
  "slots-offered": true,
  "job-submitted": true,
  "job-killed": true,
  "attempt-started": true,
  "attempt-progressed": true,
  "attempt-succeeded": true,
  "attempt-failed": true,
  "attempt-killed": true,
  "fetch-failed": true,
  "output-lost": true,
  "output-replicated": true,
  "launch-refused": true,
  "request-refused": true,
  "links-sampled": true,
  "sharing-tuned": true,
  woken: true,
  "slot-declined": true,
  "attempt-assumed": true,
  "assumption-undone": true,
  "node-lost": true,
  "job-waits": true,
  acted: true,
  "job-ended": true,
};

/** The fields of the policies of each seat, to check policies that a user has written. */
export const SEAT_FIELDS: {
  readonly sharing: FieldsOf<SharingPolicy>;
  readonly order: FieldsOf<TaskOrder>;
  readonly speculation: FieldsOf<SpeculationPolicy>;
  readonly data: FieldsOf<DataPolicy>;
  readonly estimator: FieldsOf<Estimator>;
  readonly detection: FieldsOf<DetectionPolicy>;
} = {
  sharing: {
    plan: "hook",
    jobs: "hook",
    admit: "optional",
    allowedLocality: "optional",
    scan: "optional",
  },
  order: {
    key: "hook",
    eligible: "optional",
    eligibleFrom: "optional",
    ignoresLocality: "optional",
    freshByIndex: "optional-flag",
    holdsAll: "optional",
    keyBeforeLocality: "optional-flag",
    readersBeside: "optional",
    readersStayReady: "optional-flag",
    scan: "optional",
  },
  speculation: {
    onIdleSlot: "optional",
    idleNeedsAttempts: "optional-flag",
    onContendedSlot: "optional",
    onPhaseReady: "optional",
    onInputWritten: "optional",
    scan: "optional",
  },
  data: {
    slowstart: "optional",
    onPhaseReady: "optional",
    onOutput: "optional",
    onOutputLost: "optional",
    scan: "optional",
  },
  estimator: {
    timeLeft: "hook",
    newCopy: "hook",
    steady: "flag",
    timeLeftBy: "optional",
    stall: "optional",
    isStalled: "optional",
    mayJudge: "optional",
  },
  detection: { expiry: "hook" },
};
