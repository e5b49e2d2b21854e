import { ROLE } from "../diagnose/schedule/planned.ts";
import type { Registry } from "../policy/registry.ts";
import type { Fitted } from "./fitted.ts";
import { askedDiscipline, nameOf, type Trial } from "./trial.ts";

/** Policies that can do nothing in a simulation of one recorded job, for one reason. */
interface Reason {
  readonly where: string;
  /** As a user writes them: the seat, and the policy in it. */
  readonly parts: readonly string[];
  /** Whether the reason holds for this job; always, where it is left out. */
  readonly holds?: (fitted: Fitted) => boolean;
}

const REASONS: readonly Reason[] = [
  { where: "the job has the cluster alone", parts: ["sharing=fair", "sharing=capacity"] },
  {
    where: "no node is lost, and no output",
    parts: ["detection=adaptive-expiry", "data=copy-outputs", "data=mantri-protect"],
  },
  { where: "there are no links between racks", parts: ["data=mantri-placement"] },
  {
    where: "no attempt fails",
    parts: ["order=local-failed-first"],
    holds: ({ plan }) => !plan.role.includes(ROLE.fails),
  },
  {
    where: "no task has a place, as recorded times include where its data lay",
    parts: ["order=local-preempt"],
  },
  {
    where: "the log does not say how much a task reads",
    parts: ["order=largest-first"],
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
    const idle = parts.flatMap((part) => {
      const users = seated.filter(({ seats }) => seats.includes(part)).map(({ name }) => name);
      return users.length === 0 ? [] : [`${part} (${users.join(", ")})`];
    });
    return idle.length === 0 ? [] : [`${listed(idle)} can do nothing here: ${where}.`];
  });
}

function seatsOf(trial: Trial, registry?: Registry): readonly string[] {
  const { data, ...seats } = askedDiscipline(trial, registry);
  return [
    ...(["detection", "order", "sharing"] as const).map(
      (seat) => `${seat}=${seats[seat].policy.name}`,
    ),
    ...data.map(({ policy }) => `data=${policy.name}`),
  ];
}

const listed = (parts: readonly string[]): string =>
  [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((part) => part !== "").join(" and ");
