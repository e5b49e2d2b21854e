import { ROLE } from "../diagnose/schedule/planned.ts";
import type { Registry } from "../policy/registry.ts";
import type { Fitted } from "./fitted.ts";
import { askedDiscipline, nameOf, type Trial } from "./trial.ts";

/** Policies that can do nothing in a simulation of one recorded job, for one reason. */
interface Reason {
  readonly where: string;
  /** The seat, and the names of the policies. */
  readonly parts: readonly (readonly [seat: string, policy: string])[];
  /** Whether the reason holds for this job; always, where it is left out. */
  readonly holds?: (fitted: Fitted) => boolean;
}

const REASONS: readonly Reason[] = [
  {
    where: "the job has the cluster alone",
    parts: [
      ["sharing", "fair"],
      ["sharing", "capacity"],
    ],
  },
  {
    where: "no node is lost, and no output",
    parts: [
      ["detection", "adaptive-expiry"],
      ["data", "copy-outputs"],
      ["data", "mantri-protect"],
    ],
  },
  { where: "there are no links between racks", parts: [["data", "mantri-placement"]] },
  {
    where: "no attempt fails",
    parts: [["order", "local-failed-first"]],
    holds: ({ plan }) => !plan.role.includes(ROLE.fails),
  },
  {
    where: "the log does not say how much a task reads",
    parts: [["order", "largest-first"]],
    holds: ({ signals }) => signals.bytes.every((bytes) => !(bytes > 0)),
  },
];

/**
 * The parts of the trials that do nothing in these simulations, in sentences: without them, a row
 * that equals another says that a policy is of no use, where it only had nothing to do.
 */
export function idleParts(
  fitted: Fitted,
  trials: readonly Trial[],
  registry?: Registry,
): readonly string[] {
  const seated = trials.map((trial) => ({ name: nameOf(trial), seats: seatsOf(trial, registry) }));
  return REASONS.flatMap(({ where, parts, holds }) => {
    if (holds?.(fitted) === false) return [];
    const idle = parts.flatMap(([seat, policy]) => {
      const part = `${seat}=${policy}`;
      const users = seated.filter(({ seats }) => seats.has(part)).map(({ name }) => name);
      return users.length === 0 ? [] : [`${part} (${users.join(", ")})`];
    });
    if (idle.length === 0) return [];
    return [`${listed(idle)} can do nothing here: ${where}.`];
  });
}

/** The seats as a user writes them. */
function seatsOf(trial: Trial, registry?: Registry): ReadonlySet<string> {
  const { data, detection, order, sharing } = askedDiscipline(trial, registry);
  return new Set([
    `sharing=${sharing.policy.name}`,
    `order=${order.policy.name}`,
    `detection=${detection.policy.name}`,
    ...data.map(({ policy }) => `data=${policy.name}`),
  ]);
}

const listed = (parts: readonly string[]): string =>
  [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((part) => part !== "").join(" and ");
