import { UNKNOWN } from "../../base/distribution.ts";
import type { Ask } from "../../model/action.ts";
import type { JobId, TaskId } from "../../model/ids.ts";
import type {
  DataPolicy,
  DetectionPolicy,
  Discipline,
  Estimator,
  SharingPolicy,
  SpeculationPolicy,
  TaskOrder,
} from "../../policy/policy.ts";

/** The recorded actions of the present step that have not happened yet. */
export interface Script {
  /** The recomputes that come next, if the task, whose output is gone, is among them. */
  readonly recomputes: (task: TaskId, how: "lost" | "missed") => readonly Ask[];
  /** Whether the job's end is recorded. */
  readonly ends: (job: JobId) => boolean;
}

const PART = { source: "a journal", params: {}, needs: [], remember: () => null } as const;

const order: TaskOrder = { ...PART, name: "recorded", freshByIndex: true, key: () => 0 };
const speculation: SpeculationPolicy = { ...PART, name: "recorded" };
const detection: DetectionPolicy = {
  ...PART,
  name: "recorded",
  expiry: () => Number.POSITIVE_INFINITY,
};
const estimator: Estimator = {
  ...PART,
  name: "recorded",
  steady: true,
  timeLeft: () => Number.POSITIVE_INFINITY,
  newCopy: () => UNKNOWN,
};

/**
 * A discipline that decides nothing: where no action can be carried out from outside, the core asks
 * it, and it answers with the record.
 */
export function scripted({ recomputes, ends }: Script): Discipline {
  const sharing: SharingPolicy = {
    ...PART,
    name: "recorded",
    // A job without tasks ends when it is admitted; admitting the other jobs early does no harm.
    admit: ({ view }, id) => view.job(id).phases.some(({ tasks }) => tasks.length > 0) || ends(id),
    plan: () => ({ slots: [], farMax: 0 }),
    jobs: () => [],
  };
  const data: DataPolicy = {
    ...PART,
    name: "recorded",
    onOutputLost: (_, task, how) => recomputes(task, how),
  };
  const params = {};
  return {
    name: "recorded",
    sharing: { policy: sharing, params },
    order: { policy: order, params },
    speculation: { policy: speculation, params },
    data: [{ policy: data, params }],
    estimator: { policy: estimator, params },
    detection: { policy: detection, params },
  };
}
