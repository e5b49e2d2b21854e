import type { Discipline } from "../../../policy/policy.ts";

/** Seats that are never asked on YARN, and the part of Hadoop that acts instead. */
const IDLE = {
  sharing: "the ResourceManager shares out containers",
  order: "Hadoop decides which task a container gets",
  detection: "Hadoop decides when a node is lost",
} as const;

type IdleSeat = keyof typeof IDLE;

/** The usual policies in these seats, for named disciplines whose purpose lies elsewhere. */
const USUAL: Readonly<Record<IdleSeat, readonly string[]>> = {
  sharing: ["fifo", "fifo-plain"],
  order: ["hadoop", "largest-first"],
  detection: ["fixed-expiry"],
};

const SEATS: readonly IdleSeat[] = ["sharing", "order", "detection"];

/**
 * A line for each part of the discipline that has no effect on YARN though the user chose it, by
 * its seat or by the name of a discipline whose purpose it is; and one if no copies will be made.
 */
export function idleSeats({ name, ...discipline }: Discipline): readonly string[] {
  const idle = SEATS.flatMap((seat) => {
    const policy = discipline[seat].policy.name;
    const isChosen = name.includes(`${seat}=`) || !USUAL[seat].includes(policy);
    return isChosen ? [`${seat}=${policy} does nothing on YARN, where ${IDLE[seat]}`] : [];
  });
  const { speculation } = discipline;
  const isNone = speculation.policy.name === "none" && !ASKED_FOR_NONE.test(name);
  const reasons = isNone ? [...idle, "speculation=none: no copies are made"] : idle;
  return reasons.map((line) => `discipline ${name}: ${line}`);
}

/** Matches the discipline `none`, alone or with other seats, and the policy `none` by its seat. */
const ASKED_FOR_NONE = /^none(,|$)|speculation=none/;
