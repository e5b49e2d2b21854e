import type { Discipline } from "../../../policy/policy.ts";

/** Seats that are never asked on YARN, and who does it in their place. */
const IDLE = {
  sharing: "the ResourceManager shares out containers",
  order: "Hadoop decides which task a container gets",
  detection: "Hadoop decides when a node is lost",
} as const;

type IdleSeat = keyof typeof IDLE;

/** What named disciplines have there whose point it is not. */
const USUAL: Readonly<Record<IdleSeat, readonly string[]>> = {
  sharing: ["fifo", "fifo-plain"],
  order: ["hadoop", "largest-first"],
  detection: ["fixed-expiry"],
};

const SEATS: readonly IdleSeat[] = ["sharing", "order", "detection"];

/**
 * A line for each part of the discipline that does nothing on YARN though somebody has chosen it,
 * by its seat or by the name of a discipline whose point it is; and one if no copies will be made.
 */
export function idleSeats({ name, ...discipline }: Discipline): readonly string[] {
  const idle = SEATS.flatMap((seat) => {
    const policy = discipline[seat].policy.name;
    const isChosen = name.includes(`${seat}=`) || !USUAL[seat].includes(policy);
    return isChosen ? [`${seat}=${policy} does nothing on YARN, where ${IDLE[seat]}`] : [];
  });
  const { speculation } = discipline;
  const isNone = speculation.policy.name === "none" && !ASKED_FOR_NONE.test(name);
  const told = isNone ? [...idle, "speculation=none: no copies are made"] : idle;
  return told.map((line) => `discipline ${name}: ${line}`);
}

/** The discipline `none`, alone or with other seats, or that policy by its seat. */
const ASKED_FOR_NONE = /^none(,|$)|speculation=none/;
